import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { askedProof, provePerson, shownProof } from '../../identity/fresh-proof.ts';
import { forPerson, type SignedInPage } from '../../identity/person.ts';
import { showStopped } from '../../identity/stopped-sign-in.ts';
import { refuseTooBusy } from '../../identity/too-busy.ts';
import { OAuthError } from '../../lib/errors.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { isProviderName } from '../../lib/provider-metadata.ts';
import { digestOf } from '../../lib/secrets.ts';
import { beginAtProvider, providerProblem } from '../../people/providers/begin-provider-sign-in.ts';
import { findProvider, type Provider } from '../../people/providers/providers.sql.ts';
import { redirectToProvider } from '../../web/answers.ts';
import { formProblem } from '../../web/form-key.ts';
import { renderView } from '../../web/render.ts';
import { bodyParameters } from '../../web/request-parameters.ts';
import type { Views } from '../../web/views/views.ts';

type Data = Views['account-connect'];
type Refusal = { status: number } & NonNullable<Data['problem']>;

/** Says what it means to connect an account of another server, and asks for the password. */
export const showConnect = (deps: Deps): RequestHandler =>
  forPerson(deps, async (page) => renderConnect(page, await providerOf(page)));

/** Sends the person to the other server. The password comes first, so that a stranger at an unlocked browser gets no way in that stays. */
export const connectProvider = (deps: Deps): RequestHandler =>
  forPerson(deps, async (page) => {
    const provider = await providerOf(page);
    const form = bodyParameters(page.req);
    const problem = formProblem(page, form);
    const refusal = problem ? { status: 403, name: problem } : await refusalOf(page, form).catch(refuseTooBusy(page));
    if (refusal) return renderConnect(page, provider, refusal);
    return goOn(page, provider);
  });

async function providerOf({ deps, req }: SignedInPage): Promise<Provider> {
  const { name } = req.params;
  const provider = isProviderName(name) ? await findProvider(deps.database, name) : undefined;
  if (!provider) throw new OAuthError('not_found', 'there is no such provider');
  return provider;
}

async function refusalOf(page: SignedInPage, form: Parameters): Promise<Refusal | undefined> {
  if (page.user.is_admin) return { status: 403, name: 'form_expired' };
  const proof = await provePerson(page, askedProof(form, 'connecting an account'));
  return 'name' in proof ? proof : undefined;
}

async function renderConnect(page: SignedInPage, provider: Provider, refusal?: Refusal): Promise<void> {
  const { deps, viewer, csrf } = page;
  const data = {
    viewer,
    csrf,
    action: `${deps.config.base}/account/connect/${provider.name}`,
    title: provider.title,
    by_operator: page.user.is_admin,
    proof: shownProof(page, `/account/connect/${provider.name}`),
    problem: refusal,
  };
  renderView(page, 'account-connect', data, refusal?.status);
}

/** Goes on to the provider, whose answer counts for this session only. */
async function goOn(page: SignedInPage, provider: Provider): Promise<void> {
  const { deps, req, res, user } = page;
  const link = { user_id: user.user_id, session: digestOf(req.sessionID).toString('base64url') };
  try {
    const start = { link, max_age: undefined, dialect: 'rfc' as const };
    return redirectToProvider(res, await beginAtProvider(page, provider, { query: '', prompt: undefined, start }));
  } catch (error) {
    const retry = { href: `${deps.config.base}/account`, label: 'back.account' as const };
    showStopped(page, { ...providerProblem(error, provider), provider: provider.title, retry });
  }
}
