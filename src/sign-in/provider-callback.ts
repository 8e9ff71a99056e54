import type { RequestHandler } from 'express';
import { audit, logEvent, recordChange } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import type { StoppedSignIn } from '../identity/identity.view.ts';
import { sessionsVersionOf, signedInUser, unknownTime } from '../identity/session.ts';
import { forgetStart, returnFromElsewhere } from '../identity/started-sign-in.ts';
import { showStopped } from '../identity/stopped-sign-in.ts';
import { namesOfView } from '../identity/view/view-accounts.ts';
import { OAuthError } from '../lib/errors.ts';
import { ownNames } from '../lib/own-names.ts';
import { isProviderName } from '../lib/provider-metadata.ts';
import { digestOf } from '../lib/secrets.ts';
import { type AuthorizationPage, requestOf } from '../oauth/authorize/authorization-page.ts';
import { readAuthorizationRequest } from '../oauth/authorize/authorization-request.ts';
import { beginProviderSession } from '../people/leaving/provider-sessions.sql.ts';
import {
  type ProviderDetail,
  personOf,
  providerProblem,
  sourceOf,
} from '../people/providers/begin-provider-sign-in.ts';
import {
  enterByIdentity,
  isIdentityOfUser,
  linkIdentity,
  type PersonOfProvider,
} from '../people/providers/identities.sql.ts';
import { stop } from '../people/providers/provider.ts';
import type { ProviderPerson } from '../people/providers/provider-person.ts';
import { findProviderPerson, returnAddress } from '../people/providers/provider-sign-in.ts';
import { findProvider, type Provider } from '../people/providers/providers.sql.ts';
import { redirectWithin } from '../web/answers.ts';
import { clientAddress, traceOf } from '../web/request-log.ts';
import { queryParameters, rawQuery } from '../web/request-parameters.ts';
import { completeSignIn } from './sign-in.ts';

/** The page to which a provider sends the browser back [6749 §4.1.2]. Each provider has an address of its own [9700 §4.4]. */
export const returnFromProvider =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const name = String(req.params['name']);
    const page = { deps, req, res, dialect: 'rfc' as const, query: '' };
    const { state } = queryParameters(req);
    const isReadable = typeof state === 'string' && isProviderName(name);
    const started = isReadable ? await returnFromElsewhere(page, sourceOf(name), state) : undefined;
    if (!isReadable || !started) {
      const reason = 'state unknown, used, expired or of another browser or provider';
      return stop(page, { title: '' }, { problem: 'sign_in_lost', reason });
    }
    const detail = started.detail as unknown as ProviderDetail;
    const back = { ...page, dialect: detail.dialect, query: started.query };
    const times = { began_at: started.started_at, now: started.taken_at };
    const provider = await findProvider(deps.database, name);
    if (provider?.issuer !== detail.issuer) {
      const reason = `provider ${name} disabled, or another issuer by now`;
      return stop(back, { title: name }, { problem: 'provider_gone', reason });
    }
    return answer(back, provider, { detail, state, ...times });
  };

interface Return {
  detail: ProviderDetail;
  state: string;
  began_at: number;
  now: number;
}

async function answer(page: AuthorizationPage, provider: Provider, returned: Return): Promise<void> {
  const { detail, state, began_at, now } = returned;
  const { deps, req } = page;
  const { nonce, code_verifier, max_age, link } = detail;
  const url = new URL(`${returnAddress(deps, provider.name)}?${rawQuery(req)}`);
  const request = { state, nonce, code_verifier, max_age };
  const question = { answer: url, request, began_at, now };
  const person = await findProviderPerson(deps, provider, question).catch((error: unknown) => {
    return providerProblem(error, provider);
  });
  if ('problem' in person) {
    if (link) return stopConnecting(page, provider, person);
    if (person.problem === 'cancelled') await tellClient(page);
    return refuse(page, provider, person);
  }
  const known = personOf(provider, person);
  return link ? connect(page, provider, { link, person: known }) : enter(page, provider, { person, known });
}

/** Answers an application whose user has refused at the provider, as after a refusal here. */
async function tellClient(page: AuthorizationPage): Promise<void> {
  const sent = await requestOf(page);
  if (sent.parameters['client_id'] === undefined) return;
  const requester = { dialect: page.dialect, user_id: signedInUser(page.req), address: clientAddress(page.req) };
  const { target } = await readAuthorizationRequest(page.deps, sent, requester);
  throw new OAuthError('access_denied', 'the person has cancelled the sign-in', { target });
}

async function refuse(
  page: AuthorizationPage,
  provider: Provider,
  stopped: { problem: StoppedSignIn; reason: string },
): Promise<void> {
  const { deps, req, res } = page;
  const detail = `${sourceOf(provider.name)}: ${stopped.problem}`;
  await audit(deps, traceOf(req, res), { event: 'sign_in_refused', detail });
  return stop(page, provider, stopped);
}

interface Proven {
  person: ProviderPerson;
  known: PersonOfProvider;
}

async function enter(page: AuthorizationPage, provider: Provider, { person, known }: Proven): Promise<void> {
  const { deps, req, res } = page;
  const of_view = await namesOfView(deps, [...known.usernames, known.email]);
  const foreign = { own: ownNames(deps.config), of_view };
  const { outcome, user_id, is_new } = await enterByIdentity(deps.database, known, foreign, traceOf(req, res));
  if (outcome !== 'entered') {
    return refuse(page, provider, { problem: outcome, reason: `provider ${provider.name}: ${outcome}` });
  }
  if (is_new) logEvent(deps, traceOf(req, res), { event: 'user_registered', user_id, detail: known.provider });
  const { at_provider, issuer } = person;
  const provider_session_id =
    at_provider && (await beginProviderSession(deps.database, { user_id, issuer, ...at_provider }));
  if (provider_session_id === null) {
    const reason = `provider ${provider.name}: it has ended this sign-in meanwhile`;
    return refuse(page, provider, { problem: 'ended_there', reason });
  }
  await forgetStart(page);
  const { auth_time = unknownTime, acr, amr } = person;
  const source = sourceOf(provider.name);
  const proof = { user_id, methods: ['provider' as const], auth_time, acr, amr, source, provider_session_id };
  return completeSignIn(page, proof);
}

interface Connecting {
  link: NonNullable<ProviderDetail['link']>;
  person: PersonOfProvider;
}

/** Connects the identity with the account in whose session the connecting began, and with no other. */
async function connect(page: AuthorizationPage, provider: Provider, { link, person }: Connecting): Promise<void> {
  const { deps, req, res } = page;
  const isSameSession = digestOf(req.sessionID).toString('base64url') === link.session;
  if (signedInUser(req) !== link.user_id || !isSameSession) {
    return stopConnecting(page, provider, { problem: 'connect_lost', reason: 'the session has changed' });
  }
  const { user_id } = link;
  const event = { event: 'identity_linked', user_id, detail: provider.name } as const;
  const isLinked = await recordChange(deps, traceOf(req, res), event, (told) =>
    linkIdentity(deps.database, { ...person, user_id, sessions_version: sessionsVersionOf(req) }, told),
  );
  if (!isLinked && !(await isIdentityOfUser(deps.database, user_id, person))) {
    return stopConnecting(page, provider, { problem: 'identity_taken', reason: 'identity of another account' });
  }
  return redirectWithin(res, deps.config, '/account/security?notice=identity_linked');
}

function stopConnecting(
  page: AuthorizationPage,
  { title }: Provider,
  stopped: { problem: StoppedSignIn; reason: string },
): void {
  const retry = { href: `${page.deps.config.base}/account`, label: 'back.account' as const };
  showStopped(page, { ...stopped, provider: title, retry });
}
