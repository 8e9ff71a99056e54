import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { findVisitor } from '../identity/person.ts';
import { renderView } from '../web/render.ts';

/** The start page. */
export const home =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res };
    renderView(page, 'home', await findVisitor(page));
  };
