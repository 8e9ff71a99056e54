import { ownDocuments } from '../lib/client-id.ts';
import { chapterPath, listPath } from '../registration/console/path.ts';
import { registrationEndpoint } from '../web/endpoints.ts';
import { clientAuthentication } from './client-authentication.ts';
import { answer, refusalAnswer } from './example-messages.ts';
import { changeExample, documentExample, registrationAnswer, registrationExample } from './examples.ts';
import type { Facts } from './facts.ts';
import { messages } from './messages.ts';
import type { PortalSection } from './portal.view.ts';
import { askThem, type Chapter, errorAt, linked, pageAt, say, sectionAt, term } from './words.ts';

/** What the settings of this server allow; nothing is said of what they switch off. */
export const registering: Chapter = {
  path: chapterPath,
  title: 'portal.register',
  about: 'portal.register.about',
  sections: (facts) => [
    begins(facts),
    byHand(facts),
    byItself(facts),
    answers(facts),
    manages(facts),
    byDocument(facts),
    documentRules(facts),
    kinds(facts),
    sites(facts),
    redirects,
    unvouched(facts),
  ],
};

/** Whether an application can come without an administrator. */
const hasStrangers = ({ registration, registration_endpoint, client_id_documents }: Facts) =>
  registration === 'open' || registration_endpoint !== 'off' || client_id_documents;

/** What to know before. */
const begins = (facts: Facts): PortalSection =>
  hasStrangers(facts)
    ? {
        sentences: [
          say('portal.register.scripts', { page: sectionAt(facts, registering, 'portal.register.strangers') }),
        ],
      }
    : {};

function byHand(facts: Facts): PortalSection {
  const form = pageAt(facts, `${listPath}/new`);
  const byWhom = {
    open: [say('portal.register.open', { console: pageAt(facts, listPath) }), say('portal.register.needs')],
    admins: [say('portal.register.admins'), say('portal.register.form_admins', { form })],
    off: [say('portal.register.off')],
  }[facts.registration];
  return {
    heading: say('portal.register.console'),
    sentences: [say('portal.register.way_hand'), ...byWhom, ...(facts.registration === 'open' ? [] : askThem(facts))],
    ...(facts.registration === 'open' && { actions: [{ ...say('portal.register'), href: form.href }] }),
  };
}

const schemeOf = { scheme: 'com.example.app:/callback', host: 'app.example.com' };

const sites = (facts: Facts): PortalSection => ({
  heading: say('portal.register.site'),
  sentences: [say('portal.register.site_is', { site: 'app.example' })],
  bullets: [
    say('portal.register.site_hand'),
    ...(facts.registration_endpoint === 'off'
      ? []
      : [say('portal.register.site_itself', { ...schemeOf, localhost: 'localhost' })]),
    ...(facts.client_id_documents ? [say('portal.register.site_document')] : []),
  ],
});

const redirects: PortalSection = {
  heading: say('register.redirects'),
  facts: [
    { name: term('https://app.example/callback'), about: [say('portal.register.https', { localhost: 'localhost' })] },
    {
      name: term('http://127.0.0.1/callback, http://[::1]/callback, http://localhost/callback'),
      about: [say('portal.register.loopback', { localhost: 'localhost' })],
    },
    { name: term(schemeOf.scheme), about: [say('portal.register.scheme', { site: schemeOf.host })] },
  ],
  remarks: [say('portal.register.exact', { ip: '127.0.0.1', ipv6: '[::1]', localhost: 'localhost' })],
};

/** The values of one field, each with the page that explains it. */
function kinds(facts: Facts): PortalSection {
  const pages = {
    none: say('portal.register.method_none', { page: sectionAt(facts, messages, 'portal.messages.authorize') }),
    'client_secret_basic, client_secret_post': say('portal.register.method_secret', {
      page: sectionAt(facts, messages, 'portal.messages.token'),
    }),
    private_key_jwt: say('portal.register.method_key', {
      page: sectionAt(facts, clientAuthentication, 'portal.client.key'),
    }),
    tls_client_auth: say('portal.register.method_authority', {
      page: sectionAt(facts, clientAuthentication, 'portal.client.certificate'),
    }),
    self_signed_tls_client_auth: say('portal.register.method_certificate', {
      page: sectionAt(facts, clientAuthentication, 'portal.client.certificate'),
    }),
  };
  return {
    heading: say('portal.register.kinds'),
    sentences: [
      say('portal.register.confidential'),
      say('portal.register.public'),
      say('portal.register.methods', { method: 'token_endpoint_auth_method' }),
    ],
    facts: Object.entries(pages)
      .filter(([names]) => names.split(', ').some((name) => facts.methods.includes(name)))
      .map(([names, about]) => ({ name: term(names), about: [about] })),
  };
}

function byItself(facts: Facts): PortalSection | undefined {
  const address = registrationEndpoint(facts);
  if (address === undefined) return undefined;
  const isOpen = facts.registration_endpoint === 'open';
  return {
    heading: say('portal.register.itself'),
    sentences: [
      say('portal.register.way_itself'),
      say(isOpen ? 'portal.register.itself_open' : 'portal.register.itself_token', { address }),
    ],
    programs: [
      registrationExample(facts),
      answer('registration-answer', 201, registrationAnswer(facts), say('portal.register.answer_shortened')),
    ],
  };
}

/** What an application learns when it has registered. */
function answers(facts: Facts): PortalSection | undefined {
  if (facts.registration_endpoint === 'off') return undefined;
  return {
    sentences: [say('portal.register.answer', { page: pageAt(facts, '/developer/registration-fields') })],
    facts: [
      { name: term('client_id, client_id_issued_at'), about: [say('portal.register.answer_id')] },
      {
        name: term('client_secret, client_secret_expires_at'),
        about: [say('portal.register.answer_secret', { never: '0' })],
      },
      {
        name: term('registration_access_token, registration_client_uri'),
        about: [say('portal.register.answer_token')],
      },
    ],
    remarks: [
      say('portal.register.itself_refused', {
        uri: errorAt(facts, 'invalid_redirect_uri'),
        rest: errorAt(facts, 'invalid_client_metadata'),
        description: 'error_description',
      }),
    ],
    programs: [
      answer(
        'registration-refusal',
        400,
        refusalAnswer(facts, 'invalid_redirect_uri', 'redirect_uris: not https (URI 1)'),
        say('portal.register.itself_refusal'),
      ),
    ],
  };
}

/** The requests by which an application manages its registration [7592]. */
function manages(facts: Facts): PortalSection | undefined {
  if (facts.registration_endpoint === 'off') return undefined;
  return {
    heading: say('portal.register.manage'),
    sentences: [
      say('portal.register.manage_text', { uri: 'registration_client_uri', token: 'registration_access_token' }),
    ],
    facts: [
      { name: term('GET'), about: [say('portal.register.manage_read')] },
      {
        name: term('PUT'),
        about: [
          say('portal.register.manage_replace', {
            ...{ client_id: 'client_id', scope: 'scope', method: 'token_endpoint_auth_method' },
            ...{ basic: 'client_secret_basic', post: 'client_secret_post' },
          }),
        ],
      },
      { name: term('DELETE'), about: [say('portal.register.manage_delete', { status: '204' })] },
    ],
    remarks: [
      say('portal.register.manage_token', { token: 'registration_access_token' }),
      say('portal.register.manage_refused', { token: errorAt(facts, 'invalid_token') }),
    ],
    programs: [changeExample()],
  };
}

function byDocument(facts: Facts): PortalSection | undefined {
  if (!facts.client_id_documents) return undefined;
  return {
    heading: say('portal.register.document'),
    sentences: [
      say('portal.register.way_document'),
      say('portal.register.document_text', { client_id: 'client_id' }),
      say('portal.register.document_send', { client_id: 'client_id' }),
    ],
    programs: [documentExample()],
  };
}

const documentRules = (facts: Facts): PortalSection | undefined =>
  facts.client_id_documents
    ? {
        bullets: [
          say('portal.register.document_fields', { client_id: 'client_id' }),
          ...(facts.registration_endpoint === 'off'
            ? [say('portal.register.fields', { page: pageAt(facts, '/developer/registration-fields') })]
            : []),
          say('portal.register.document_answer', { type: 'application/json' }),
          say('portal.register.document_kept', { header: 'Cache-Control' }),
          say('portal.register.document_refused', { error: errorAt(facts, 'invalid_client') }),
        ],
        remarks: [say('portal.register.document_local', { page: pageAt(facts, ownDocuments) })],
      }
    : undefined;

/** What applies to every application that comes without an administrator. */
const unvouched = (facts: Facts): PortalSection | undefined =>
  !hasStrangers(facts)
    ? undefined
    : {
        heading: say('portal.register.strangers'),
        sentences: [say('portal.register.until_vouched')],
        bullets: [say('developer.unvouched_consent'), say('developer.unvouched_errors'), say('portal.register.cors')],
        remarks: [
          facts.support_url === undefined
            ? say('portal.register.vouch')
            : say('portal.register.vouch_ask', { support: linked(facts.support_url) }),
        ],
      };
