import { readFlag } from '../../lib/flag.ts';
import { objectIn, type ProviderMetadata } from '../../lib/provider-metadata.ts';
import type { ProviderFetch } from './provider-fetch.ts';
import type { ProviderPerson } from './provider-person.ts';
import type { Provider } from './providers.sql.ts';

// GitHub has no ID tokens: the person is whom its API says the access token belongs to.

/** The metadata of GitHub, whose addresses are fixed, at github.com and at a GitHub Enterprise Server. */
export function githubMetadata({ issuer }: Provider): ProviderMetadata {
  const oauth = `${issuer}/login/oauth`;
  return {
    issuer: oauth,
    authorization_endpoint: `${oauth}/authorize`,
    token_endpoint: `${oauth}/access_token`,
    jwks_uri: `${oauth}/no-keys`,
  };
}

const apiOf = (issuer: string) => (issuer === 'https://github.com' ? 'https://api.github.com' : `${issuer}/api/v3`);

/** Reads to whom the access token belongs; or throws why that is not known. A login can be given to somebody else, the number cannot. */
export async function readGithubPerson(
  { issuer, people }: Provider,
  access_token: string,
  fetch: ProviderFetch,
): Promise<ProviderPerson | string> {
  const headers = { authorization: `Bearer ${access_token}`, accept: 'application/json' };
  const answer = await fetch(`${apiOf(issuer)}/user`, { headers });
  const user = answer.status === 200 ? objectIn(await answer.text()) : undefined;
  const id = user?.['id'];
  if (!Number.isSafeInteger(id) || Number(id) <= 0) return 'its API does not say whose the token is';
  const emails = people === 'created' ? await fetch(`${apiOf(issuer)}/user/emails`, { headers }) : undefined;
  const email = emails?.status === 200 ? primaryAddress(await emails.text()) : undefined;
  const { login, name } = user ?? {};
  return {
    issuer,
    subject: String(id),
    auth_time: undefined,
    at_provider: undefined,
    username: typeof login === 'string' ? login : undefined,
    name: typeof name === 'string' ? name : undefined,
    email,
    email_verified: email !== undefined,
  };
}

/** Finds the primary address, if it is verified. */
function primaryAddress(body: string): string | undefined {
  const listed = objectIn(`{"emails":${body}}`)?.['emails'];
  if (!Array.isArray(listed)) return undefined;
  const found = listed.find(
    (one) => one?.primary === true && readFlag(one.verified) === true && typeof one.email === 'string',
  );
  return found?.email;
}
