import type { RecordedEvent } from '../audit/audit.sql.ts';
import { addClientSecret } from '../clients/client-secrets.sql.ts';
import type { Deps } from '../deps.ts';
import { OAuthError } from '../lib/errors.ts';
import type { Parameters } from '../lib/parameters.ts';
import { digestOf } from '../lib/secrets.ts';
import { isRegisteredSecret, secretOfTicket, ticketIn } from '../registration/console/secret-ticket.ts';
import { type AdministeredApplication, findAdministeredApplication } from '../registration/found-applications.sql.ts';

type Page = { deps: Deps; application: AdministeredApplication };

/** Adds a secret beside the secret in use; a form that is sent twice gets the same secret. `record` makes a change together with its event. */
export async function addSecret(
  { deps, application }: Page,
  form: Parameters,
  record: (change: (recorded: RecordedEvent) => Promise<boolean>) => Promise<boolean>,
): Promise<string | undefined> {
  const { database } = deps;
  const { client_id } = application;
  const ticket = ticketIn(form);
  if (!ticket) throw new OAuthError('invalid_request', 'ticket is malformed');
  const client_secret = secretOfTicket(deps, client_id, ticket);
  const secret = { client_id, secret_sha256: digestOf(client_secret), ticket_sha256: digestOf(ticket) };
  const isNew = await record((recorded) => addClientSecret(database, secret, recorded));
  const now = isNew ? undefined : await findAdministeredApplication(database, client_id);
  return isNew || (now && isRegisteredSecret(now, client_secret)) ? client_secret : undefined;
}
