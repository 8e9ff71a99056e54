import { jwtMaxTtl } from '../catalogue/resources.sql.ts';
import { fastapi, modOauth2, nginx } from '../registration/programs/libraries.ts';
import { calledEndpoints } from '../web/endpoints.ts';
import { choices, choicesProgram } from './choices.ts';
import {
  authorizationExample,
  exampleResource,
  introspection,
  signedExample,
  statusLine,
  triesApi,
} from './example-messages.ts';
import { aboutApis, apiId, exampleOf } from './examples.ts';
import type { Facts } from './facts.ts';
import type { PortalFact, PortalSection } from './portal.view.ts';
import { parents } from './reference.ts';
import { registering } from './registering.ts';
import { askThem, type Chapter, duration, pageAt, runs, say, term } from './words.ts';

/** How an API of somebody else accepts tokens of this server. */
export const api: Chapter = {
  path: '/developer/api',
  title: 'portal.api',
  about: 'portal.api.about',
  sections: (facts) => [
    { sentences: [say('portal.mcp_server.see', { page: pageAt(facts, apiPrograms.path) })] },
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
  sections: (facts) => [
    runs(say('portal.mcp_server.before', { page: pageAt(facts, api.path) }), triesApi('/api/me')),
    programs(facts),
    { sentences: [say('portal.api.programs_node', { page: pageAt(facts, choicesProgram.path) })] },
  ],
};

const registers = (facts: Facts): PortalSection => ({
  heading: say('portal.api.register'),
  steps: [
    say('portal.api.application', { client_id: apiId, page: pageAt(facts, registering.path) }),
    say('portal.api.registered'),
  ],
  remarks: askThem(facts),
});

/** What an application sends so that its token is for the API. */
const obtains = (facts: Facts): PortalSection => ({
  heading: say('portal.api.obtain'),
  sentences: [say('portal.api.obtain_text', { resource: 'resource', aud: 'aud' })],
  programs: [authorizationExample(facts, { scope: 'SCOPE', resource: exampleResource })],
});

const is = (member: string, value: string) => say('portal.api.is', { member, value });
const isForApi = say('portal.api.aud', { aud: 'aud' });
const isUnbound = say('portal.api.cnf', { cnf: 'cnf' });
const hasScope = say('portal.api.scope', { scope: 'scope' });

/** Asks about a token by introspection. */
export const checks = (facts: Facts): PortalSection => ({
  heading: say('portal.mcp_server.verifies'),
  sentences: [say('portal.api.introspect', { introspect: calledEndpoints(facts).introspection_endpoint })],
  bullets: [
    say('portal.api.active', { active: 'active', true: 'true', false: 'false' }),
    isForApi,
    hasScope,
    say('portal.api.type', { token_type: 'token_type', bearer: 'Bearer' }),
    isUnbound,
  ],
  remarks: [say('portal.api.client', { client_id: 'client_id' })],
});

const allows = (facts: Facts): PortalSection => ({
  heading: say('portal.api.allows'),
  sentences: [...parents(facts.catalogue), say('portal.api.choices', { page: pageAt(facts, choices.path) })],
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
    isForApi,
    say('portal.api.exp', { exp: 'exp' }),
    hasScope,
    isUnbound,
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
    { name: term('Python'), about: [say('portal.api.python', { library: 'PyJWT', type: 'typ' })] },
  ],
  programs: [signedExample(facts)],
});

const challenge = (error: string) => ({ header: `WWW-Authenticate: Bearer error="${error}"` });

export const isUnavailable: PortalFact = { name: term(statusLine(503)), about: [say('portal.api.unavailable')] };

const refuses: PortalSection = {
  heading: say('portal.api.refuses'),
  facts: [
    {
      name: term(statusLine(401)),
      about: [say('portal.api.absent', { header: 'WWW-Authenticate: Bearer', error: 'error' })],
    },
    { name: term(statusLine(401)), about: [say('portal.api.invalid', challenge('invalid_token'))] },
    { name: term(statusLine(403)), about: [say('portal.api.lacks', challenge('insufficient_scope'))] },
    isUnavailable,
  ],
};

function programs(facts: Facts): PortalSection {
  const forApi = { client_id: apiId, audiences: [exampleResource] };
  const [python, apache, proxy] = [fastapi, modOauth2, nginx].map((library) =>
    exampleOf(facts, library, false, undefined, forApi),
  );
  return {
    heading: say('connect.programs'),
    sentences: aboutApis(facts, apiId),
    programs: [python, apache, proxy && { ...proxy, about: [...proxy.about, say('portal.api.nginx')] }].filter(
      (program) => program !== undefined,
    ),
  };
}
