import type { Request, RequestHandler, Response } from 'express';
import type { Deps } from '../../deps.ts';
import { answerJson } from '../../http/answers.ts';
import { writeScope } from '../../protocol/scope.ts';
import type { ActiveAccessToken } from '../../store/access-tokens.ts';
import { findScopeCatalogue } from '../../store/scopes.ts';
import { readAccessToken, requireScope } from './access-token.ts';

/** The resource owner as GitHub's `GET /user` answers: members that were not granted are null, not left out. */
export const githubUser =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const token = await readGithubToken(deps, req, res);
    requireScope(token, ['user:name', 'user:email'], 'user');
    const mayName = token.scopes.includes('user:name');
    answerJson(res, 200, {
      login: mayName ? token.username : null,
      id: token.user_id,
      type: 'User',
      name: mayName ? token.name : null,
      email: token.scopes.includes('user:email') ? token.email : null,
    });
  };

export const githubEmails =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const token = await readGithubToken(deps, req, res);
    requireScope(token, ['user:email'], 'user:email');
    const { email, email_verified: verified } = token;
    answerJson(res, 200, email === null ? [] : [{ email, primary: true, verified, visibility: 'private' }]);
  };

async function readGithubToken(deps: Deps, req: Request, res: Response): Promise<ActiveAccessToken> {
  const token = await readAccessToken(deps, req, 'github');
  const catalogue = await findScopeCatalogue(deps.database);
  res.setHeader('X-OAuth-Scopes', writeScope(catalogue, token.scopes, ', '));
  return token;
}
