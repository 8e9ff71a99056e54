import { listPath } from '../registration/console/path.ts';
import { authorizationEndpoint, calledEndpoints } from '../web/endpoints.ts';
import type { Facts } from './facts.ts';
import type { PortalSection } from './portal.view.ts';
import { askThem, type Chapter, pageAt, say, term } from './words.ts';

/** The first page, which leads to all others. */
export const startOf = (others: readonly Chapter[]): Chapter => ({
  path: '/developer',
  title: 'portal.title',
  about: 'portal.about',
  sections: (facts) => [
    { sentences: [say('portal.about')] },
    begin(facts),
    {
      heading: say('portal.tasks'),
      facts: others.map(({ path, title, about }) => ({
        name: { ...say(title), href: facts.base + path },
        about: [say(about)],
      })),
    },
    notOffered(facts),
    {
      heading: say('portal.machines'),
      facts: [
        {
          name: pageAt(facts, '/.well-known/oauth-authorization-server'),
          about: [say('home.metadata_text')],
        },
        { name: pageAt(facts, '/openapi.json'), about: [say('home.openapi_text')] },
        { name: pageAt(facts, '/developer/docs.txt'), about: [say('portal.plain')] },
      ],
    },
    questions(facts),
  ],
});

function begin(facts: Facts): PortalSection {
  const { token_endpoint, userinfo_endpoint } = calledEndpoints(facts);
  return {
    heading: say('portal.begin'),
    steps: [
      say('portal.begin.register', { page: pageAt(facts, '/developer/register') }),
      say('portal.begin.task'),
      say('portal.begin.flow', {
        authorize: authorizationEndpoint(facts),
        token: token_endpoint,
        user: userinfo_endpoint,
      }),
      say('portal.begin.refused', { console: pageAt(facts, listPath) }),
      ...(facts.demo ? [say('portal.begin.demo', { playground: pageAt(facts, '/playground') })] : []),
    ],
  };
}

const notOffered = (facts: Facts): PortalSection => ({
  heading: say('portal.not'),
  facts: [
    {
      name: term('OpenID Connect'),
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
