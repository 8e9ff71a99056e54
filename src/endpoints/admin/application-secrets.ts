import type { Deps } from '../../deps.ts';
import { isRegisteredSecret, secretOfTicket, ticketIn } from '../../pages/secret-ticket.ts';
import { OAuthError } from '../../protocol/errors.ts';
import type { Parameters } from '../../protocol/parameters.ts';
import { digestOf } from '../../protocol/secrets.ts';
import { addClientSecret } from '../../store/client-secrets.ts';
import { type AdministeredApplication, findAdministeredApplication } from '../../store/found-applications.ts';

type Page = { deps: Deps; application: AdministeredApplication };

/** Beside the one that is in use; a form that is sent twice gets the same one. `isNew` is false the second time. */
export async function addSecret(
  { deps, application }: Page,
  form: Parameters,
): Promise<{ client_secret: string; isNew: boolean } | undefined> {
  const { database } = deps;
  const { client_id } = application;
  const ticket = ticketIn(form);
  if (!ticket) throw new OAuthError('invalid_request', 'ticket is malformed');
  const client_secret = secretOfTicket(deps, client_id, ticket);
  const isNew = await addClientSecret(database, client_id, digestOf(client_secret), digestOf(ticket));
  const now = isNew ? undefined : await findAdministeredApplication(database, client_id);
  return isNew || (now && isRegisteredSecret(now, client_secret)) ? { client_secret, isNew } : undefined;
}
