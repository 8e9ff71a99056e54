import { clientMetadata, harmlessScopes, jsonTypeOf } from '../clients/client-metadata.ts';
import { assertionAlgorithms, clientAlgorithms } from '../lib/client-jwt.ts';
import { methodNames, provesKey } from '../lib/client-methods.ts';
import { algorithm } from '../lib/jwt.ts';
import { writeScope } from '../lib/scope.ts';
import type { TextKey } from '../web/texts.ts';
import { hasCertificates } from './client-authentication.ts';
import type { Facts } from './facts.ts';
import type { PortalFact, PortalSection, PortalSentence, Term } from './portal.view.ts';
import { registering } from './registering.ts';
import { stronger } from './stronger.ts';
import { type Chapter, pageAt, say, sectionAt } from './words.ts';

/** Every field that an application can state about itself; told where applications state any. */
export const fields: Chapter = {
  path: '/developer/registration-fields',
  title: 'portal.fields',
  about: 'portal.fields.about',
  isTold: ({ registration_endpoint, client_id_documents }) => registration_endpoint !== 'off' || client_id_documents,
  sections: (facts) =>
    fields.isTold?.(facts) ? [rules(facts), ...groups.map((group) => table(facts, group))] : [elsewhere(facts)],
};

const elsewhere = (facts: Facts): PortalSection => ({
  sentences: [say('portal.fields.where', { page: pageAt(facts, registering.path) })],
});

type Member = keyof typeof clientMetadata.shape;

/** The texts of all members that this server reads. */
const identity = {
  redirect_uris: 'redirects',
  client_name: 'name',
  client_uri: 'homepage',
  logo_uri: 'logo',
  policy_uri: 'policy',
  tos_uri: 'terms',
} as const;
const requests = {
  scope: 'scope',
  grant_types: 'grants',
  response_types: 'types',
  authorization_details_types: 'choices',
} as const;
const authentication = {
  token_endpoint_auth_method: 'method',
  token_endpoint_auth_methods_supported: 'methods',
  jwks: 'keys',
  jwks_uri: 'keys_uri',
  token_endpoint_auth_signing_alg: 'assertions',
  tls_client_auth_subject_dn: 'subject',
  tls_client_auth_san_dns: 'host',
} as const;
const demands = {
  dpop_bound_access_tokens: 'bound',
  tls_client_certificate_bound_access_tokens: 'bound_certificate',
  require_pushed_authorization_requests: 'pushed',
  require_signed_request_object: 'signed',
  request_object_signing_alg: 'signing',
  authorization_signed_response_alg: 'response',
  introspection_signed_response_alg: 'introspection',
} as const;

const memberTexts = { ...identity, ...requests, ...authentication, ...demands } satisfies Record<Member, string>;
type MemberText = (typeof memberTexts)[Member];

interface Group {
  heading: TextKey;
  members: Partial<Record<Member, MemberText>>;
  /** what holds for several of them */
  remark?: PortalSentence;
}

const groups: readonly Group[] = [
  { heading: 'portal.fields.identity', members: identity, remark: say('portal.fields.links') },
  { heading: 'portal.fields.requests', members: requests },
  { heading: 'portal.fields.authentication', members: authentication },
  { heading: 'portal.fields.demands', members: demands },
];

/** What holds for all fields. */
const rules = (facts: Facts): PortalSection => ({
  sentences: [
    say(hasCertificates(facts) ? 'portal.fields.text' : 'portal.fields.refused', { uris: 'redirect_uris' }),
    ...(facts.client_id_documents ? [say('portal.fields.document', { client_id: 'client_id' })] : []),
    say('portal.fields.example', {
      page: sectionAt(
        facts,
        registering,
        facts.registration_endpoint === 'off' ? 'portal.register.document' : 'portal.register.itself',
      ),
    }),
  ],
});

function table(facts: Facts, { heading, members, remark }: Group): PortalSection {
  const names = (Object.keys(members) as Member[]).filter((name) => isAccepted(facts, name));
  const about = aboutMembers(facts);
  return {
    heading: say(heading),
    facts: names.map((name): PortalFact => {
      const type = jsonTypeOf(name);
      const fact = { name: { code: name, is_target: true }, about: [about[memberTexts[name]]] };
      return {
        ...{ ...fact, type: type === 'array' ? 'array of strings' : type },
        ...(name === 'redirect_uris' ? { is_required: true } : { details: [defaultOf(facts, name)] }),
      };
    }),
    ...(remark && { remarks: [remark] }),
  };
}

/** This server refuses what is for certificates, unless it accepts them. */
function isAccepted(facts: Facts, name: Member): boolean {
  if (name.startsWith('tls_client_auth_')) return facts.methods.includes('tls_client_auth');
  return name !== 'tls_client_certificate_bound_access_tokens' || hasCertificates(facts);
}

const defaults: Partial<Record<Member, PortalSentence>> = {
  authorization_details_types: say('portal.fields.default_choices'),
  token_endpoint_auth_methods_supported: say('portal.fields.default_methods', { method: 'token_endpoint_auth_method' }),
  jwks: say('portal.fields.default_keys'),
  jwks_uri: say('portal.fields.default_keys'),
  token_endpoint_auth_signing_alg: say('portal.fields.default_any'),
  request_object_signing_alg: say('portal.fields.default_any'),
  authorization_signed_response_alg: say('portal.fields.default', { value: algorithm }),
  introspection_signed_response_alg: say('portal.fields.default', { value: algorithm }),
};

/** What counts where an application does not state a field. */
function defaultOf({ client_id_documents, catalogue }: Facts, name: Member): PortalSentence {
  if (name === 'client_name')
    return say(client_id_documents ? 'portal.fields.default_name_document' : 'portal.fields.default_name');
  if (name === 'scope') {
    const scopes = writeScope(catalogue, harmlessScopes(catalogue));
    return scopes === '' ? say('portal.fields.default_scope') : say('portal.fields.default_scopes', { scopes });
  }
  const value = `${clientMetadata.shape[name].safeParse(undefined).data ?? ''}`;
  if (value === '') return defaults[name] ?? say('portal.fields.default_none');
  if (name === 'token_endpoint_auth_method' && client_id_documents)
    return say('portal.fields.default_document', { value, other: 'none' });
  return say('portal.fields.default', { value });
}

/** A field in its table; where the table is not told, its name. */
export const memberAt = (facts: Facts, name: Member): Term => ({
  code: name,
  ...(fields.isTold?.(facts) && { href: `${facts.base}${fields.path}#${name}` }),
});

function aboutMembers(facts: Facts): Record<MemberText, PortalSentence> {
  const keyed = methodNames.filter((name) => provesKey(name) && facts.methods.includes(name)).join(', ');
  const yes = 'true';
  return {
    redirects: say('portal.fields.redirects', { page: sectionAt(facts, registering, 'register.redirects') }),
    name: say('portal.fields.name'),
    homepage: say('portal.fields.homepage'),
    logo: say('portal.fields.logo'),
    policy: say('portal.fields.policy'),
    terms: say('portal.fields.terms'),
    scope: say('portal.fields.scope', { page: pageAt(facts, '/developer/reference') }),
    grants: say('portal.fields.grants', { code: 'authorization_code', refresh: 'refresh_token' }),
    types: say('portal.fields.types', { code: 'code' }),
    choices: say('portal.fields.choices', {
      details: 'authorization_details',
      page: pageAt(facts, '/developer/choices-request'),
    }),
    method: say('portal.fields.method', {
      methods: facts.methods.join(', '),
      page: sectionAt(facts, registering, 'portal.register.kinds'),
    }),
    methods: say('portal.fields.methods', { none: 'none', method: 'token_endpoint_auth_method' }),
    keys: say('portal.fields.keys', { methods: keyed }),
    keys_uri: say('portal.fields.keys_uri', { jwks: 'jwks' }),
    assertions: say('portal.fields.assertions', { algorithms: assertionAlgorithms.join(', ') }),
    subject: say('portal.fields.subject', { method: 'tls_client_auth', other: 'tls_client_auth_san_dns' }),
    host: say('portal.fields.host', { other: 'tls_client_auth_subject_dn' }),
    bound: say('portal.fields.bound', { yes, page: pageAt(facts, '/developer/dpop') }),
    bound_certificate: say('portal.fields.bound_certificate', {
      ...{ yes, page: sectionAt(facts, stronger, 'portal.stronger.bind') },
      dpop: 'dpop_bound_access_tokens',
    }),
    pushed: say('portal.fields.pushed', { yes, page: sectionAt(facts, stronger, 'portal.stronger.par') }),
    signed: say('portal.fields.signed', { yes, page: sectionAt(facts, stronger, 'portal.stronger.signed') }),
    signing: say('portal.fields.signing', { algorithms: clientAlgorithms.join(', ') }),
    response: say('portal.fields.signed_response', {
      ...{ algorithm, mode: 'response_mode', jwt: 'jwt', query: 'query.jwt', form: 'form_post.jwt' },
    }),
    introspection: say('portal.fields.signed_introspection', {
      ...{ algorithm, accept: 'Accept: application/token-introspection+jwt' },
    }),
  };
}
