import { seal, unseal } from '../lib/sealing.ts';
import { issueFormKey } from '../web/form-key.ts';
import type { PageContext } from '../web/page-context.ts';
import type { Method, Proof } from './session.ts';

// A sign-in that is half done is no session: it is a sealed value in the form that asks for the second half. So no page and no
// application can take it for one.

/** A ticket of one purpose is worth nothing for the other: the setup of an app in a session is no half of a sign-in. */
export type TicketPurpose = 'sign-in ticket' | 'ticket of a setup';

/** Seconds within which the second half must follow. */
const ticketTtl = 600;

export interface Ticket {
  user_id: number;
  methods: readonly Method[];
  auth_time: number | undefined;
  acr: string | undefined;
  amr: readonly string[] | undefined;
  source: string | undefined;
  provider_session_id: string | undefined;
  /** the version of password and factors: after a change of either the ticket is worth nothing */
  version: string;
  /** see Proof */
  sessions_version: string;
  /** the secret of the app that the person is setting up, in base64url */
  app_secret: string | undefined;
  /** in seconds since 1970, by the clock of the database */
  issued_at: number;
}

/** A ticket with the key of the form that it is in, which binds it to the browser. */
interface Sealed extends Ticket {
  csrf: string;
}

interface State {
  version: string;
  sessions_version: string;
  now: number;
}

interface Issued extends State {
  app_secret?: Buffer | undefined;
  /** the time of the ticket that this ticket continues: a wrong entry makes no ticket younger */
  issued_at?: number | undefined;
}

export function issueTicket(
  page: PageContext,
  purpose: TicketPurpose,
  proof: Proof,
  { version, sessions_version, now, app_secret, issued_at = now }: Issued,
): string {
  const { user_id, methods, auth_time, acr, amr, source, provider_session_id } = proof;
  const sealed: Sealed = {
    ...{ user_id, methods, acr, amr, source, provider_session_id, version },
    sessions_version: proof.sessions_version ?? sessions_version,
    auth_time: auth_time?.getTime(),
    app_secret: app_secret?.toString('base64url'),
    issued_at,
    csrf: issueFormKey(page),
  };
  const secret = page.deps.sessionSecrets[0] ?? '';
  return seal(secret, purpose, Buffer.from(JSON.stringify(sealed))).toString('base64url');
}

/** Opens a ticket; undefined unless it was issued in this browser. Whether it is still good, `isCurrent` says. */
export function openTicket(page: PageContext, purpose: TicketPurpose, text: string): Ticket | undefined {
  const content = unseal(page.deps.sessionSecrets, purpose, Buffer.from(text.slice(0, 4000), 'base64url'));
  if (!content) return undefined;
  const { csrf, ...ticket } = JSON.parse(content.toString()) as Sealed;
  return csrf === issueFormKey(page) ? ticket : undefined;
}

export function isCurrent(ticket: Ticket, { version, sessions_version, now }: State): boolean {
  const isUnchanged = ticket.version === version && ticket.sessions_version === sessions_version;
  // a ticket from the future, issued before that clock was put back, is not good either
  return isUnchanged && Math.abs(now - ticket.issued_at) <= ticketTtl;
}

export function proofOf({ auth_time, ...ticket }: Ticket): Proof {
  const { user_id, methods, acr, amr, source, provider_session_id, sessions_version } = ticket;
  const proof = { user_id, methods, acr, amr, source, provider_session_id, sessions_version };
  return { ...proof, auth_time: auth_time === undefined ? undefined : new Date(auth_time) };
}
