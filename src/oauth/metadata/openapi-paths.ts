import { githubPaths } from './openapi-github-paths.ts';
import { accessToken, form, json, type Operation, type Operations, ref } from './openapi-operation.ts';
import { text } from './openapi-schemas.ts';
import { tokenErrors, tokenPaths } from './openapi-token-paths.ts';

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

/** Everything that answers machines. */
export const paths: Operations = { ...tokenPaths, ...userPaths, ...githubPaths, ...discoveryPaths };
