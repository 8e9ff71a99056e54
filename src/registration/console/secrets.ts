import type { RequestHandler } from 'express';
import { addClientSecret } from '../../clients/client-secrets.sql.ts';
import { type DeveloperApplication, findDeveloperApplication } from '../../clients/clients.sql.ts';
import { withdrawSecret } from '../../clients/withdrawn-secrets.ts';
import type { Deps } from '../../deps.ts';
import { OAuthError } from '../../lib/errors.ts';
import { digestOf } from '../../lib/secrets.ts';
import { redirectWithin } from '../../web/answers.ts';
import { readCookie } from '../../web/cookies.ts';
import type { PageContext } from '../../web/page-context.ts';
import { renderView } from '../../web/render.ts';
import { bodyParameters, fieldOf } from '../../web/request-parameters.ts';
import { shownClient } from '../../web/shown-client.ts';
import { consolePath } from './path.ts';
import { refusedProof } from './proof.ts';
import {
  type ApplicationPage,
  forApplication,
  forApplicationForm,
  recordApplication,
  renderApplication,
} from './registered-application.ts';
import { isRegisteredSecret, isTicket, secretBy, secretOfTicket, ticketIn } from './secret-ticket.ts';

const forSecretForm = (deps: Deps, change: (page: ApplicationPage) => void | Promise<void>): RequestHandler =>
  forApplicationForm(deps, 'credentials', async (page) => {
    const form = bodyParameters(page.req);
    const refused = await refusedProof(page, form);
    if (!refused) return change(page);
    const { status, ...shown } = refused;
    return renderApplication(page, 'credentials', status, { deleting: fieldOf(form, 'handle'), ...shown });
  });

/** Adds a second secret, so that servers can change to it one by one. A form that is sent twice adds one secret. */
export const addSecret = (deps: Deps): RequestHandler =>
  forSecretForm(deps, async (page) => {
    const { req, res, application } = page;
    const { user_id, is_admin } = page.user;
    const { client_id } = application;
    const ticket = ticketIn(bodyParameters(req));
    if (!ticket) return renderApplication(page, 'credentials', 403, { problem: 'form_expired' });
    const client_secret = secretOfTicket(deps, client_id, ticket);
    const secret = { client_id, secret_sha256: digestOf(client_secret), ticket_sha256: digestOf(ticket) };
    const isNew = await recordApplication(page, { event: 'client_secret_added' }, (recorded) =>
      addClientSecret(deps.database, secret, recorded),
    );
    if (!isNew) {
      const now = (await findDeveloperApplication(deps.database, user_id, is_admin, client_id)) ?? application;
      if (!isRegisteredSecret(now, client_secret)) {
        const problem = now.secrets_sha256.length > 1 ? 'two_secrets' : 'form_expired';
        return renderApplication({ ...page, application: now }, 'credentials', 400, { problem });
      }
    }
    storeTicket(page, client_id, ticket);
    return redirectWithin(res, deps.config, `${consolePath(client_id)}/secrets/new`);
  });

/** Shows a new secret once; after that it redirects to the application. */
export const showNewSecret = (deps: Deps): RequestHandler =>
  forApplication(deps, async (page) => {
    const { application, viewer, csrf } = page;
    const { config } = deps;
    const path = consolePath(application.client_id);
    const client_secret = takeNewSecret(page, application);
    if (client_secret === undefined) return redirectWithin(page.res, config, path);
    const client = shownClient(application);
    // a second secret replaces the first; whoever has the first connects the application
    const has_other = application.secrets_sha256.length > 1;
    const part = has_other ? 'credentials' : 'connect';
    const next_href = `${config.base}${path}/${part}`;
    return renderView(page, 'secret-shown-once', { viewer, csrf, client, client_secret, has_other, next_href });
  });

/** Deletes a secret; one that is in use only by the form that says so. */
export const deleteSecret = (deps: Deps): RequestHandler =>
  forSecretForm(deps, async (page) => {
    const { application, req, res } = page;
    const { client_id } = application;
    const form = bodyParameters(req);
    const handle = fieldOf(form, 'handle');
    const isUseKnown = fieldOf(form, 'confirmed') === 'true';
    const event = { event: 'client_secret_deleted', detail: handle } as const;
    const outcome = await withdrawSecret(deps, { client: application, handle, isUseKnown }, (change) =>
      recordApplication(page, event, change),
    );
    if (outcome === 'in_use') {
      return redirectWithin(res, deps.config, `${consolePath(client_id)}/credentials?delete=${handle}`);
    }
    if (outcome === 'gone') throw new OAuthError('not_found', 'there is no such secret that could be deleted');
    return redirectWithin(res, deps.config, `${consolePath(client_id)}/credentials?notice=secret_deleted`);
  });

const cookieName = 'new-secret';

/** Stores the ticket in a cookie for five minutes; the page that shows the secret derives it from there. */
export function storeTicket({ deps, res }: PageContext, client_id: string, ticket: string): void {
  res.cookie(cookieName, ticket, { ...attributes(deps.config, client_id), maxAge: 300_000, encode: String });
}

/** Returns the secret of the ticket in the cookie, which is then deleted; undefined when it is not a secret of the application. */
function takeNewSecret({ deps, req, res }: PageContext, application: DeveloperApplication): string | undefined {
  const { config, sessionSecrets } = deps;
  const { client_id } = application;
  const ticket = readCookie(req, cookieName);
  if (ticket === undefined || !isTicket(ticket)) return undefined;
  const derived = sessionSecrets.map((key) => secretBy(key, client_id, ticket));
  const secret = derived.find((one) => isRegisteredSecret(application, one));
  if (secret !== undefined) res.clearCookie(cookieName, attributes(config, client_id));
  return secret;
}

/** Returns the attributes of the cookie; its path keeps the tickets of two applications apart. */
function attributes({ base, secure }: Deps['config'], client_id: string) {
  return { httpOnly: true, sameSite: 'lax', secure, path: `${base}${consolePath(client_id)}/secrets` } as const;
}
