import { isPublic } from '../../clients/client.ts';
import { supportedMethods } from '../../clients/client-certificate.ts';
import { typedKeySet } from '../../clients/client-metadata.ts';
import type { Client } from '../../clients/clients.sql.ts';
import type { Deps } from '../../deps.ts';
import type { FormValues } from '../../identity/form-origin.ts';
import {
  type ClientSecurity,
  clientMembers,
  type PlainMember,
  plainMembers,
  type SecurityMember,
} from '../../lib/client-members.ts';
import { clientMethods, methodNames } from '../../lib/client-methods.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { hasPrivateKey } from '../../web/kept-form.ts';
import { fieldOf } from '../../web/request-parameters.ts';
import type { SecurityForm, SecurityMethod, SecurityProfile, TokenBinding } from './security.view.ts';

/** A client may send its secret in both ways, so the form has one choice for them. */
const methods = methodNames.filter((name): name is SecurityMethod => name !== 'client_secret_post');
const profiles: readonly SecurityProfile[] = ['standard', 'fapi2'];
const bindings: readonly TokenBinding[] = ['any', 'dpop', 'certificate', 'mac'];

const isBox = (name: PlainMember) => clientMembers[name].type === 'boolean';
const choices = plainMembers.flatMap((name) => {
  const { values } = clientMembers[name];
  return values ? [{ name, values: ['any', ...values] }] : [];
});
const isChoice = (name: PlainMember) => choices.some((choice) => choice.name === name);

const needing = (name: SecurityMember) => methods.filter((method) => clientMethods[method].needs?.includes(name));

export const shownFields = ['profile', 'token_endpoint_auth_method', 'jwks', 'token_binding', ...plainMembers] as const;
/** What is kept of the form when the session has ended. */
export const securityFields = new RegExp(`^(preset|${shownFields.join('|')})$`);

/** What the button of FAPI 2.0 fills in, which saves nothing. */
const fapi2 = {
  profile: 'fapi2',
  token_endpoint_auth_method: 'private_key_jwt',
  token_binding: 'dpop',
  require_pushed_authorization_requests: true,
} as const;
export const isFilledIn = (form: Parameters) => fieldOf(form, 'preset') === 'fapi2';

/** Returns what a form offers to a client: what this server can do, and what is registered although the server cannot do it now. */
export function offersFor({ config }: Deps, client: Client) {
  const known: readonly string[] = supportedMethods(config);
  const { token_endpoint_auth_method, token_binding } = formOf(client);
  // a client that authenticates cannot become public, see migrations/functions/change_client.sql
  const offered = methods.filter(
    (one) => one === token_endpoint_auth_method || (known.includes(one) && (one !== 'none' || isPublic(client))),
  );
  return {
    methods: offered,
    needs: Object.fromEntries(methods.map((method) => [method, clientMethods[method].needs?.[0]])),
    bindings: bindings.filter((one) => one === token_binding || one !== 'certificate' || config.takes_certificates),
    texts: plainMembers.filter(
      (name) =>
        !isBox(name) &&
        !isChoice(name) &&
        (needing(name).length === 0 || needing(name).some((method) => offered.includes(method))),
    ),
    boxes: plainMembers.filter(isBox),
    choices,
  };
}

/** Returns the method that the form shows. */
function methodOf({ secrets_sha256, token_endpoint_auth_method }: Client): SecurityMethod {
  if (secrets_sha256.length > 0) return 'client_secret_basic';
  return methods.find((one) => one === token_endpoint_auth_method) ?? 'none';
}

type Plain = Pick<SecurityForm, PlainMember>;
const plainForm = (read: (name: PlainMember) => string | boolean | null) =>
  Object.fromEntries(plainMembers.map((name) => [name, read(name)])) as unknown as Plain;

/** Returns the form that shows what is registered. */
export function formOf(client: Client): SecurityForm {
  return {
    profile: client.profile ?? 'standard',
    token_endpoint_auth_method: methodOf(client),
    jwks: client.jwks === null ? '' : JSON.stringify(client.jwks, null, 2),
    token_binding: client.token_binding,
    ...plainForm((name) => client[name] ?? (isChoice(name) ? 'any' : '')),
  };
}

/** Reads the form as it was typed, and filled in; a choice that it does not offer changes nothing. */
export function readSecurity(deps: Deps, client: Client, form: Parameters): SecurityForm {
  const registered = formOf(client);
  const offered = offersFor(deps, client);
  const chosen = <Value extends string>(name: keyof SecurityForm, values: readonly Value[], otherwise: Value) =>
    values.find((one) => one === fieldOf(form, name)) ?? otherwise;
  const text = (name: keyof SecurityForm) => fieldOf(form, name).trim();
  const plain = plainForm((name) => {
    const choice = choices.find((one) => one.name === name);
    if (choice) return chosen(name, choice.values, String(registered[name]));
    return isBox(name) ? text(name) === 'true' : text(name);
  });
  return {
    ...plain,
    profile: chosen('profile', profiles, registered.profile),
    token_endpoint_auth_method: chosen(
      'token_endpoint_auth_method',
      offered.methods,
      registered.token_endpoint_auth_method,
    ),
    jwks: text('jwks'),
    tls_client_auth_san_dns: plain.tls_client_auth_san_dns.toLowerCase(),
    token_binding: chosen('token_binding', offered.bindings, registered.token_binding),
    ...(isFilledIn(form) && fapi2),
  };
}

/** Returns the values of the form, as they are compared with what is stored: keys by their members, however they are written. */
export const securityValues = (form: SecurityForm): FormValues => ({ ...form, jwks: typedKeySet(form.jwks) });

/** Returns the form with these values: the inverse of securityValues. */
export function securityFrom(values: FormValues): SecurityForm {
  const { jwks } = values;
  const text = typeof jwks === 'string' ? jwks : jwks === null ? '' : JSON.stringify(jwks, null, 2);
  return { ...(values as SecurityForm), jwks: text };
}

export const withoutPrivateKey = <Form extends { jwks: string }>(form: Form): Form =>
  hasPrivateKey(form.jwks) ? { ...form, jwks: '' } : form;

/** Returns the security that the form describes; the database validates it. */
export function securityOf(client: Client, typed: SecurityForm): ClientSecurity {
  const { token_endpoint_auth_method: method, token_binding } = typed;
  return {
    ...plainForm((name) => (['', 'any'].includes(String(typed[name])) ? null : typed[name])),
    token_endpoint_auth_method: method === methodOf(client) ? client.token_endpoint_auth_method : method,
    jwks: typedKeySet(typed.jwks),
    dpop_bound_access_tokens: token_binding === 'dpop',
    tls_client_certificate_bound_access_tokens: token_binding === 'certificate',
    profile: typed.profile === 'standard' ? null : typed.profile,
    token_type: token_binding === 'mac' ? 'mac' : 'bearer',
  };
}
