import { jwtMaxTtl } from '../catalogue/resources.sql.ts';
import {
  authJs,
  curl,
  fastapi,
  fetchInPage,
  mcpClient,
  modOauth2,
  nginx,
  oidcClientTs,
  passport,
  requestsOauthlib,
  spring,
  xOauth2,
} from '../registration/programs/libraries.ts';
import { authorizationEndpoint, calledEndpoints } from '../web/endpoints.ts';
import { choices, choicesProgram } from './choices.ts';
import { exampleId, exampleOf, revokeExample } from './examples.ts';
import type { Facts } from './facts.ts';
import { mcpServer, mcpServerPrograms } from './mcp-server.ts';
import { revocation, signedExample } from './messages.ts';
import { parents } from './reference.ts';
import { askThem, type Chapter, duration, pageAt, say } from './words.ts';

const withRefreshes = ({ refresh_grace }: Facts) => [
  say('portal.refresh', { grace: duration(refresh_grace) }),
  say('portal.keep'),
];

const web: Chapter = {
  path: '/developer/web-application',
  title: 'portal.web',
  about: 'portal.web.about',
  sections: (facts) => [
    { sentences: [say('portal.web.session'), say('portal.web.state'), ...withRefreshes(facts)] },
    {
      heading: say('connect.programs'),
      programs: [passport, authJs, spring].map((library) => exampleOf(facts, library, false)),
    },
  ],
};

const singlePage: Chapter = {
  path: '/developer/single-page-application',
  title: 'portal.spa',
  about: 'portal.spa.about',
  sections: (facts) => [
    { sentences: [say('portal.spa.site'), say('portal.spa.memory'), say('portal.web.state'), ...withRefreshes(facts)] },
    {
      heading: say('connect.programs'),
      programs: [fetchInPage, oidcClientTs].map((library) => exampleOf(facts, library, true)),
    },
  ],
};

/** The redirection URI as it is registered: the program listens at any free port of this address. */
const loopback = 'http://127.0.0.1';

const native: Chapter = {
  path: '/developer/native-application',
  title: 'portal.native',
  about: 'portal.native.about',
  sections: (facts) => [
    {
      sentences: [
        say('portal.native.browser'),
        say('portal.native.redirect', {
          loopback: `${loopback}/callback`,
          scheme: 'com.example.app:/callback',
          site: 'example.com',
        }),
        say('portal.native.public'),
        ...withRefreshes(facts),
      ],
    },
    {
      heading: say('connect.programs'),
      programs: [requestsOauthlib, xOauth2, curl].map((library) => exampleOf(facts, library, true, loopback)),
    },
  ],
};

const mcp: Chapter = {
  path: '/developer/mcp-client',
  title: 'portal.mcp',
  about: 'portal.mcp.about',
  sections: (facts) => [
    {
      sentences: [
        say('portal.mcp.finds', { resource: 'resource' }),
        ...howMcpRegisters(facts),
        say('portal.mcp.unknown', {
          error: { code: 'invalid_target', href: `${facts.base}/errors/invalid_target` },
          scope_error: { code: 'invalid_scope', href: `${facts.base}/errors/invalid_scope` },
          page: pageAt(facts, '/developer/reference'),
        }),
        ...askThem(facts),
      ],
    },
    { heading: say('connect.programs'), programs: [exampleOf(facts, mcpClient, true)] },
  ],
};

function howMcpRegisters(facts: Facts) {
  const page = pageAt(facts, '/developer/register');
  const found = [
    ...(facts.registration_endpoint === 'open' ? [say('portal.mcp.itself', { member: 'client' })] : []),
    ...(facts.client_id_documents ? [say('portal.mcp.document', { page })] : []),
  ];
  return found.length > 0 ? found : [say('portal.mcp.registered', { page })];
}

const api: Chapter = {
  path: '/developer/api',
  title: 'portal.api',
  about: 'portal.api.about',
  sections: (facts) => [
    {
      sentences: [
        say('portal.api.registered'),
        say('portal.api.introspect', { introspect: calledEndpoints(facts).introspection_endpoint }),
        ...parents(facts.catalogue),
        say('portal.api.jwt', {
          jwks: `${facts.issuer}/jwks`,
          issuer: facts.issuer,
          ttl: duration(Math.min(facts.access_token_ttl, jwtMaxTtl)),
        }),
        say('portal.api.jwt_library', {
          ...{ node: 'express-oauth2-jwt-bearer', base: 'issuerBaseURL', audience: 'audience' },
          ...{ python: 'PyJWT', type: 'at+jwt' },
        }),
        say('portal.api.refuse'),
        say('portal.api.nginx'),
        say('portal.api.choices', { page: pageAt(facts, choices.path) }),
      ],
    },
    {
      heading: say('connect.programs'),
      programs: [
        ...[fastapi, modOauth2, nginx].map((library) => exampleOf(facts, library, false)),
        signedExample(facts),
      ],
    },
  ],
};

const signIn: Chapter = {
  path: '/developer/sign-in',
  title: 'portal.sign_in',
  about: 'portal.sign_in.about',
  sections: (facts) => [
    {
      sentences: [
        say('portal.sign_in.how', {
          page: pageAt(facts, web.path),
          user: calledEndpoints(facts).userinfo_endpoint,
        }),
        say('portal.sign_in.sub', { sub: 'sub' }),
        say('portal.sign_in.proves'),
        say('portal.sign_in.not'),
        say('portal.sign_in.time', {
          authorize: authorizationEndpoint(facts),
          max_age: 'max_age=0',
          introspect: calledEndpoints(facts).introspection_endpoint,
        }),
      ],
    },
    { heading: say('connect.programs'), programs: [exampleOf(facts, passport, false)] },
  ],
};

export const end: Chapter = {
  path: '/developer/sign-out',
  title: 'portal.end',
  about: 'portal.end.about',
  sections: (facts) => [
    {
      sentences: [
        say('portal.end.revoke', { revoke: calledEndpoints(facts).revocation_endpoint }),
        say('portal.end.session', { account: pageAt(facts, '/account') }),
        say('portal.end.people', { page: `${facts.issuer}/account/applications/${exampleId}` }),
        say('portal.end.leaked', { leaked: `${facts.issuer}/leaked` }),
      ],
    },
    revocation(facts),
    { heading: say('connect.programs'), programs: [revokeExample(facts)] },
  ],
};

export const applications: readonly Chapter[] = [web, singlePage, native, signIn, mcp];

export const apis: readonly Chapter[] = [api, mcpServer, mcpServerPrograms, choices, choicesProgram];
