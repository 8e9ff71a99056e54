import type { ErrorCode } from '../../lib/errors.ts';
import {
  accessToken,
  form,
  json,
  type Operation,
  type Operations,
  ref,
  type SecurityScheme,
} from './openapi-operation.ts';
import { text } from './openapi-schemas.ts';

/** A client authenticates by HTTP Basic, by a certificate, or by what the body contains. */
const client: readonly (readonly SecurityScheme[])[] = [['client_secret_basic'], ['mutual_tls'], []];
const clientErrors: readonly ErrorCode[] = ['invalid_request', 'invalid_client', 'too_many_requests'];
const tokenErrors: readonly ErrorCode[] = [
  'invalid_request',
  'invalid_token',
  'insufficient_scope',
  'insufficient_user_authentication',
];

const exchange: Operation = {
  summary: 'Exchange a code or a refresh token for tokens [RFC 6749 §3.2]',
  security: client,
  body: ref('TokenRequest'),
  answers: { 200: ref('Tokens') },
  dpopStatus: 400,
  errors: [
    ...clientErrors,
    'invalid_grant',
    'unauthorized_client',
    'unsupported_grant_type',
    'invalid_scope',
    'invalid_target',
    'invalid_authorization_details',
  ],
};

const tokenPaths: Operations = {
  '/par': {
    post: {
      summary: 'Push an authorization request [RFC 9126]',
      security: client,
      body: ref('PushedRequest'),
      answers: { 201: ref('RequestUri') },
      dpopStatus: 400,
      errors: [
        ...clientErrors,
        'unauthorized_client',
        'unsupported_response_type',
        'invalid_scope',
        'invalid_target',
        'invalid_authorization_details',
        'invalid_request_object',
        'unmet_authentication_requirements',
      ],
    },
  },
  '/token': { post: exchange },
  '/revoke': {
    post: {
      summary: 'Revoke a token of the client [RFC 7009]',
      security: client,
      body: ref('TokenAndCredentials'),
      answers: { 200: ref('Nothing') },
      errors: clientErrors,
    },
  },
  '/introspect': {
    post: {
      summary: 'Tell whether a token is active, and what it allows [RFC 7662]',
      security: client,
      body: ref('TokenAndCredentials'),
      answers: { 200: ref('Introspection') },
      signedType: 'application/token-introspection+jwt',
      errors: [...clientErrors, 'unauthorized_client'],
    },
  },
  '/leaked': {
    post: {
      summary: 'Revoke a token that somebody found',
      body: ref('Token'),
      answers: { 200: ref('Received') },
      errors: ['invalid_request', 'too_many_requests'],
    },
  },
};

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
const githubPaths: Operations = {
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

const readUser: Operation = {
  summary: 'The profile of the user, as far as granted',
  // without a scheme, the token is in the query or in the form
  security: [...accessToken, []],
  answers: { 200: ref('User') },
  errors: tokenErrors,
  dpopStatus: 401,
};

const userPaths: Operations = {
  '/user': {
    get: { ...readUser, query: { access_token: text } },
    post: { ...readUser, body: ref('PresentedToken'), isBodyOptional: true, bodyTypes: [form] },
    patch: {
      summary: 'Change the profile of the user',
      security: accessToken,
      scope: 'user:write',
      body: ref('ProfileChange'),
      answers: { 200: ref('User') },
      // the source of the account keeps the field
      errors: [...tokenErrors, 'access_denied'],
      dpopStatus: 401,
    },
  },
};

const ownRegistration = {
  security: [['registration_access_token']] as const,
  errors: ['invalid_request', 'invalid_token'] as const,
};
const metadataErrors = ['invalid_request', 'invalid_token', 'invalid_redirect_uri', 'invalid_client_metadata'] as const;

/** What a server describes at which applications can register themselves. */
export const registrationPaths: Operations = {
  '/register': {
    post: {
      summary: 'Register an application [RFC 7591]',
      security: [['initial_access_token'], []],
      body: ref('ClientMetadata'),
      bodyTypes: [json],
      answers: { 201: ref('ClientInformation') },
      errors: [...metadataErrors, 'too_many_requests'],
    },
  },
  '/register/{client_id}': {
    get: {
      ...ownRegistration,
      summary: 'What the application has registered [RFC 7592]',
      answers: { 200: ref('ClientInformation') },
    },
    put: {
      ...ownRegistration,
      summary: 'Replace what the application has registered',
      body: ref('ClientInformationChange'),
      bodyTypes: [json],
      answers: { 200: ref('ClientInformation') },
      errors: metadataErrors,
    },
    delete: { ...ownRegistration, summary: 'Delete the application', answers: { 204: null } },
  },
};

const publicDocument = (summary: string, schema: string): Operations[string] => ({
  get: { summary, answers: { 200: ref(schema) } },
});

const discoveryPaths: Operations = {
  '/.well-known/oauth-authorization-server': publicDocument('Server metadata [RFC 8414]', 'ServerMetadata'),
  '/.well-known/oauth-authorization-server/login/oauth': publicDocument(
    'Metadata of the GitHub-compatible endpoints',
    'ServerMetadata',
  ),
  '/.well-known/oauth-protected-resource': publicDocument('Metadata of /user [RFC 9728]', 'ResourceMetadata'),
  '/jwks': publicDocument('The public keys of signed tokens [RFC 7517]', 'Keys'),
  '/openapi.json': publicDocument('This description', 'Description'),
  '/developer/docs.txt': {
    get: {
      summary: 'The documentation for developers as one text',
      answers: { 200: text },
      answerTypes: ['text/plain'],
    },
  },
  '/healthz': publicDocument('Whether the process answers', 'Status'),
  '/readyz': publicDocument('Whether the database answers, too', 'Status'),
};

/** What a provider at which people sign in sends here. */
const providerPaths: Operations = {
  '/revoke-subject': {
    post: {
      summary: 'End all sessions and all access of a person [draft-parecki-oauth-global-token-revocation]',
      security: [['provider_token']],
      body: ref('SubjectToRevoke'),
      bodyTypes: [json],
      answers: { 204: null },
      errors: ['invalid_request', 'invalid_token', 'access_denied', 'not_found', 'too_many_requests'],
    },
  },
  '/login/provider/{name}/logout': {
    post: {
      summary: 'End sessions whose provider has signed the person out [OpenID Connect Back-Channel Logout 1.0]',
      body: ref('LogoutToken'),
      bodyTypes: [form],
      answers: { 200: null },
      errors: ['invalid_request', 'too_many_requests'],
    },
  },
};

/** Everything that answers machines. */
export const paths: Operations = { ...tokenPaths, ...userPaths, ...githubPaths, ...providerPaths, ...discoveryPaths };
