import { maxJwtLength } from '../lib/jwt.ts';
import { statedAs } from '../lib/scope.ts';
import { SourceText, shell } from '../registration/console/source-text.ts';
import { choicesApi } from '../registration/programs/libraries.ts';
import { authorizationPath } from '../registration/programs/library.ts';
import { authorizationEndpoint, calledEndpoints } from '../web/endpoints.ts';
import { api } from './api.ts';
import {
  addressLines,
  answer,
  exampleResource,
  introspectionAnswer,
  statusLine,
  tokenAnswer,
  triesApi,
} from './example-messages.ts';
import { apiId, exampleId, exampleOf, exampleOrigin, exampleRegistration, readsSecret } from './examples.ts';
import type { Facts } from './facts.ts';
import type { PortalSection, PortalSentence } from './portal.view.ts';
import { askThem, type Chapter, errorAt, pageAt, plain, runs, say, sectionAt, term } from './words.ts';

/** People choose what an application sees [9396]. Headings say whether a section is for the API or for an application. */
export const choices: Chapter = {
  path: '/developer/choices',
  title: 'portal.choices',
  about: 'portal.choices.about',
  sections: (facts) => [
    seen(facts),
    registers(facts),
    enforces(facts),
    asks(facts),
    requests(facts),
    reads(facts),
    narrows(facts),
  ],
};

/** A page of its own, since no page weighs more than 30 KiB. */
export const choicesProgram: Chapter = {
  path: '/developer/choices-program',
  of_page: choices.path,
  title: 'portal.choices.program',
  about: 'portal.choices.program.about',
  sections: (facts) => [
    runs(say('portal.choices.program.before', { page: pageAt(facts, choices.path) }), triesApi('/items')),
    program(facts),
  ],
};

const details = 'authorization_details';
const invalid = 'invalid_authorization_details';

/** The first choice of this server, or one that it could have. */
const exampleChoice = ({ choices: [first] }: Facts) =>
  first ?? {
    ...{ name: 'albums', scopes: ['albums:read'], sentence: undefined, sentences: undefined },
    ...{ may_be_all: true, all_sentence: null, all_sentences: {} },
  };

const exampleScope = (facts: Facts) => exampleChoice(facts).scopes[0] ?? '';

const chosen = (facts: Facts, ...identifiers: string[]) =>
  identifiers.map((identifier) => ({ type: exampleChoice(facts).name, identifier }));

/** The items of the person in the program; the examples below are about those that are chosen. */
const entries = [
  { identifier: '12', label: 'Riverside', is_chosen: true },
  { identifier: '13', label: 'Hillside', is_chosen: true },
  { identifier: '15', label: 'Woodside', is_chosen: false },
];

const exampleTable = (facts: Facts) => exampleChoice(facts).name.replaceAll(/\W/g, '_').toLowerCase();

/** Where the items of the choice stand, in a schema of the API; its lines fit on a phone. */
function exampleView(facts: Facts): string {
  const table = exampleTable(facts);
  return `create view my_${table} as
select
  person as sub,
  id::text as identifier,
  title as name
from api.${table};
grant select on my_${table}
to latchkey_reader;`;
}

const registers = (facts: Facts): PortalSection => ({
  heading: say('portal.choices.register'),
  steps: [
    say('portal.choices.registered', { page: pageAt(facts, '/developer/api') }),
    {
      ...say('portal.choices.data', {
        ...{ sub: 'sub', identifier: 'identifier', name: 'name' },
        ...{ table: `api.${exampleTable(facts)}`, columns: 'person, id, title' },
      }),
      program: { id: 'choices-view', name: 'SQL', about: [], text: exampleView(facts) },
    },
    say('portal.choices.operator'),
  ],
  remarks: [say('portal.choices.elsewhere', { fdw: 'postgres_fdw' }), ...askThem(facts)],
});

const seen = (facts: Facts): PortalSection => {
  const { sentence, sentences, may_be_all, all_sentence, all_sentences } = exampleChoice(facts);
  const permission = facts.catalogue.find(({ name }) => name === exampleScope(facts));
  return {
    heading: say('portal.choices.seen'),
    sentences: [say('portal.choices.seen_text')],
    choice: { permission, sentence, sentences, may_be_all, all_sentence, all_sentences, entries },
  };
};

/** What the application says in the parameter, and what people then see. */
function asks(facts: Facts): PortalSection {
  const { name: type, may_be_all } = exampleChoice(facts);
  const row = (asked: object, about: PortalSentence) => ({ name: term(JSON.stringify([asked])), about: [about] });
  return {
    heading: say('portal.choices.request'),
    sentences: [say('portal.choices.ask'), say('portal.choices.details', { details })],
    facts: [
      row({ type }, say('portal.choices.offers_any')),
      row({ type, identifier: '12' }, say('portal.choices.offers_one')),
      ...(may_be_all ? [row({ type, all: true }, say('portal.choices.offers_all'))] : []),
    ],
    remarks: [say('portal.choices.again'), say('portal.choices.refused_type', { error: errorAt(facts, invalid) })],
  };
}

function requests(facts: Facts): PortalSection {
  const connection = { ...exampleRegistration(facts), is_public: false, redirect_uri: `${exampleOrigin}/callback` };
  const json = JSON.stringify([{ type: exampleChoice(facts).name }]);
  const more = { [details]: json, resource: exampleResource };
  const path = authorizationPath({ ...connection, scope: exampleScope(facts) }, more);
  return {
    sentences:
      facts.choices.length > 0
        ? [say('portal.choices.here')]
        : [say('portal.choices.none', { name: exampleChoice(facts).name })],
    facts: facts.choices.map(({ name, scopes }) => ({
      name: term(name),
      about: [
        say(scopes.length === 1 ? 'portal.choices.scope' : 'portal.choices.scopes', { scopes: scopes.join(' ') }),
      ],
    })),
    remarks: [
      say('portal.choices.values', {
        ...{ state: 'STATE', challenge: 'CHALLENGE', resource: 'resource' },
        page: pageAt(facts, '/developer/messages'),
      }),
      say('portal.choices.encoded', { details, json }),
    ],
    programs: [
      {
        id: 'choices-request',
        label: say('portal.messages.authorize'),
        name: `GET ${authorizationEndpoint(facts)}`,
        about: [],
        text: addressLines(`${facts.issuer}${path}&state=STATE&code_challenge=CHALLENGE`),
      },
    ],
  };
}

const reads = (facts: Facts): PortalSection => ({
  heading: say('portal.choices.read'),
  sentences: [
    say('portal.choices.answer', { details, identifier: 'identifier', all: '"all":true' }),
    say('portal.choices.never_all', { details }),
    say('portal.choices.changes', { details }),
  ],
  programs: [
    answer(
      'choices-answer',
      200,
      { ...tokenAnswer(facts), scope: exampleScope(facts), [details]: chosen(facts, '12', '13') },
      say('portal.choices.token_response'),
    ),
  ],
});

const narrows = (facts: Facts): PortalSection => {
  const { token_endpoint } = calledEndpoints(facts);
  return {
    heading: say('portal.choices.narrow'),
    sentences: [
      say('portal.choices.narrow_text', { details, token: token_endpoint }),
      say('portal.choices.refused', { error: errorAt(facts, invalid) }),
    ],
    programs: [
      {
        id: 'choices-narrow',
        name: 'curl',
        file: 'narrow.sh',
        about: [],
        // what the reader changes stands first, where a phone shows it
        text: shell`ONLY=${JSON.stringify(chosen(facts, '12'))}
curl -sS ${token_endpoint} \\
  -d grant_type=refresh_token \\
  -d ${`client_id=${exampleId}`} \\
  --data-urlencode "client_secret=$CLIENT_SECRET" \\
  --data-urlencode "refresh_token=$REFRESH_TOKEN" \\
  --data-urlencode "${new SourceText(details)}=$ONLY"`.text,
      },
    ],
  };
};

const introspectedBy = (facts: Facts) => ({
  ...introspectionAnswer(facts),
  scope: exampleScope(facts),
  [details]: chosen(facts, '12', '13'),
});

const enforces = (facts: Facts): PortalSection => ({
  heading: say('portal.choices.enforce'),
  sentences: [say('portal.choices.api')],
  steps: [
    say('portal.choices.look_up', {
      ...{ details, limit: plain(maxJwtLength) },
      introspect: { code: '/introspect', href: sectionAt(facts, api, 'portal.mcp_server.verifies').href },
    }),
    say('portal.choices.owner', { all: '"all":true', sub: 'sub', identifier: 'identifier' }),
    say('portal.choices.hidden', { status: '404' }),
  ],
  remarks: [say('portal.choices.program.see', { page: pageAt(facts, choicesProgram.path) })],
  programs: [answer('choices-introspection', 200, introspectedBy(facts), say('portal.choices.introspection_response'))],
});

/** The steps have the numbers of the comments in the program. */
const program = (facts: Facts): PortalSection => ({
  heading: say('portal.choices.program.steps'),
  steps: [
    say('portal.choices.program.read', { header: 'Authorization' }),
    say('portal.choices.program.ask', {
      introspect: calledEndpoints(facts).introspection_endpoint,
      status: statusLine(503),
    }),
    say('portal.choices.program.accept', { status: statusLine(401) }),
    say('portal.choices.program.scope', { scope: exampleScope(facts), status: statusLine(403) }),
    say('portal.choices.program.show', { status: statusLine(404) }),
  ],
  programs: [
    {
      ...exampleOf(facts, choicesApi, false, undefined, {
        client_id: apiId,
        scope: exampleScope(facts),
        needed: neededOf(facts),
        audiences: [exampleResource],
        choice: exampleChoice(facts).name,
      }),
      // the console has no such program
      about: [readsSecret],
    },
  ],
});

function neededOf(facts: Facts): string[] {
  const stated = statedAs(facts.catalogue, exampleScope(facts));
  return stated.length > 0 ? stated : [exampleScope(facts)];
}
