import { accessToken, form, json, type Operation, type Operations, ref } from './openapi-operation.ts';
import { clientErrors, exchange, tokenErrors } from './openapi-token-paths.ts';

const ownToken = {
  security: [['client_secret_basic']] as const,
  body: ref('AccessToken'),
  errors: [...clientErrors, 'not_found'] as const,
};

const memberships: Operation = {
  summary: 'The organizations or teams of the user, always none',
  security: accessToken,
  answers: { 200: ref('GithubMemberships') },
  errors: ['invalid_request', 'invalid_token'],
  dpopStatus: 401,
};

/** What software written for GitHub asks. */
export const githubPaths: Operations = {
  '/login/oauth/access_token': {
    post: {
      ...exchange,
      body: ref('GithubTokenRequest'),
      answers: { 200: ref('Tokens') },
      answerTypes: [form, json],
    },
  },
  '/api/v3/user': {
    get: {
      summary: 'The user as GitHub describes users',
      security: accessToken,
      answers: { 200: ref('GithubUser') },
      errors: tokenErrors,
      dpopStatus: 401,
    },
  },
  '/api/v3/user/emails': {
    get: {
      summary: 'The e-mail address of the user, as GitHub lists addresses',
      security: accessToken,
      answers: { 200: ref('GithubEmails') },
      errors: tokenErrors,
      dpopStatus: 401,
    },
  },
  '/api/v3/user/orgs': { get: memberships },
  '/api/v3/user/teams': { get: memberships },
  ...Object.assign(
    {},
    ...['', '/api/v3'].map((root) => ({
      [`${root}/applications/{client_id}/token`]: {
        post: {
          ...ownToken,
          summary: 'Check an access token of the application',
          answers: { 200: ref('GithubToken') },
        },
        delete: { ...ownToken, summary: 'Revoke a token and its family', answers: { 204: null } },
      },
      [`${root}/applications/{client_id}/grant`]: {
        delete: { ...ownToken, summary: 'Revoke all that the user allowed the application', answers: { 204: null } },
      },
    })),
  ),
};
