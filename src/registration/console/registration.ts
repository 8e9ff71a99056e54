import type { Client } from '../../clients/clients.sql.ts';
import type { FormValues } from '../../identity/form-origin.ts';
import type { OwnerRegistration } from '../../lib/client-members.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { reasonForScope, type ScopeCatalogue } from '../../lib/scope.ts';
import { permissionGroups } from '../../oauth/consent/permission-groups.ts';
import { fieldOf } from '../../web/request-parameters.ts';
import type { ApplicationForm, FormPermission } from './developer.view.ts';

type Use = Pick<FormPermission, 'use' | 'reason'>;

/** The registration form as it was typed, valid or not. */
export interface TypedRegistration {
  name: string;
  site_domain: string;
  homepage_uri: string;
  logo_uri: string;
  policy_uri: string;
  tos_uri: string;
  redirect_uris: string;
  uses: ReadonlyMap<string, Use>;
}

export const emptyRegistration: TypedRegistration = {
  name: '',
  site_domain: '',
  homepage_uri: '',
  logo_uri: '',
  policy_uri: '',
  tos_uri: '',
  redirect_uris: '',
  uses: new Map(),
};

/** Returns the scopes of the form, for the catalogue with which it is read. */
export const scopesOfForm = (form: Parameters): string =>
  Object.keys(form)
    .flatMap((name) => (name.startsWith('use:') ? name.slice(4) : []))
    .join(' ');

export function readRegistration(form: Parameters, catalogue: ScopeCatalogue): TypedRegistration {
  const useOf = (scope: string): Use => {
    const use = fieldOf(form, `use:${scope}`);
    const reason = fieldOf(form, `reason:${scope}`).replaceAll(/\s+/g, ' ').trim().slice(0, 200);
    return { use: use === 'optional' || use === 'required' ? use : 'no', reason };
  };
  return {
    name: fieldOf(form, 'name').trim(),
    site_domain: fieldOf(form, 'site_domain').trim().toLowerCase(),
    homepage_uri: fieldOf(form, 'homepage_uri').trim(),
    logo_uri: fieldOf(form, 'logo_uri').trim(),
    policy_uri: fieldOf(form, 'policy_uri').trim(),
    tos_uri: fieldOf(form, 'tos_uri').trim(),
    redirect_uris: fieldOf(form, 'redirect_uris'),
    uses: new Map(catalogue.map(({ name }) => [name, useOf(name)])),
  };
}

/** Returns the registration of a client as the form shows it. */
export function typedRegistration(client: Client): TypedRegistration {
  const { name, site_domain, redirect_uris, scopes, required_scopes, scope_reasons } = client;
  const useOf = (scope: string): Use => ({
    use: required_scopes.includes(scope) ? 'required' : 'optional',
    reason: reasonForScope(scope_reasons, scope) ?? '',
  });
  return {
    name,
    site_domain,
    homepage_uri: client.homepage_uri ?? '',
    logo_uri: client.logo_uri ?? '',
    policy_uri: client.policy_uri ?? '',
    tos_uri: client.tos_uri ?? '',
    redirect_uris: redirect_uris.join('\n'),
    uses: new Map(scopes.map((scope) => [scope, useOf(scope)])),
  };
}

/** Returns the registration that the form describes; the database validates it. */
export function registrationOf(typed: TypedRegistration): OwnerRegistration {
  const used = [...typed.uses].filter(([, { use }]) => use !== 'no');
  return {
    name: typed.name,
    site_domain: typed.site_domain || null,
    redirect_uris: urisOf(typed),
    scopes: used.map(([scope]) => scope),
    required_scopes: used.filter(([, { use }]) => use === 'required').map(([scope]) => scope),
    homepage_uri: typed.homepage_uri || null,
    logo_uri: typed.logo_uri || null,
    policy_uri: typed.policy_uri || null,
    tos_uri: typed.tos_uri || null,
    scope_reasons: Object.fromEntries(
      used.filter(([, { reason }]) => reason !== '').map(([scope, use]) => [scope, use.reason]),
    ),
  };
}

/** Returns the redirection URIs of a form, each once. */
export const urisOf = ({ redirect_uris }: Pick<TypedRegistration, 'redirect_uris'>): string[] => [
  ...new Set(
    redirect_uris
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

/** Returns the values of the form, as they are compared with what is stored. The reason of a scope that is not requested is ignored. */
export function registrationValues(typed: TypedRegistration, catalogue: ScopeCatalogue): FormValues {
  const { uses, ...texts } = typed;
  const used = catalogue.map(({ name }) => {
    const { use, reason } = uses.get(name) ?? { use: 'no', reason: '' };
    return [`use:${name}`, use === 'no' ? [use] : [use, reason]];
  });
  return { ...texts, redirect_uris: urisOf(typed), ...Object.fromEntries(used) };
}

/** Returns the form with these values: the inverse of registrationValues. */
export function registrationFrom(values: FormValues, catalogue: ScopeCatalogue): TypedRegistration {
  const text = (name: keyof TypedRegistration) => String(values[name]);
  const uses = catalogue.map(({ name }): [string, Use] => {
    const [use, reason = ''] = values[`use:${name}`] as [Use['use'], string?];
    return [name, { use, reason }];
  });
  return {
    name: text('name'),
    site_domain: text('site_domain'),
    homepage_uri: text('homepage_uri'),
    logo_uri: text('logo_uri'),
    policy_uri: text('policy_uri'),
    tos_uri: text('tos_uri'),
    redirect_uris: (values['redirect_uris'] as string[]).join('\n'),
    uses: new Map(uses),
  };
}

export function registrationForm(
  action: string,
  { uses, ...typed }: TypedRegistration,
  catalogue: ScopeCatalogue,
  problems: ApplicationForm['problems'],
): ApplicationForm {
  const groups = permissionGroups(catalogue, ({ name, sentence, sentences }): FormPermission => {
    return { scope: name, sentence, sentences, ...(uses.get(name) ?? { use: 'no', reason: '' }) };
  });
  return { action, ...typed, groups, problems };
}

/** Returns a client_id with a readable part, from the name, and a unique part, from the digest of the ticket. */
export function createClientId(name: string, ticket_sha256: Buffer): string {
  const slug = name
    // a longer name is refused; normalizing a name takes time in proportion to the square of its length
    .slice(0, 200)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return `${slug.slice(0, 40).replace(/-$/, '') || 'app'}-${ticket_sha256.toString('hex', 0, 5)}`;
}
