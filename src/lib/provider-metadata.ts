/** What this server uses of the metadata of an OpenID provider [OpenID Discovery §3]. */
export interface ProviderMetadata {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  jwks_uri: string;
  userinfo_endpoint?: string;
  /** [9207 §3] */
  authorization_response_iss_parameter_supported?: boolean;
}

const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const;
type Endpoint = (typeof endpoints)[number];

/** Returns where a provider publishes its metadata [OpenID Discovery §4]. */
export function discoveryUri(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/** What a provider may name as its issuer: exactly what was registered, or the pattern of all tenants where they share it. */
interface Expected {
  issuer: string;
  issuers: readonly string[];
}

/** Reads the metadata in a document; or returns why the document is not used, to continue a sentence about the provider. */
export function readProviderMetadata(document: string, expected: Expected): ProviderMetadata | string {
  const members = objectIn(document);
  if (!members) return 'its metadata is not a JSON object';
  const { issuer } = members;
  if (typeof issuer !== 'string' || !namesOf(expected).includes(issuer)) return 'its metadata names another issuer';
  for (const name of endpoints) {
    const isLeftOut = name === 'userinfo_endpoint' && members[name] === undefined;
    if (!isLeftOut && !isEndpoint(members[name], expected))
      return `the ${name} in its metadata is missing or not an https URL`;
  }
  const named = endpoints.filter((name) => members[name] !== undefined);
  // each address in the one spelling in which it is requested, and which can be stored
  const used = named.map((name) => [name, new URL(String(members[name])).href]);
  const announces_iss = members['authorization_response_iss_parameter_supported'] === true;
  return { issuer, ...Object.fromEntries(used), authorization_response_iss_parameter_supported: announces_iss };
}

/** The issuers that tenants of Entra share, in whose metadata a placeholder stands for the tenant. */
const sharedTenant = /\/(common|organizations|consumers)\/v2\.0$/;

function namesOf({ issuer, issuers }: Expected): readonly string[] {
  const isShared = !issuers.includes(issuer);
  return isShared ? [issuer.replace(sharedTenant, '/{tenantid}/v2.0'), ...issuers] : [issuer];
}

/**
 * Whether an address may be an endpoint; it may lack https only where its issuer is on this machine: another issuer must not choose
 * which program here is asked.
 */
function isEndpoint(value: unknown, { issuer }: Expected): boolean {
  if (typeof value !== 'string' || value.length > 500 || !URL.canParse(value)) return false;
  const { protocol, hostname, username, password, hash } = new URL(value);
  const isSecure =
    protocol === 'https:' ||
    (protocol === 'http:' && issuer.startsWith('http:') && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname));
  return isSecure && username === '' && password === '' && hash === '';
}

export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the hosts of all endpoints, with their ports if the addresses name them. */
export function endpointHosts(metadata: { [name in Endpoint]?: string | undefined }): string[] {
  const hosts = endpoints.flatMap((name) => metadata[name] ?? []).map((uri) => new URL(uri).host);
  return [...new Set(hosts)];
}

/** Whether a provider can have this name; migrations/functions/register_provider.sql has the same rule. */
export const isProviderName = (name: unknown): name is string =>
  typeof name === 'string' && /^[a-z0-9][a-z0-9-]{0,31}$/.test(name);
