import type { ErrorCode } from '../../lib/errors.ts';
import { type Operation, type Operations, ref, type SecurityScheme } from './openapi-operation.ts';

/** A client authenticates by HTTP Basic, by a certificate, or by what the body contains. */
const client: readonly (readonly SecurityScheme[])[] = [['client_secret_basic'], ['mutual_tls'], []];
export const clientErrors: readonly ErrorCode[] = ['invalid_request', 'invalid_client', 'too_many_requests'];
export const tokenErrors: readonly ErrorCode[] = [
  'invalid_request',
  'invalid_token',
  'insufficient_scope',
  'insufficient_user_authentication',
];

export const exchange: Operation = {
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
  ],
};

export const tokenPaths: Operations = {
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
