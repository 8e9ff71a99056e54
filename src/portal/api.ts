import { jwtMaxTtl } from '../catalogue/resources.sql.ts';
import { listPath } from '../registration/console/path.ts';
import { shell } from '../registration/console/source-text.ts';
import { fastapi, modOauth2, nginx, nodeApi, tokenForApi } from '../registration/programs/libraries.ts';
import { calledEndpoints } from '../web/endpoints.ts';
import {
  answer,
  apiScope,
  authorizationExample,
  codeOf,
  exampleResource,
  introspection,
  introspectionAnswer,
  redirect_uri,
  signedExample,
  statusLine,
} from './example-messages.ts';
import { apiId, exampleId, exampleOf, exampleOrigin, registeringSql } from './examples.ts';
import type { Facts } from './facts.ts';
import type { PortalFact, PortalSection } from './portal.view.ts';
import { firstGroup, parents } from './reference.ts';
import { registering } from './registering.ts';
import { askThem, type Chapter, duration, pageAt, say, sectionAt, term } from './words.ts';

/** How an API of somebody else accepts tokens of this server. */
export const api: Chapter = {
  path: '/developer/api',
  title: 'portal.api',
  about: 'portal.api.about',
  sections: (facts) => [
    {
      sentences: [
        say('portal.api.purpose', { header: `Authorization: Bearer ${codeOf('at')}` }),
        say('portal.mcp_server.see', { page: pageAt(facts, apiPrograms.path) }),
      ],
    },
    registers(facts),
    obtains(facts),
    { ...checks(facts), ...introspection(facts) },
    checksSigned(facts),
    allows(facts),
    refuses,
  ],
};

/** A page of their own, since no page weighs more than 30 KiB. */
export const apiPrograms: Chapter = {
  path: '/developer/api-programs',
  of_page: api.path,
  title: 'portal.api.programs',
  about: 'portal.api.programs.about',
  sections: (facts) => [tries(facts), programs(facts)],
};

const registered = { client_id: apiId, resource: exampleResource, scope: apiScope };

const registers = (facts: Facts): PortalSection => ({
  heading: say('portal.api.register'),
  steps: [
    say('portal.api.application', { client_id: apiId, page: pageAt(facts, registering.path) }),
    say('portal.api.registered'),
  ],
  remarks: askThem(facts),
  programs: [
    {
      ...{ id: 'api-registration', name: 'SQL', about: [say('portal.mcp_server.seed')] },
      folded: say('portal.mcp_server.operator'),
      text: registeringSql({ ...registered, sentence: 'See your photos' }),
    },
  ],
});

/** What an application sends so that its token is for the API. */
const obtains = (facts: Facts): PortalSection => ({
  heading: say('portal.api.obtain'),
  sentences: [say('portal.api.obtain_text', { resource: 'resource' })],
  programs: [
    authorizationExample(facts, { scope: apiScope, resource: exampleResource }),
    {
      ...exampleOf(facts, tokenForApi, true, exampleOrigin, { scope: apiScope, audiences: [exampleResource] }),
      folded: say('portal.api.token_program'),
      about: [say('portal.api.token_text', { client_id: exampleId, redirect_uri, scope: apiScope })],
    },
  ],
});

/** From nothing to an API that answers. */
function tries(facts: Facts): PortalSection {
  const { sub, scope } = introspectionAnswer(facts);
  return {
    heading: say('portal.run'),
    sentences: [say('portal.program.connect', { console: pageAt(facts, listPath) })],
    steps: [
      say('portal.mcp_server.before', { page: pageAt(facts, api.path) }),
      say('portal.api.save', registered),
      say('portal.api.get_token', { page: sectionAt(facts, api, 'portal.api.obtain') }),
      {
        ...say('portal.api.call', { apache: '80', nginx: '8080', status: statusLine(401) }),
        program: {
          ...{ id: 'api-call', name: 'curl', about: [] },
          text: shell`export TOKEN=${codeOf('at')}\ncurl -H "Authorization: Bearer $TOKEN" \\\n  http://localhost:8000/api/me`
            .text,
        },
        answer: { ...answer('api-answer', 200, {}), text: JSON.stringify({ sub, scope }) },
      },
    ],
  };
}

const is = (member: string, value: string) => say('portal.api.is', { member, value });
const isUnbound = (facts: Facts) => say('portal.api.cnf', { cnf: 'cnf', page: pageAt(facts, '/developer/dpop-api') });

/** A token that has a whole group names the group only. */
function hasScope({ catalogue }: Facts) {
  return firstGroup(catalogue) === undefined
    ? say('portal.api.scope', { scope: 'scope' })
    : say('portal.api.scope_or_group', { scope: 'scope' });
}

/** Asks about a token by introspection. */
export const checks = (facts: Facts): PortalSection => ({
  heading: say('portal.mcp_server.verifies'),
  sentences: [say('portal.api.introspect', { introspect: calledEndpoints(facts).introspection_endpoint })],
  bullets: [
    say('portal.api.active', { active: 'active', true: 'true', false: 'false' }),
    say('portal.api.aud', { aud: 'aud' }),
    hasScope(facts),
    say('portal.api.type', { token_type: 'token_type', bearer: 'Bearer' }),
    isUnbound(facts),
  ],
  remarks: [
    say('portal.api.client', {
      ...{ sub: 'sub', client_id: 'client_id', auth_time: 'auth_time', acr: 'acr' },
      ...{ one: facts.acr_names[0], two: facts.acr_names[1] },
    }),
    say('portal.api.cache'),
  ],
});

const allows = (facts: Facts): PortalSection => ({
  heading: say('portal.api.allows'),
  sentences: [...parents(facts.catalogue), say('portal.api.choices', { page: pageAt(facts, '/developer/choices') })],
});

const checksSigned = (facts: Facts): PortalSection => ({
  heading: say('portal.api.signed'),
  sentences: [
    say('portal.api.jwt', {
      jwks: `${facts.issuer}/jwks`,
      ttl: duration(Math.min(facts.access_token_ttl, jwtMaxTtl)),
    }),
  ],
  bullets: [
    is('alg', 'ES256'),
    is('typ', 'at+jwt'),
    is('iss', facts.issuer),
    say('portal.api.exp', { exp: 'exp' }),
    say('portal.api.same', { aud: 'aud', scope: 'scope', cnf: 'cnf', header: 'Cache-Control' }),
  ],
  facts: [
    {
      name: term('Node'),
      about: [
        say('portal.api.node', {
          library: 'express-oauth2-jwt-bearer',
          ...{ base: 'issuerBaseURL', audience: 'audience', strict: 'strict: true', type: 'typ' },
        }),
      ],
    },
    {
      name: term('Python'),
      about: [
        say('portal.api.python', {
          library: 'PyJWT',
          ...{ algorithms: 'algorithms=["ES256"]', audience: 'audience', issuer: 'issuer', type: 'typ' },
        }),
      ],
    },
  ],
  programs: [signedExample(facts)],
});

const challenge = (error: string, more = '') => [term(`WWW-Authenticate: Bearer error="${error}"${more}`)];

export const isUnavailable: PortalFact = {
  name: term(statusLine(503)),
  about: [say('portal.api.unavailable', { ok: '200', wrong: '401' })],
  details: [term('Retry-After: 5')],
};

const refuses: PortalSection = {
  heading: say('portal.api.refuses'),
  facts: [
    {
      name: term(statusLine(401)),
      about: [say('portal.api.absent')],
      details: [say('portal.api.absent_header', { header: 'WWW-Authenticate: Bearer', error: 'error' })],
    },
    { name: term(statusLine(401)), about: [say('portal.api.invalid')], details: challenge('invalid_token') },
    {
      name: term(statusLine(403)),
      about: [say('portal.api.lacks')],
      details: challenge('insufficient_scope', `, scope="${apiScope}"`),
    },
    isUnavailable,
  ],
};

function programs(facts: Facts): PortalSection {
  const forApi = { client_id: apiId, audiences: [exampleResource], needed: [apiScope] };
  const [node, python, apache, proxy] = [nodeApi, fastapi, modOauth2, nginx].map((library) =>
    exampleOf(facts, library, false, undefined, forApi),
  );
  return {
    heading: say('connect.programs'),
    programs: [node, python, apache, proxy && { ...proxy, about: [...proxy.about, say('portal.api.nginx')] }].filter(
      (program) => program !== undefined,
    ),
  };
}
