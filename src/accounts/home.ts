import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { findVisitor } from '../identity/person.ts';
import { renderView } from '../web/render.ts';
import { offersSignUp } from './sign-up/sign-up.ts';

/** The start page. */
export const home =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res };
    renderView(page, 'home', { ...(await findVisitor(page)), offers_sign_up: offersSignUp(deps.config) });
  };
