import { ownDocuments } from '../lib/client-id.ts';
import { chapterPath, listPath } from '../registration/console/path.ts';
import { registrationEndpoint } from '../web/endpoints.ts';
import { answer, refusalAnswer } from './example-messages.ts';
import { documentExample, registrationAnswer, registrationExample } from './examples.ts';
import type { Facts } from './facts.ts';
import type { PortalFact, PortalSection } from './portal.view.ts';
import { askThem, type Chapter, linked, pageAt, say, term } from './words.ts';

/** What the settings of this server allow; nothing is said of what they switch off. */
export const registering: Chapter = {
  path: chapterPath,
  title: 'portal.register',
  about: 'portal.register.about',
  sections: (facts) => [
    ways(facts),
    byHand(facts),
    byItself(facts),
    byDocument(facts),
    localDocument(facts),
    redirects,
    kinds(facts),
    unvouched(facts),
  ],
};

/** What readers use, by what they build; nothing is left to choose where there is only one way. */
function ways(facts: Facts): PortalSection | undefined {
  const ways = [
    { way: byHand(facts), use: say('portal.register.use_hand') },
    { way: byItself(facts), use: say('portal.register.use_itself') },
    { way: byDocument(facts), use: say('portal.register.use_document') },
  ].filter(({ way }) => way !== undefined);
  if (ways.length === 1) return undefined;
  return {
    facts: ways.map(({ way, use }) => ({ name: { ...say('portal.register'), ...way?.heading }, about: [use] })),
  };
}

function byHand(facts: Facts): PortalSection {
  const form = pageAt(facts, `${listPath}/new`);
  const byWhom = {
    open: [say('portal.register.open', { console: pageAt(facts, listPath) }), say('portal.register.needs')],
    admins: [say('portal.register.admins'), say('portal.register.form_admins', { form })],
    off: [say('portal.register.off')],
  }[facts.registration];
  return {
    heading: say('portal.register.console'),
    sentences: [...byWhom, ...(facts.registration === 'open' ? [] : askThem(facts))],
    ...(facts.registration === 'open' && { actions: [{ ...say('portal.register'), href: form.href }] }),
  };
}

const redirects: PortalSection = {
  heading: say('register.redirects'),
  facts: [
    { name: term('https://app.example/callback'), about: [say('portal.register.https', { site: 'app.example' })] },
    { name: term('http://localhost:8080/callback'), about: [say('portal.register.local', { localhost: 'localhost' })] },
    { name: term('http://127.0.0.1/callback, http://[::1]/callback'), about: [say('portal.register.loopback')] },
    { name: term('com.example.app:/callback'), about: [say('portal.register.scheme', { site: 'example.com' })] },
  ],
  remarks: [say('portal.register.exact', { ipv4: '127.0.0.1', ipv6: '[::1]', localhost: 'localhost' })],
};

const kinds = ({ methods }: Facts): PortalSection => ({
  heading: say('portal.register.kinds'),
  bullets: [
    say('portal.register.confidential', { methods: methods.filter((method) => method !== 'none').join(', ') }),
    say('portal.register.public'),
  ],
});

function byItself(facts: Facts): PortalSection | undefined {
  const address = registrationEndpoint(facts);
  if (address === undefined) return undefined;
  const isOpen = facts.registration_endpoint === 'open';
  return {
    heading: say('portal.register.itself'),
    sentences: [
      say(isOpen ? 'portal.register.itself_open' : 'portal.register.itself_token', { address }),
      say('portal.register.itself_answer', { status: '201', client_id: 'client_id', client_secret: 'client_secret' }),
      say('portal.register.itself_refused', {
        uri: errorAt(facts, 'invalid_redirect_uri'),
        rest: errorAt(facts, 'invalid_client_metadata'),
        description: 'error_description',
      }),
      say('portal.register.itself_keep', {
        ...{ token: 'registration_access_token', uri: 'registration_client_uri' },
        ...{ get: 'GET', put: 'PUT', delete: 'DELETE' },
      }),
    ],
    facts: membersOf(facts),
    remarks: isOpen ? [say('portal.register.itself_limit', { page: pageAt(facts, '/developer/errors') })] : [],
    programs: [
      registrationExample(facts),
      answer('registration-answer', 201, registrationAnswer(facts)),
      answer(
        'registration-refusal',
        400,
        refusalAnswer(facts, 'invalid_redirect_uri', 'redirect_uris: not https (URI 1)'),
        say('portal.register.itself_refusal', { uri: 'http://app.example/callback' }),
      ),
    ],
  };
}

/** What a registration can state. */
function membersOf({ methods }: Facts): PortalFact[] {
  const [secret, ...others] = methods.filter((method) => method !== 'none');
  const method = { none: 'none', secret: secret ?? '', others: others.join(', ') };
  const grants = { code: 'authorization_code', refresh: 'refresh_token' };
  return [
    { name: term('redirect_uris'), about: [say('portal.register.field_redirects')], is_required: true },
    { name: term('client_name'), about: [say('portal.register.field_name')], is_required: false },
    {
      name: term('token_endpoint_auth_method'),
      about: [say('portal.register.field_method', method)],
      is_required: false,
    },
    { name: term('grant_types'), about: [say('portal.register.field_grants', grants)], is_required: false },
    { name: term('scope'), about: [say('portal.register.field_scope')], is_required: false },
    {
      name: term('client_uri, logo_uri, policy_uri, tos_uri'),
      about: [say('portal.register.field_links')],
      is_required: false,
    },
  ];
}

function byDocument(facts: Facts): PortalSection | undefined {
  if (!facts.client_id_documents) return undefined;
  return {
    heading: say('portal.register.document'),
    sentences: [say('portal.register.document_text', { client_id: term('client_id') })],
    bullets: [
      say('portal.register.document_id', { client_id: 'client_id' }),
      say('portal.register.document_answer', { type: 'application/json' }),
      say('portal.register.document_secret'),
      say('portal.register.document_uris'),
      say('portal.register.document_kept', { header: 'Cache-Control' }),
      say('portal.register.document_refused', { error: errorAt(facts, 'invalid_client') }),
    ],
    programs: [documentExample()],
  };
}

const errorAt = ({ base }: Facts, code: string) => ({ code, href: `${base}/errors/${code}` });

const localDocument = (facts: Facts): PortalSection | undefined =>
  facts.client_id_documents
    ? { sentences: [say('portal.register.document_local', { page: pageAt(facts, ownDocuments) })] }
    : undefined;

/** What applies to every application that comes without an administrator. */
const unvouched = (facts: Facts): PortalSection | undefined =>
  facts.registration_endpoint === 'off' && !facts.client_id_documents
    ? undefined
    : {
        heading: say('portal.register.strangers'),
        bullets: [
          say('portal.register.unvouched'),
          say('portal.register.cors', { localhost: 'localhost' }),
          ...(facts.support_url === undefined
            ? [say('portal.register.vouch')]
            : [say('portal.register.vouch_ask', { support: linked(facts.support_url) })]),
        ],
      };
