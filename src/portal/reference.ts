import { jwtMaxTtl } from '../catalogue/resources.sql.ts';
import { freeProofs } from '../clients/client.ts';
import { freeSelfRegistrations } from '../clients/self-registration.ts';
import { freeFailures } from '../identity/failed-authentications.ts';
import { type ErrorCode, errorStatus } from '../lib/errors.ts';
import { ownScopes, profileFieldNames, profileFields, profileScopes, usernameScope } from '../lib/profile.ts';
import type { Permission, ScopeCatalogue } from '../lib/scope.ts';
import { pushedRequestTtl } from '../oauth/authorize/pushed-request.ts';
import type { Claim } from '../oauth/claims/claims.sql.ts';
import { familyLifetimes } from '../oauth/token/authorization-codes.sql.ts';
import { authorizationEndpoint, calledEndpoints, registrationEndpoint } from '../web/endpoints.ts';
import { refusalExample } from './example-messages.ts';
import type { Facts } from './facts.ts';
import type { PortalSection, PortalSentence } from './portal.view.ts';
import { type Chapter, duration, isTextKey, pageAt, say, term } from './words.ts';

export const reference: Chapter = {
  path: '/developer/reference',
  title: 'portal.reference',
  about: 'portal.reference.about',
  sections: (facts) => [scopes(facts), resources(facts), endpoints(facts), lifetimes(facts)],
};

export const errors: Chapter = {
  path: '/developer/errors',
  title: 'portal.errors',
  about: 'portal.errors.about',
  sections: (facts) => [
    {
      heading: say('portal.messages.refusal'),
      sentences: [
        say('portal.messages.refusal_text', { user: '/user', header: 'WWW-Authenticate' }),
        say('portal.errors.text', { uri: 'error_uri', request: 'request_id', id: 'X-Request-Id' }),
      ],
      programs: [refusalExample(facts)],
    },
    ...errorGroups.map(({ also, codes, ...section }) => ({
      ...section,
      remarks: also && [alsoHappen(facts, also)],
      facts: codes.map((code) => ({
        name: { code, href: `${facts.base}/errors/${code}` },
        about: [term(String(errorStatus[code])), say(meaningOf(code)), ...actionsFor(facts, code)],
        behind: causesOf(facts, code),
      })),
    })),
    ...limits(facts),
  ],
};

/** The errors by the endpoint at which developers meet them first. */
const errorGroups: readonly (Pick<PortalSection, 'heading' | 'anchor' | 'sentences'> & {
  /** which errors of other groups happen here, too, and their status where it is another */
  also?: { codes: readonly ErrorCode[]; status?: string };
  codes: readonly ErrorCode[];
})[] = [
  {
    heading: say('portal.errors.at', { paths: '/authorize, /par' }),
    anchor: 'authorize',
    sentences: [
      say('portal.errors.browser', {
        ...{ authorize: '/authorize', par: '/par' },
        parameters: 'error, error_description, error_uri, state, iss',
      }),
    ],
    also: { codes: ['invalid_client', 'unauthorized_client'] },
    codes: [
      ...(['access_denied', 'invalid_scope', 'invalid_target', 'invalid_authorization_details'] as const),
      ...(['unsupported_response_type', 'login_required', 'consent_required'] as const),
      ...(['unmet_authentication_requirements', 'request_not_supported'] as const),
      ...(['invalid_request_uri', 'invalid_request_object'] as const),
    ],
  },
  {
    heading: say('portal.errors.at', { paths: '/token, /introspect, /revoke' }),
    anchor: 'token',
    also: { codes: ['invalid_scope', 'invalid_target', 'invalid_authorization_details'] },
    codes: [
      ...(['invalid_grant', 'invalid_client', 'unauthorized_client', 'unsupported_grant_type'] as const),
      ...(['unsupported_token_type', 'invalid_dpop_proof', 'use_dpop_nonce'] as const),
    ],
  },
  {
    heading: say('portal.errors.apis', { path: '/user' }),
    also: { codes: ['invalid_dpop_proof', 'use_dpop_nonce'], status: '401' },
    codes: ['invalid_token', 'insufficient_scope', 'insufficient_user_authentication'],
  },
  {
    heading: say('portal.errors.at', { paths: '/register' }),
    anchor: 'register',
    codes: ['invalid_redirect_uri', 'invalid_client_metadata'],
  },
  {
    heading: say('portal.errors.everywhere'),
    codes: [
      ...(['invalid_request', 'not_found', 'method_not_allowed'] as const),
      ...(['too_many_requests', 'server_error', 'temporarily_unavailable'] as const),
    ],
  },
];

function alsoHappen({ base }: Facts, { codes, status }: { codes: readonly ErrorCode[]; status?: string }) {
  const linked = { code: codes.join(', '), each_at: `${base}/errors/` };
  return status === undefined
    ? say('portal.errors.also', { codes: linked })
    : say('portal.errors.also_as', { codes: linked, status });
}

/** The page of the error is also about pages of this server that are not for everybody. */
const meaningOf = (code: ErrorCode) =>
  code === 'access_denied' ? 'portal.errors.denied' : (`explained.${code}.meaning` as const);

/** What to do at once, where the meaning does not say it. */
function actionsFor({ dpop_nonce }: Facts, code: ErrorCode): PortalSentence[] {
  if (code === 'invalid_grant') return [say('portal.errors.again', { authorize: '/authorize' })];
  if (code === 'invalid_redirect_uri') return [say('portal.errors.rule')];
  if (code === 'use_dpop_nonce' && dpop_nonce) return [say('portal.errors.nonce')];
  return [];
}

/** The sentences of the page of the error, each cause with its remedy; but for causes in what is switched off. */
function causesOf(
  { registration_endpoint, client_id_documents, dpop_nonce }: Facts,
  code: ErrorCode,
): PortalSentence[] {
  const registers = registration_endpoint !== 'off';
  const isOn: Partial<Record<string, boolean>> = {
    invalid_redirect_uri: registers,
    invalid_client_metadata: registers,
    use_dpop_nonce: dpop_nonce,
    'invalid_client.cause.4': client_id_documents,
  };
  return [1, 2, 3, 4]
    .map((number) => `${code}.cause.${number}`)
    .filter((cause) => isOn[code] !== false && isOn[cause] !== false)
    .flatMap((cause) => [`explained.${cause}`, `explained.${cause.replace('cause', 'fix')}`])
    .filter(isTextKey)
    .map((key) => say(key));
}

function scopes(facts: Facts): PortalSection {
  const { catalogue, claims, registration_endpoint, client_id_documents } = facts;
  const areStrangers = registration_endpoint !== 'off' || client_id_documents;
  return {
    heading: say('portal.scopes'),
    sentences: [
      say('portal.scopes.text'),
      ...parents(catalogue),
      ...(areStrangers ? [say('portal.scopes.strangers')] : []),
    ],
    facts: catalogue.map((permission) => ({
      name: term(permission.name),
      about: [
        { permission: { scope: permission.name, sentence: permission.sentence, sentences: permission.sentences } },
      ],
      details: [...fields(permission, claims), ...uses(permission, facts), ...demands(permission)],
    })),
  };
}

/** The first group that has several scopes stands for all groups. */
export function parents(catalogue: ScopeCatalogue): PortalSentence[] {
  const group = firstGroup(catalogue);
  return group === undefined ? [] : [say('portal.scopes.parent', group)];
}

export function firstGroup(catalogue: ScopeCatalogue): { group: string; members: string } | undefined {
  const group = catalogue.find(({ name, group_name }) => name !== group_name)?.group_name;
  const members = catalogue.filter(({ group_name }) => group_name === group).map(({ name }) => name);
  return group === undefined ? undefined : { group, members: members.join(' ') };
}

/** What `/user` tells whoever has it. */
export const fieldsOf = ({ name }: Permission, claims: readonly Claim[]): string[] => [
  ...(name === usernameScope ? ['username'] : []),
  ...profileFieldNames.filter((field) => profileFields[field].scope === name),
  ...(name === profileFields.email.scope ? ['email_verified'] : []),
  ...claims.filter(({ scope }) => scope === name).map((claim) => claim.name),
];

function fields(permission: Permission, claims: readonly Claim[]): PortalSentence[] {
  const names = fieldsOf(permission, claims);
  return names.length === 0 ? [] : [say('portal.scopes.fields', { fields: names.join(', ') })];
}

/** Which address of this server it opens, and which resources know it. */
function uses({ name }: Permission, facts: Facts): PortalSentence[] {
  const { userinfo_endpoint } = calledEndpoints(facts);
  const isShown = profileScopes.includes(name) || facts.claims.some(({ scope }) => scope === name);
  const method = isShown ? 'GET' : ownScopes.includes(name) ? 'PATCH' : undefined;
  const known = facts.resources.filter(({ scopes }) => scopes.includes(name)).map(({ resource }) => resource);
  if (!method && known.length === 0) return [say('portal.scopes.elsewhere')];
  return [
    ...(method ? [say('portal.scopes.opens', { addresses: `${method} ${userinfo_endpoint}` })] : []),
    ...(known.length > 0 ? [say('portal.scopes.at', { resources: known.join(', ') })] : []),
  ];
}

function demands({ name, group_name, changes, acr, max_age }: Permission): PortalSentence[] {
  return [
    ...(group_name === name ? [] : [say('portal.scopes.group', { group: group_name })]),
    ...(changes ? [say('portal.scopes.changes')] : []),
    ...(acr === 2 && max_age === null ? [say('portal.scopes.factors')] : []),
    ...(max_age === null
      ? []
      : [say(acr === 2 ? 'portal.scopes.recent_factors' : 'portal.scopes.recent', { time: duration(max_age) })]),
  ];
}

function resources({ resources: found }: Facts): PortalSection {
  return {
    heading: say('portal.resources'),
    sentences: [
      ...(found.length === 0 ? [] : [say('portal.resources.text', { resource: 'resource' })]),
      say('portal.resources.public'),
    ],
    facts: found.map(({ resource, scopes: known, token_format }) => ({
      name: term(resource),
      about: [
        say('portal.resources.scopes', { scopes: known.join(', ') }),
        ...(token_format === 'jwt' ? [say('portal.resources.jwt')] : []),
      ],
    })),
  };
}

function endpoints(facts: Facts): PortalSection {
  const { issuer } = facts;
  const registration_endpoint = registrationEndpoint(facts);
  const addresses = {
    issuer,
    authorization_endpoint: authorizationEndpoint(facts),
    ...calledEndpoints(facts),
    ...(registration_endpoint !== undefined && { registration_endpoint }),
    jwks_uri: `${issuer}/jwks`,
  };
  return {
    heading: say('portal.endpoints'),
    facts: Object.entries(addresses).map(([name, address]) => ({
      name: term(name),
      about: [term(address)],
      copied_id: name,
    })),
    sentences: [
      say('portal.endpoints.text', { metadata: pageAt(facts, '/.well-known/oauth-authorization-server') }),
      say('portal.endpoints.github', {
        authorize: `${issuer}/login/oauth/authorize`,
        token: `${issuer}/login/oauth/access_token`,
        api: `${issuer}/api/v3`,
      }),
    ],
  };
}

function lifetimes({
  authorization_code_ttl,
  access_token_ttl,
  refresh_token_ttl,
  refresh_grace,
}: Facts): PortalSection {
  const row = (name: PortalSentence, seconds: number) => ({ name, about: [term(duration(seconds))] });
  return {
    heading: say('portal.lifetimes'),
    facts: [
      row(say('token_history.authorization_code'), authorization_code_ttl),
      row(say('token_history.access_token'), access_token_ttl),
      row(say('portal.lifetimes.signed'), Math.min(access_token_ttl, jwtMaxTtl)),
      row(say('portal.lifetimes.refresh'), refresh_token_ttl),
      row(say('portal.lifetimes.family'), refresh_token_ttl * familyLifetimes),
      row(say('portal.lifetimes.grace'), refresh_grace),
      row(say('portal.lifetimes.pushed', { member: 'request_uri' }), pushedRequestTtl),
    ],
  };
}

/** Two groups: limits that count failures only, and limits that count every request. */
function limits({ registration_endpoint, client_id_documents }: Facts): PortalSection[] {
  const row = (name: PortalSentence, free: number) => ({
    name,
    about: [say('portal.limits.free', { free: String(free) })],
  });
  const areStrangers = registration_endpoint !== 'off' || client_id_documents;
  const counted = [
    ...(areStrangers
      ? [row(say('portal.limits.proofs'), freeProofs), row(say('portal.limits.pushed'), freeProofs)]
      : []),
    ...(registration_endpoint === 'open' ? [row(say('portal.limits.registrations'), freeSelfRegistrations)] : []),
  ];
  return [
    {
      heading: say('portal.limits'),
      sentences: [say('portal.limits.text', { status: '429', header: 'Retry-After' })],
      facts: [
        row(say('portal.limits.credentials'), freeFailures.credential),
        row(say('portal.limits.tokens'), freeFailures['access token']),
      ],
    },
    ...(counted.length > 0 ? [{ sentences: [say('portal.limits.others')], facts: counted }] : []),
  ];
}
