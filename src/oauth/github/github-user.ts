import type { Request, RequestHandler, Response } from 'express';
import { findScopeCatalogue } from '../../catalogue/scopes.sql.ts';
import type { Deps } from '../../deps.ts';
import { profileFields, profileScopes, revealedProfile, revealedUsername, usernameScope } from '../../lib/profile.ts';
import { writeScope } from '../../lib/scope.ts';
import { answerJson } from '../../web/answers.ts';
import { readAccessToken, requireScope, requireSignIn } from '../resource/access-token.ts';
import type { ActiveAccessToken } from '../resource/access-tokens.sql.ts';

/** The resource owner as GitHub's `GET /user` answers: with the username always; members that were not granted are null. */
export const githubUser =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const token = await readGithubToken(deps, req, res);
    if (!token.gives_username) requireScope(token, [usernameScope], usernameScope);
    await requireSignIn(deps, token, profileScopes);
    const { name = null, email = null } = revealedProfile(token, token.scopes);
    answerJson(res, 200, {
      login: revealedUsername(token, token.scopes),
      id: token.user_id,
      type: 'User',
      name,
      email,
    });
  };

export const githubEmails =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const token = await readGithubToken(deps, req, res);
    requireScope(token, [profileFields.email.scope], profileFields.email.scope);
    await requireSignIn(deps, token, [profileFields.email.scope]);
    const { email, email_verified: verified } = revealedProfile(token, token.scopes);
    answerJson(res, 200, verified ? [{ email, primary: true, verified, visibility: 'private' }] : []);
  };

/** No organizations and no teams, of which this server has none: software that signs people in asks before it goes on. */
export const githubMemberships =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    await readGithubToken(deps, req, res);
    answerJson(res, 200, []);
  };

async function readGithubToken(deps: Deps, req: Request, res: Response): Promise<ActiveAccessToken> {
  const token = await readAccessToken(deps, req, 'github');
  const catalogue = await findScopeCatalogue(deps.database);
  res.setHeader('X-OAuth-Scopes', writeScope(catalogue, token.scopes, ', '));
  return token;
}
