import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { findVisitor } from '../identity/person.ts';
import { type ErrorCode, errorStatus, OAuthError } from '../lib/errors.ts';
import { renderView } from '../web/render.ts';

/** The start page. */
export const home =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res };
    renderView(page, 'home', await findVisitor(page));
  };

const codes = Object.keys(errorStatus) as ErrorCode[];

/** The page behind an error_uri. */
export const explainError =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const code = codes.find((name) => name === req.params['code']);
    if (!code) throw new OAuthError('not_found', 'there is no error of this name');
    const page = { deps, req, res };
    renderView(page, 'error-explained', { ...(await findVisitor(page)), code, codes });
  };
