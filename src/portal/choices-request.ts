import { SourceText, shell } from '../registration/console/source-text.ts';
import { authorizationPath } from '../registration/programs/library.ts';
import { authorizationEndpoint, calledEndpoints } from '../web/endpoints.ts';
import { choices, chosen, details, exampleChoice, exampleScope } from './choices.ts';
import { addressLines, answer, exampleResource, redirect_uri, tokenAnswer } from './example-messages.ts';
import { exampleId, exampleRegistration } from './examples.ts';
import type { Facts } from './facts.ts';
import type { PortalProgram, PortalSection, PortalSentence } from './portal.view.ts';
import { type Chapter, errorAt, pageAt, say, sectionAt, term } from './words.ts';

/** How an application asks people to choose, and reads what they chose [9396]. */
export const choicesRequest: Chapter = {
  path: '/developer/choices-request',
  title: 'portal.asking',
  about: 'portal.asking.about',
  sections: (facts) => [
    { sentences: [say('portal.asking.api', { page: pageAt(facts, choices.path) })] },
    requests(facts),
    asks(facts),
    names(facts),
    reads(facts),
    changes(facts),
    narrows(facts),
    refusesRequest(facts),
    refusesTokens(facts),
  ],
};

/** An authorization request with further parameters. */
function requestOf(facts: Facts, id: string, more: Readonly<Record<string, string>>): PortalProgram {
  const connection = { ...exampleRegistration(facts), is_public: false, redirect_uri };
  const path = authorizationPath({ ...connection, scope: exampleScope(facts) }, more);
  return {
    ...{ id, name: `GET ${authorizationEndpoint(facts)}`, about: [], label: say('portal.messages.authorize') },
    text: addressLines(`${facts.issuer}${path}&state=STATE&code_challenge=CHALLENGE`),
  };
}

const requests = (facts: Facts): PortalSection => ({
  heading: say('portal.asking.request'),
  sentences: [
    say('portal.asking.scope', {
      scope: exampleScope(facts),
      seen: sectionAt(facts, choices, 'portal.choices.seen'),
    }),
    ...(facts.choices.length > 0 ? [] : [say('portal.asking.none', { name: exampleChoice(facts).name })]),
  ],
  remarks: [
    say('portal.asking.values', {
      ...{ state: 'STATE', challenge: 'CHALLENGE', resource: 'resource' },
      page: pageAt(facts, '/developer/messages'),
    }),
  ],
  programs: [requestOf(facts, 'choices-plain', { resource: exampleResource })],
});

/** What the application says in the parameter, and what people then see. */
function asks(facts: Facts): PortalSection {
  const { name: type, may_be_all } = exampleChoice(facts);
  const row = (asked: object, about: PortalSentence) => ({ name: term(JSON.stringify([asked])), about: [about] });
  const json = JSON.stringify([{ type, identifier: '12' }]);
  return {
    heading: say('portal.asking.offer'),
    sentences: [say('portal.asking.details', { details })],
    facts: [
      row({ type }, say('portal.asking.offers_any')),
      row({ type, identifier: '12' }, say('portal.asking.offers_one')),
      ...(may_be_all ? [row({ type, all: true }, say('portal.asking.offers_all'))] : []),
    ],
    remarks: [say('portal.asking.again'), say('portal.asking.encoded', { details, json })],
    programs: [requestOf(facts, 'choices-request', { [details]: json, resource: exampleResource })],
  };
}

/** Undefined if there are none, which the request says. */
function names({ choices }: Facts): PortalSection | undefined {
  if (choices.length === 0) return undefined;
  return {
    heading: say('portal.asking.here'),
    sentences: [say('portal.asking.types', { type: 'type' })],
    facts: choices.map(({ name, scopes }) => ({
      name: term(name),
      about: [
        say(scopes.length === 1 ? 'portal.asking.of_scope' : 'portal.asking.of_scopes', { scopes: scopes.join(' ') }),
      ],
    })),
  };
}

const reads = (facts: Facts): PortalSection => ({
  heading: say('portal.asking.read'),
  sentences: [
    say('portal.asking.answer', { details, identifier: 'identifier', all: '"all":true' }),
    say('portal.asking.never_all', { details }),
  ],
  programs: [
    answer(
      'choices-answer',
      200,
      { ...tokenAnswer(facts), scope: exampleScope(facts), [details]: chosen(facts, '12', '13') },
      say('portal.asking.token_response'),
    ),
  ],
});

const changes = (facts: Facts): PortalSection => ({
  heading: say('portal.asking.changes'),
  sentences: [say('portal.asking.read_again', { details, account: pageAt(facts, '/account') })],
  bullets: [
    say('portal.asking.fewer'),
    say('portal.asking.more'),
    say('portal.asking.nothing_left', { scope: 'scope' }),
    say('portal.asking.ask_again', { prompt: 'prompt=consent' }),
  ],
});

const narrows = (facts: Facts): PortalSection => {
  const { token_endpoint } = calledEndpoints(facts);
  return {
    heading: say('portal.asking.narrow'),
    sentences: [
      say('portal.asking.narrow_text', { details, token: token_endpoint }),
      say('portal.asking.public', { secret: 'client_secret' }),
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

const refusesRequest = (facts: Facts): PortalSection => ({
  heading: say('portal.asking.errors_request'),
  facts: [
    { name: errorAt(facts, 'access_denied'), about: [say('portal.asking.denied')] },
    {
      name: errorAt(facts, 'invalid_authorization_details'),
      about: [say('portal.asking.invalid_type', { types: 'authorization_details_types' })],
    },
  ],
});

const refusesTokens = (facts: Facts): PortalSection => ({
  heading: say('portal.asking.errors_token'),
  facts: [
    { name: errorAt(facts, 'invalid_authorization_details'), about: [say('portal.asking.too_much')] },
    { name: errorAt(facts, 'invalid_grant'), about: [say('portal.asking.ended')] },
    {
      name: errorAt(facts, 'temporarily_unavailable'),
      about: [say('portal.asking.unavailable')],
    },
  ],
});
