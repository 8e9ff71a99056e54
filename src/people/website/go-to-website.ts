import { findClient } from '../../clients/clients.sql.ts';
import { signedInUser } from '../../identity/session.ts';
import { beginElsewhere } from '../../identity/started-sign-in.ts';
import { isClientId } from '../../lib/client-id.ts';
import { type Parameters, parseForm } from '../../lib/parameters.ts';
import { readPrompt } from '../../lib/prompt.ts';
import type { Website } from '../../lib/website.ts';
import { type Wishes, websiteRequest, websiteRequestType } from '../../lib/website-request.ts';
import { type AuthorizationPage, carriedQuery, queryOf, requestOf } from '../../oauth/authorize/authorization-page.ts';
import { requiredSignIn } from '../../oauth/authorize/missing-sign-in.ts';
import { readLoginHint } from '../../oauth/authorize/sign-in-parameters.ts';
import { sign } from '../../oauth/token/signing-keys.ts';
import { redirectToWebsite } from '../../web/answers.ts';
import { traceOf } from '../../web/request-log.ts';

/** What the answer of the website must be, kept here and not taken from the website. */
export interface ExpectedAnswer {
  dialect: AuthorizationPage['dialect'];
  nonce: string;
  login: boolean;
  max_age: number | null;
}

/** Sends the browser to the provider's website, with one signed request, so that the person signs in there. */
export async function sendToWebsite(page: AuthorizationPage, website: Website): Promise<void> {
  const { deps, req, res, dialect } = page;
  const { parameters } = await requestOf(page);
  const wishes = await wishesOf(page, parameters);
  const login = wishes.prompt?.split(' ').includes('login') === true;
  const detail = { dialect, login, max_age: wishes.max_age ?? null };
  const nonce = await beginElsewhere(page, { source: 'website', query: carriedQuery(page), detail });
  const claims = websiteRequest(deps.config.issuer, website, nonce, wishes);
  redirectToWebsite(res, website, await sign(deps, claims, websiteRequestType, traceOf(req, res)));
}

/** Returns the parameters of the authorization request that say how the person should sign in, and the name of the application. */
async function wishesOf(page: AuthorizationPage, parameters: Parameters): Promise<Wishes> {
  const { client_id, login_hint, acr_values } = parameters;
  const { level, max_age } = await requiredSignIn(page);
  const client = typeof client_id === 'string' && isClientId(client_id) ? client_id : undefined;
  const found = client === undefined ? undefined : await findClient(page.deps.database, client);
  const { ui_locales } = parseForm(queryOf(page));
  return {
    client_id: found && client,
    client_name: found?.name,
    prompt: promptFor(page, parameters),
    max_age,
    acr_values: wordsOf(acr_values ?? (level && page.deps.config.acr_names[level - 1])),
    login_hint: readLoginHint(login_hint),
    ui_locales: wordsOf(ui_locales),
  };
}

/** Returns the prompt for the website: a new proof for a person who is signed in already and comes without an application. */
function promptFor(page: AuthorizationPage, { client_id, prompt }: Parameters): string | undefined {
  const asked = typeof prompt === 'string' ? readPrompt(prompt) : undefined;
  const isAgain = client_id === undefined && signedInUser(page.req) !== undefined;
  const isOther = parseForm(queryOf(page))['other'] !== undefined;
  const values = [
    ...(asked?.has('login') || isAgain ? ['login'] : []),
    ...(asked?.has('select_account') || isOther ? ['select_account'] : []),
  ];
  return values.length > 0 ? values.join(' ') : undefined;
}

const wordsOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w:./-]{1,100}( [\w:./-]{1,100}){0,9}$/.test(value) ? value : undefined;
