import { maxJwtLength } from '../lib/jwt.ts';
import { oneLine } from '../lib/one-line.ts';
import { statedAs } from '../lib/scope.ts';
import { longestQuery, pageSize } from '../oauth/choice/choices.sql.ts';
import { mostValues } from '../oauth/choice/choices.ts';
import { choicesApi } from '../registration/programs/libraries.ts';
import { calledEndpoints } from '../web/endpoints.ts';
import { api } from './api.ts';
import { answer, exampleResource, introspectionAnswer, statusLine, triesApi } from './example-messages.ts';
import { apiId, exampleOf, readsSecret } from './examples.ts';
import type { Facts } from './facts.ts';
import type { PortalFact, PortalSection } from './portal.view.ts';
import { type Chapter, linked, pageAt, plain, runs, say, sectionAt, term } from './words.ts';

/** People choose what an application sees [9396]: what the owner of an API does. */
export const choices: Chapter = {
  path: '/developer/choices',
  title: 'portal.choices',
  about: 'portal.choices.about',
  sections: (facts) => [
    divides(facts),
    seen(facts),
    shows(facts),
    checks,
    registers(facts),
    enforces(facts),
    learns(facts),
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

export const details = 'authorization_details';

/** The first choice of this server, or one that it could have. */
export const exampleChoice = ({ choices: [first] }: Facts) =>
  first ?? {
    ...{ name: 'albums', scopes: ['albums:read'], sentence: undefined, sentences: undefined },
    ...{ may_be_all: true, all_sentence: null, all_sentences: {} },
  };

export const exampleScope = (facts: Facts) => exampleChoice(facts).scopes[0] ?? '';

export const chosen = (facts: Facts, ...identifiers: string[]) =>
  identifiers.map((identifier) => ({ type: exampleChoice(facts).name, identifier }));

/** The items of the person in the program; the examples below are about those that are chosen. */
const entries = [
  { identifier: '12', label: 'Riverside', is_chosen: true },
  { identifier: '13', label: 'Hillside', is_chosen: true },
  { identifier: '15', label: 'Woodside', is_chosen: false },
];

/** Who does what, of the three that have to do with a choice. */
const divides = (facts: Facts): PortalSection => ({
  facts: [
    { name: say('portal.choices.owner_name'), about: [say('portal.choices.owner_does')] },
    { name: say('portal.choices.operator_name'), about: [say('portal.choices.operator_does')] },
    {
      name: say('portal.choices.application_name'),
      about: [say('portal.choices.application_does', { page: pageAt(facts, '/developer/choices-request') })],
    },
  ],
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

const exampleTable = (facts: Facts) => exampleChoice(facts).name.replaceAll(/\W/g, '_').toLowerCase();

const exampleView = (facts: Facts) => `my_${exampleTable(facts)}`;

/** Where the items of the choice stand, in a schema of the API; its lines fit on a phone. */
const viewingSql = (facts: Facts) => `create view ${exampleView(facts)} as
select
  person::text as sub,
  id::text as identifier,
  title as name
from api.${exampleTable(facts)};
grant select on ${exampleView(facts)}
to latchkey_reader;`;

const column = (name: string, about: PortalFact['about'], is_required?: false): PortalFact => ({
  ...{ name: term(name), type: 'text', about },
  is_required,
});

const shows = (facts: Facts): PortalSection => ({
  heading: say('portal.choices.view'),
  steps: [
    say('portal.choices.registered', { page: pageAt(facts, api.path) }),
    {
      ...say('portal.choices.data', { table: `api.${exampleTable(facts)}`, columns: 'person, id, title' }),
      program: { id: 'choices-view', name: 'SQL', about: [], text: viewingSql(facts) },
    },
  ],
  facts: [
    column('sub', [say('portal.choices.sub', { sub: 'sub' })]),
    column('identifier', [say('portal.choices.identifier')]),
    column('name', [say('portal.choices.name')]),
    column('note', [say('portal.choices.note')], false),
  ],
});

/** What makes a view one that this server can read in time. */
const checks: PortalSection = {
  heading: say('portal.choices.rules'),
  bullets: [
    say('portal.choices.text', { cast: '::text' }),
    say('portal.choices.reader', { reader: 'latchkey_reader', usage: 'usage' }),
    say('portal.choices.index', { sub: 'sub', time: plain(longestQuery) }),
    say('portal.choices.most', { page: plain(pageSize), most: plain(mostValues) }),
    say('portal.choices.elsewhere', { fdw: 'postgres_fdw' }),
  ],
};

const quoted = (text: string) => `'${oneLine(text, 200).replaceAll("'", "''")}'`;

/** What the operator runs to register the choice; its lines fit on a phone. */
function registeringSql(facts: Facts): string {
  const { name, scopes, sentence = 'Which albums may {application} see?', may_be_all } = exampleChoice(facts);
  return `select register_choice(
  name => '${name}',
  scopes => array[${scopes.map(quoted).join(', ')}],
  sentence =>
    ${quoted(sentence)},
  may_be_all => ${may_be_all},
  query => $$
    select identifier as value,
      name as label
    from ${exampleView(facts)}
    where sub = $1
    order by name $$);`;
}

const registers = (facts: Facts): PortalSection => {
  const { name, scopes } = exampleChoice(facts);
  return {
    heading: say('portal.choices.register'),
    sentences: [
      facts.support_url === undefined
        ? say('portal.choices.send')
        : say('portal.choices.send_to', { support: linked(facts.support_url) }),
    ],
    bullets: [
      say('portal.choices.send_name', { name, scopes: scopes.join(', ') }),
      say('portal.choices.send_question'),
      say('portal.choices.send_view', { view: exampleView(facts), note: 'note' }),
      say('portal.choices.send_rules'),
    ],
    programs: [
      {
        ...{ id: 'choices-registration', name: 'SQL', about: [say('portal.mcp_server.seed')] },
        folded: say('portal.mcp_server.operator'),
        text: registeringSql(facts),
      },
    ],
  };
};

const enforces = (facts: Facts): PortalSection => ({
  heading: say('portal.choices.enforce'),
  sentences: [say('portal.choices.rule', { limit: plain(maxJwtLength), details }), say('portal.choices.everywhere')],
  steps: [
    say('portal.choices.look_up', {
      ...{ details, type: 'type', name: exampleChoice(facts).name },
      introspect: { code: '/introspect', href: sectionAt(facts, api, 'portal.mcp_server.verifies').href },
    }),
    say('portal.choices.nothing'),
    say('portal.choices.all', { all: '"all":true', sub: 'sub' }),
    say('portal.choices.one', { identifier: 'identifier' }),
    say('portal.choices.hidden', { status: '404' }),
  ],
  remarks: [say('portal.choices.program.see', { page: pageAt(facts, choicesProgram.path) })],
});

const learns = (facts: Facts): PortalSection => ({
  heading: say('portal.choices.introspection_response'),
  sentences: [say('portal.choices.ticked')],
  programs: [answer('choices-introspection', 200, introspectedBy(facts))],
});

const introspectedBy = (facts: Facts) => ({
  ...introspectionAnswer(facts),
  scope: exampleScope(facts),
  [details]: chosen(facts, '12', '13'),
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
