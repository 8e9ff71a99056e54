import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { type ErrorCode, errorStatus, OAuthError } from '../../protocol/errors.ts';
import { findPerson } from './person.ts';
import { renderView } from './render.ts';

/** What stands here, and where to go from here. */
export const home =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const person = await findPerson(deps, req, res);
    renderView(req, res, deps.config, 'home', { viewer: person?.viewer, csrf: person?.csrf });
  };

const codes = Object.keys(errorStatus) as ErrorCode[];

/** The page behind an error_uri. */
export const explainError =
  ({ config }: Deps): RequestHandler =>
  (req, res) => {
    const code = codes.find((known) => known === req.params['code']);
    if (!code) throw new OAuthError('not_found', 'there is no error of this name');
    renderView(req, res, config, 'error-explained', { code, codes });
  };
