import {
  authJs,
  fetchInPage,
  mcpClient,
  oidcClientTs,
  passport,
  passportAsksAgain,
  requestsOauthlib,
  spring,
  xOauth2,
} from '../registration/programs/libraries.ts';
import { authorizationEndpoint, calledEndpoints } from '../web/endpoints.ts';
import { api, apiPrograms } from './api.ts';
import { choices, choicesProgram } from './choices.ts';
import { choicesRequest } from './choices-request.ts';
import { acceptsBound } from './dpop-api.ts';
import { answer, exchange, profileAnswer, redirect_uri, revocation } from './example-messages.ts';
import {
  aboutApplications,
  aboutExamples,
  appAuthExamples,
  exampleId,
  exampleOf,
  exampleOrigin,
  readExample,
  revokeExample,
} from './examples.ts';
import type { Facts } from './facts.ts';
import { mcpServer, mcpServerPrograms } from './mcp-server.ts';
import { emptyFields, keepTokens, messages } from './messages.ts';
import type { PortalSection, PortalSentence } from './portal.view.ts';
import { errors, fieldsOf, firstGroup } from './reference.ts';
import { registering } from './registering.ts';
import { askThem, type Chapter, duration, pageAt, runs, say, sectionAt, term } from './words.ts';

const register = (facts: Facts) => say('portal.begin.register', { page: pageAt(facts, registering.path) });

const opens = say('portal.run.open', { address: exampleOrigin });

const rules = ({ refresh_grace }: Facts, ...ofKind: PortalSentence[]): PortalSection => ({
  heading: say('portal.rules'),
  bullets: [...ofKind, say('portal.refresh', { grace: duration(refresh_grace) }), keepTokens],
});

const comparesState = ({ issuer }: Facts) => say('portal.web.state', { state: 'state', iss: 'iss', issuer });

const next = (facts: Facts): PortalSection => ({
  sentences: [
    say('portal.web.next', {
      messages: pageAt(facts, messages.path),
      errors: pageAt(facts, errors.path),
      end: pageAt(facts, end.path),
    }),
  ],
});

const web: Chapter = {
  path: '/developer/web-application',
  title: 'portal.web',
  about: 'portal.web.about',
  sections: (facts) => [
    runs(
      say('portal.web.register', { page: pageAt(facts, registering.path) }),
      opens,
      say('portal.web.save', { secret: 'CLIENT_SECRET' }),
    ),
    rules(facts, say('portal.web.session'), comparesState(facts)),
    {
      heading: say('connect.programs'),
      sentences: aboutApplications(facts),
      programs: [passport, authJs, spring].map((library) => exampleOf(facts, library, false)),
    },
    next(facts),
  ],
};

const singlePage: Chapter = {
  path: '/developer/single-page-application',
  title: 'portal.spa',
  about: 'portal.spa.about',
  sections: (facts) => [
    { sentences: [say('portal.spa.server', { page: pageAt(facts, web.path) })] },
    {
      heading: say('portal.run'),
      steps: [register(facts), say('portal.spa.site'), say('portal.run.save'), opens],
      remarks: askThem(facts),
    },
    {
      heading: say('portal.rules'),
      bullets: [
        say('portal.spa.memory', { storage: 'localStorage' }),
        comparesState(facts),
        say('portal.spa.refresh', { authorize: authorizationEndpoint(facts) }),
        keepTokens,
      ],
    },
    {
      heading: say('connect.programs'),
      sentences: aboutApplications(facts),
      programs: [fetchInPage, oidcClientTs].map((library) => exampleOf(facts, library, true)),
    },
    next(facts),
  ],
};

/** The redirection URI as it is registered: the program listens at any free port of this address. */
const loopback = 'http://127.0.0.1';

const scheme = 'com.example.app:/callback';

const native: Chapter = {
  path: '/developer/native-application',
  title: 'portal.native',
  about: 'portal.native.about',
  sections: (facts) => [
    runs(register(facts), say('portal.run.print')),
    {
      heading: say('register.redirects'),
      bullets: [
        say('portal.native.loopback', { loopback: `${loopback}/callback` }),
        say('portal.native.scheme', { scheme, site: 'example.com' }),
        say('portal.native.https'),
      ],
    },
    rules(facts, say('portal.native.browser'), say('portal.native.public'), say('portal.native.keychain')),
    {
      heading: say('connect.programs'),
      sentences: aboutApplications(facts),
      programs: [requestsOauthlib, xOauth2].map((library) => exampleOf(facts, library, true, loopback)),
    },
    {
      heading: say('portal.native.mobile'),
      sentences: [
        say('portal.native.appauth', {
          ...{ library: 'AppAuth', state: 'state', scheme: scheme.split(':')[0] ?? '' },
          placeholder: 'appAuthRedirectScheme',
        }),
      ],
      programs: appAuthExamples(facts, scheme),
    },
  ],
};

const mcp: Chapter = {
  path: '/developer/mcp-client',
  title: 'portal.mcp',
  about: 'portal.mcp.about',
  sections: (facts) => [
    runs(say('portal.mcp.register'), say('portal.run.tools')),
    { heading: say('portal.clients'), bullets: howMcpRegisters(facts) },
    { heading: say('portal.mcp.how'), sentences: [say('portal.mcp.finds', { resource: 'resource' })] },
    {
      heading: say('portal.mcp.stranger'),
      sentences: [
        say('portal.mcp.unknown', {
          error: { code: 'invalid_target', href: `${facts.base}/errors/invalid_target` },
          scope_error: { code: 'invalid_scope', href: `${facts.base}/errors/invalid_scope` },
        }),
        say('portal.mcp.operator', { resource: 'resource', page: pageAt(facts, '/developer/reference') }),
        ...askThem(facts),
      ],
    },
    {
      heading: say('portal.program.ready'),
      // the scopes are those of the MCP server
      sentences: aboutExamples(facts, say('portal.program.mcp', { client_id: exampleId }), false),
      programs: [exampleOf(facts, mcpClient, true)],
    },
  ],
};

function howMcpRegisters(facts: Facts) {
  const page = sectionAt(facts, registering, 'portal.register.console');
  const document = sectionAt(facts, registering, 'portal.register.document');
  return [
    say('portal.mcp.by_hand', { page }),
    ...(facts.registration_endpoint === 'open' ? [say('portal.mcp.itself', { member: 'client' })] : []),
    ...(facts.client_id_documents ? [say('portal.mcp.document', { page: document })] : []),
  ];
}

export const signIn: Chapter = {
  path: '/developer/sign-in',
  title: 'portal.sign_in',
  about: 'portal.sign_in.about',
  sections: (facts) => [
    {
      sentences: [
        say('portal.sign_in.openid', { id_token: 'id_token', user: calledEndpoints(facts).userinfo_endpoint }),
      ],
    },
    runs(
      say('portal.sign_in.register', { uri: redirect_uri, page: pageAt(facts, registering.path) }),
      opens,
      say('portal.sign_in.save', { secret: 'CLIENT_SECRET' }),
    ),
    tells(facts),
    {
      heading: say('portal.sign_in.proof'),
      sentences: [
        say('portal.sign_in.proves', { state: 'state' }),
        say('portal.sign_in.not'),
        say('portal.sign_in.sub', { sub: 'sub' }),
      ],
    },
    {
      heading: say('portal.sign_in.again'),
      steps: [
        say('portal.sign_in.max_age', {
          ...{ authorize: authorizationEndpoint(facts), max_age: 'max_age=300', now: 'max_age=0', seconds: '300' },
        }),
        say('portal.sign_in.time', {
          ...{ introspect: calledEndpoints(facts).introspection_endpoint, auth_time: 'auth_time' },
          ...{ rule: 'now − auth_time > max_age', now: 'max_age=0' },
        }),
        say('portal.sign_in.acr', {
          acr: 'acr',
          one: facts.acr_names[0],
          two: facts.acr_names[1],
          authorize: authorizationEndpoint(facts),
          value: `acr_values=${facts.acr_names[1]}`,
        }),
      ],
    },
    {
      heading: say('portal.program.ready'),
      sentences: [
        ...aboutApplications(facts),
        say('portal.sign_in.important', { page: '/important' }),
        say('portal.sign_in.others', {
          ...{ code: 'code', state: 'state', authorize: '/authorize', token: '/token', user: '/user' },
          messages: pageAt(facts, messages.path),
        }),
      ],
      programs: [{ ...exampleOf(facts, passportAsksAgain, false), about: [] }],
    },
  ],
};

/** Which scopes the programs request at once. */
function groupOf({ catalogue }: Facts): PortalSentence[] {
  const group = firstGroup(catalogue);
  return group === undefined ? [] : [say('portal.sign_in.group', group)];
}

/** What `/user` says of the person, and which scope each field needs. */
const tells = (facts: Facts): PortalSection => ({
  heading: say('portal.messages.user'),
  facts: [
    { name: term('sub'), about: [say('portal.sign_in.use_sub')] },
    { name: term('id'), about: [say('portal.sign_in.use_id', { sub: 'sub' })] },
    ...facts.catalogue
      .map((permission) => ({ scope: permission.name, fields: fieldsOf(permission, facts.claims) }))
      .filter(({ fields }) => fields.length > 0)
      .map(({ scope, fields }) => ({
        name: term(fields.join(', ')),
        about: [say('portal.sign_in.scope', { scope })],
      })),
  ],
  remarks: [...groupOf(facts), emptyFields],
  ...exchange(readExample(facts), answer('user-answer', 200, profileAnswer)),
});

export const end: Chapter = {
  path: '/developer/sign-out',
  title: 'portal.end',
  about: 'portal.end.about',
  sections: (facts) => [
    {
      heading: say('portal.end.disconnects'),
      sentences: [
        say('portal.end.revoke', { revoke: calledEndpoints(facts).revocation_endpoint }),
        say('portal.messages.revoke_text'),
      ],
      ...revocation(facts),
    },
    { programs: [revokeExample(facts)] },
    {
      heading: say('portal.end.signs_out'),
      sentences: [say('portal.end.session', { account: pageAt(facts, '/account') })],
    },
    {
      heading: say('portal.end.links'),
      sentences: [say('portal.end.people', { page: `${facts.issuer}/account/applications/${exampleId}` })],
    },
    {
      heading: say('portal.end.found'),
      sentences: [say('portal.end.leaked', { leaked: `${facts.issuer}/leaked`, token: 'token' })],
    },
  ],
};

export const applications: readonly Chapter[] = [web, singlePage, native, signIn, mcp, choicesRequest];

export const apis: readonly Chapter[] = [
  api,
  apiPrograms,
  acceptsBound,
  mcpServer,
  mcpServerPrograms,
  choices,
  choicesProgram,
];
