import { type clientMetadata, jsonTypeOf } from '../clients/client-metadata.ts';
import { ownDocuments } from '../lib/client-id.ts';
import { assertionAlgorithms, clientAlgorithms } from '../lib/client-jwt.ts';
import { methodNames, provesKey } from '../lib/client-methods.ts';
import { algorithm } from '../lib/jwt.ts';
import { chapterPath, listPath } from '../registration/console/path.ts';
import { registrationEndpoint } from '../web/endpoints.ts';
import { answer, refusalAnswer } from './example-messages.ts';
import { documentExample, registrationAnswer, registrationExample } from './examples.ts';
import type { Facts } from './facts.ts';
import type { PortalFact, PortalSection, PortalSentence, Term } from './portal.view.ts';
import { stronger } from './stronger.ts';
import { askThem, type Chapter, errorAt, linked, pageAt, say, sectionAt, term } from './words.ts';

/** What the settings of this server allow; nothing is said of what they switch off. */
export const registering: Chapter = {
  path: chapterPath,
  title: 'portal.register',
  about: 'portal.register.about',
  sections: (facts) => [
    ways(facts),
    byHand(facts),
    byItself(facts),
    answers(facts),
    byDocument(facts),
    documentRules(facts),
    members(facts),
    redirects(facts),
    kinds(facts),
    unvouched(facts),
  ],
};

/** Which way is for whom. */
function ways(facts: Facts): PortalSection | undefined {
  const isOff = facts.registration_endpoint === 'off';
  const to = (at: number) => `${facts.base}${chapterPath}#part-${at}`;
  const bullets = [
    { ...say('portal.register.way_hand'), href: to(1) },
    ...(isOff ? [] : [{ ...say('portal.register.way_itself'), href: to(2) }]),
    // the answer to a registration is a section, too
    ...(facts.client_id_documents ? [{ ...say('portal.register.way_document'), href: to(isOff ? 2 : 4) }] : []),
  ];
  return bullets.length > 1 ? { sentences: [say('portal.register.ways')], bullets } : undefined;
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

const redirects = (facts: Facts): PortalSection => ({
  heading: say('register.redirects'),
  sentences: [say('portal.register.site')],
  bullets: [
    say('portal.register.site_hand'),
    ...(facts.registration_endpoint === 'off' ? [] : [say('portal.register.site_itself')]),
    ...(facts.client_id_documents ? [say('portal.register.site_document')] : []),
  ],
  facts: [
    { name: term('https://app.example/callback'), about: [say('portal.register.https')] },
    { name: term('http://localhost:8080/callback'), about: [say('portal.register.local', { localhost: 'localhost' })] },
    { name: term('http://127.0.0.1/callback, http://[::1]/callback'), about: [say('portal.register.loopback')] },
    { name: term('com.example.app:/callback'), about: [say('portal.register.scheme', { site: 'example.com' })] },
  ],
  remarks: [say('portal.register.exact', { localhost: 'localhost' })],
});

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
    sentences: [say(isOpen ? 'portal.register.itself_open' : 'portal.register.itself_token', { address })],
    programs: [registrationExample(facts)],
  };
}

/** What an application learns when it has registered. */
function answers(facts: Facts): PortalSection | undefined {
  if (facts.registration_endpoint === 'off') return undefined;
  const requests = { get: 'GET', put: 'PUT', delete: 'DELETE' };
  return {
    sentences: [say('portal.register.answer')],
    facts: [
      { name: term('client_id, client_id_issued_at'), about: [say('portal.register.answer_id')] },
      {
        name: term('client_secret, client_secret_expires_at'),
        about: [say('portal.register.answer_secret', { never: '0' })],
      },
      {
        name: term('registration_access_token, registration_client_uri'),
        about: [say('portal.register.answer_token', requests)],
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
      answer('registration-answer', 201, registrationAnswer(facts), say('portal.register.answer_shortened')),
      answer(
        'registration-refusal',
        400,
        refusalAnswer(facts, 'invalid_redirect_uri', 'redirect_uris: not https (URI 1)'),
        say('portal.register.itself_refusal'),
      ),
    ],
  };
}

type Metadata = keyof typeof clientMetadata.shape;

/** The texts of all members that this server reads; members with the same text share a row. */
const memberTexts = {
  redirect_uris: 'redirects',
  client_name: 'name',
  token_endpoint_auth_method: 'method',
  token_endpoint_auth_methods_supported: 'methods',
  grant_types: 'grants',
  response_types: 'types',
  scope: 'scope',
  authorization_details_types: 'choices',
  client_uri: 'links',
  logo_uri: 'links',
  policy_uri: 'links',
  tos_uri: 'links',
  jwks: 'keys',
  jwks_uri: 'keys',
  tls_client_auth_subject_dn: 'certificate',
  tls_client_auth_san_dns: 'certificate',
  dpop_bound_access_tokens: 'bound',
  tls_client_certificate_bound_access_tokens: 'bound_certificate',
  require_pushed_authorization_requests: 'demands',
  require_signed_request_object: 'demands',
  token_endpoint_auth_signing_alg: 'algorithms',
  request_object_signing_alg: 'algorithms',
  authorization_signed_response_alg: 'responses',
  introspection_signed_response_alg: 'responses',
} as const satisfies Record<Metadata, string>;

/** What a registration, and a metadata document, can state. */
function members(facts: Facts): PortalSection | undefined {
  if (facts.registration_endpoint === 'off' && !facts.client_id_documents) return undefined;
  const names = (Object.keys(memberTexts) as Metadata[]).filter((name) => isAccepted(facts, name));
  const texts = new Set(names.map((name) => memberTexts[name]));
  const about = aboutMembers(facts);
  return {
    heading: say('portal.register.members'),
    sentences: [
      say(hasCertificates(facts) ? 'portal.register.members_text' : 'portal.register.members_refused', {
        uris: 'redirect_uris',
      }),
      ...(facts.client_id_documents
        ? [
            say('portal.register.members_document', {
              ...{ client_id: 'client_id', method: 'token_endpoint_auth_method', none: 'none', name: 'client_name' },
            }),
          ]
        : []),
    ],
    facts: [...texts].map((text): PortalFact => {
      const named = names.filter((name) => memberTexts[name] === text);
      return {
        name: { code: named.join(', '), is_target: true },
        type: [...new Set(named.map(jsonTypeOf))].join(', '),
        about: [about[text]],
        ...(text === 'redirects' && { is_required: true }),
      };
    }),
  };
}

const hasCertificates = ({ methods }: Facts) => methods.includes('self_signed_tls_client_auth');

/** This server refuses what is for certificates, unless it accepts them. */
function isAccepted(facts: Facts, name: Metadata): boolean {
  if (name.startsWith('tls_client_auth_')) return facts.methods.includes('tls_client_auth');
  return name !== 'tls_client_certificate_bound_access_tokens' || hasCertificates(facts);
}

/** A member in the table of this page; without the table, its name. */
export const memberAt = (facts: Facts, name: Metadata): Term => ({
  code: name,
  ...(members(facts) && { href: `${facts.base}${chapterPath}#${name}` }),
});

type MemberText = (typeof memberTexts)[Metadata];

function aboutMembers(facts: Facts): Record<MemberText, PortalSentence> {
  const secret = facts.methods.find((method) => method !== 'none');
  const keyed = methodNames.filter((name) => provesKey(name) && facts.methods.includes(name)).join(', ');
  const assertions = assertionAlgorithms.filter((name) => !clientAlgorithms.some((one) => one === name)).join(', ');
  const yes = 'true';
  return {
    redirects: say('portal.register.field_redirects'),
    name: say('portal.register.field_name'),
    scope: say('portal.register.field_scope'),
    choices: say('portal.register.field_choices', { page: pageAt(facts, '/developer/choices-request') }),
    grants: say('portal.register.field_grants', { code: 'authorization_code', refresh: 'refresh_token' }),
    types: say('portal.messages.response_type', { code: 'code' }),
    method: say('portal.register.field_method', { none: 'none', secret: secret ?? '' }),
    methods: say('portal.register.field_methods'),
    keys: say('portal.register.field_keys', { methods: keyed }),
    certificate: say('portal.register.field_certificate', { method: 'tls_client_auth' }),
    bound: say('portal.register.field_bound', { yes, page: pageAt(facts, '/developer/dpop') }),
    bound_certificate: say('portal.register.field_bound_certificate', {
      ...{ yes, page: sectionAt(facts, stronger, 'portal.stronger.certificate') },
    }),
    demands: say('portal.register.field_demands', { yes, page: pageAt(facts, '/developer/stronger-security') }),
    algorithms: say('portal.register.field_algorithms', { algorithms: clientAlgorithms.join(', '), assertions }),
    responses: say('portal.register.field_responses', { algorithm }),
    links: say('portal.register.field_links'),
  };
}

function byDocument(facts: Facts): PortalSection | undefined {
  if (!facts.client_id_documents) return undefined;
  return {
    heading: say('portal.register.document'),
    sentences: [say('portal.register.document_text', { client_id: term('client_id') })],
    programs: [documentExample()],
  };
}

const documentRules = (facts: Facts): PortalSection | undefined =>
  facts.client_id_documents
    ? {
        bullets: [
          say('portal.register.document_answer', { type: 'application/json' }),
          say('portal.register.document_secret'),
          say('portal.register.document_kept', { header: 'Cache-Control' }),
          say('portal.register.document_refused', { error: errorAt(facts, 'invalid_client') }),
        ],
        remarks: [say('portal.register.document_local', { page: pageAt(facts, ownDocuments) })],
      }
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
