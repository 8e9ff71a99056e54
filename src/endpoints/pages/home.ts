import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { type ErrorCode, errorStatus, OAuthError } from '../../protocol/errors.ts';
import { findUser } from '../../store/users.ts';
import { issueFormKey } from './form-key.ts';
import { renderView } from './render.ts';
import { signedInUser } from './session.ts';

/** What stands here, and where to go from here. */
export const home =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const user_id = signedInUser(req);
    const user = user_id === undefined ? undefined : await findUser(deps.database, user_id);
    const viewer = user && { username: user.username, name: user.name ?? user.username };
    renderView(req, res, deps.config, 'home', { viewer, csrf: viewer && issueFormKey(deps, req, res) });
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
