import { ownDocuments } from '../lib/client-id.ts';
import { chapterPath, listPath } from '../registration/console/path.ts';
import { registrationEndpoint } from '../web/endpoints.ts';
import { answer } from './example-messages.ts';
import { documentExample, registrationAnswer, registrationExample } from './examples.ts';
import type { Facts } from './facts.ts';
import type { PortalSection } from './portal.view.ts';
import { askThem, type Chapter, pageAt, say, term } from './words.ts';

/** What the settings of this server allow; nothing is said of what they switch off. */
export const registering: Chapter = {
  path: chapterPath,
  title: 'portal.register',
  about: 'portal.register.about',
  sections: (facts) => [
    byHand(facts),
    byItself(facts),
    byDocument(facts),
    localDocument(facts),
    redirects,
    kinds(facts),
    unvouched(facts),
  ],
};

function byHand(facts: Facts): PortalSection {
  const form = pageAt(facts, `${listPath}/new`);
  const byWhom = {
    open: [say('portal.register.open', { console: pageAt(facts, listPath) }), say('portal.register.needs')],
    admins: [say('portal.register.admins'), say('portal.register.form_admins', { form })],
    off: [say('portal.register.off')],
  }[facts.registration];
  return {
    heading: say('portal.register.console'),
    sentences: [say('portal.register.use_hand'), ...byWhom, ...(facts.registration === 'open' ? [] : askThem(facts))],
    ...(facts.registration === 'open' && { actions: [{ ...say('portal.register'), href: form.href }] }),
  };
}

const redirects: PortalSection = {
  heading: say('register.redirects'),
  sentences: [say('portal.register.https', { https: 'https' })],
  bullets: [
    say('portal.register.local', { http: 'http', localhost: 'localhost' }),
    say('portal.register.loopback'),
    say('portal.register.scheme', { scheme: 'com.example.app:/callback', site: 'example.com' }),
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
      say('portal.register.use_itself'),
      say(isOpen ? 'portal.register.itself_open' : 'portal.register.itself_token', { address }),
      say('portal.register.itself_answer', { status: '201', client_id: 'client_id', client_secret: 'client_secret' }),
      say('portal.register.itself_keep', {
        ...{ token: 'registration_access_token', uri: 'registration_client_uri' },
        ...{ get: 'GET', put: 'PUT', delete: 'DELETE' },
      }),
    ],
    programs: [registrationExample(facts), answer('registration-answer', 201, registrationAnswer(facts))],
  };
}

function byDocument(facts: Facts): PortalSection | undefined {
  if (!facts.client_id_documents) return undefined;
  return {
    heading: say('portal.register.document'),
    sentences: [
      say('portal.register.use_document'),
      say('portal.register.document_text', { client_id: term('client_id') }),
    ],
    programs: [documentExample()],
  };
}

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
        sentences: [
          say('portal.register.unvouched'),
          ...askThem(facts),
          say('portal.register.audience', { aud: 'aud', issuer: facts.issuer }),
        ],
      };
