import { listPath } from '../registration/console/path.ts';
import type { TextKey } from '../web/texts.ts';
import {
  answer,
  authorizationExample,
  codeOf,
  profileAnswer,
  profileExample,
  tokenAnswer,
  tokenExample,
} from './example-messages.ts';
import type { Facts } from './facts.ts';
import { messages } from './messages.ts';
import type { PortalFact, PortalSection, PortalSentence } from './portal.view.ts';
import { registering } from './registering.ts';
import { askThem, type Chapter, pageAt, say, term } from './words.ts';

/** The first page: the steps, and what developers build; the menu beside it leads to all other pages. */
export const startOf = (tasks: readonly Chapter[]): Chapter => ({
  path: '/developer',
  title: 'portal.title',
  about: 'portal.about',
  sections: (facts) => [
    {
      sentences: [say('portal.about')],
      actions: actions(facts),
    },
    begin(facts),
    {
      heading: say('portal.tasks'),
      sentences: [say('portal.begin.task')],
      tiles: tasks.map(({ path, title, about }) => ({
        name: { ...say(title), href: facts.base + path },
        about: [say(about)],
      })),
    },
    notOffered(facts),
    {
      heading: say('portal.machines'),
      facts: [
        fileAt(facts, '/.well-known/oauth-authorization-server', 'home.metadata', 'home.metadata_text'),
        fileAt(facts, '/openapi.json', 'home.openapi', 'home.openapi_text'),
        fileAt(facts, '/developer/docs.txt', 'portal.plain.title', 'portal.plain'),
      ],
    },
    questions(facts),
  ],
});

function fileAt({ base }: Facts, file: `/${string}`, title: TextKey, about: TextKey): PortalFact {
  const path = base + file;
  return { name: { ...say(title), href: path }, about: [say(about)], path };
}

/** Whoever can register applications goes straight to the form. */
function actions({ base, registration, demo }: Facts): PortalSentence[] {
  const register = registration === 'open' ? `${listPath}/new` : registering.path;
  return [
    { ...say('portal.register'), href: base + register },
    ...(demo ? [{ ...say('home.playground'), href: `${base}/playground` }] : []),
  ];
}

function begin(facts: Facts): PortalSection {
  return {
    heading: say('portal.begin'),
    sentences: [say('portal.begin.run', { page: pageAt(facts, '/developer/web-application') })],
    steps: [
      {
        ...say('portal.begin.authorize', { state: 'state', iss: 'iss', issuer: facts.issuer }),
        program: {
          ...authorizationExample(facts),
          about: [
            say('portal.begin.values', { state: 'STATE', verifier: 'VERIFIER', challenge: 'CHALLENGE' }),
            say('portal.messages.lines'),
          ],
        },
      },
      {
        ...say('portal.begin.token', { secret: `&client_secret=${codeOf('cs')}` }),
        program: tokenExample(facts),
        answer: answer('token-answer', 200, tokenAnswer(facts)),
      },
      {
        ...say('portal.begin.user'),
        program: profileExample(facts),
        answer: answer('user-answer', 200, profileAnswer),
      },
    ],
    remarks: [
      say('portal.begin.messages', { page: pageAt(facts, messages.path) }),
      say('portal.begin.refused', { console: pageAt(facts, listPath) }),
      ...(facts.demo ? [say('portal.begin.demo', { playground: pageAt(facts, '/playground') })] : []),
    ],
  };
}

const notOffered = (facts: Facts): PortalSection => ({
  heading: say('portal.not'),
  facts: [
    {
      name: term('openid, id_token'),
      about: [say('portal.not.openid', { page: pageAt(facts, '/developer/sign-in') })],
    },
    { name: term('device_code'), about: [say('portal.not.device')] },
    { name: term('client_credentials'), about: [say('portal.not.client')] },
    { name: term('token-exchange'), about: [say('portal.not.exchange')] },
    { name: term('implicit, password'), about: [say('portal.not.obsolete')] },
  ],
});

function questions(facts: Facts): PortalSection | undefined {
  const sentences = askThem(facts);
  return sentences.length === 0 ? undefined : { heading: say('portal.questions'), sentences };
}
