import type { Deps } from '../../deps.ts';
import { nameOf } from '../../pages/display.ts';
import type { ActivityName, ActivityRow, ShownMethod } from '../../pages/views/account.ts';
import { type EventForPerson, findEventsOfUser } from '../../store/audit.ts';
import type { Page } from '../../store/pagination.ts';

/** The audit events that the account page shows, and the names of their texts. */
const activities: Record<EventForPerson, ActivityName> = {
  signed_in: 'signed_in',
  sign_in_refused: 'sign_in_failed',
  signed_out: 'signed_out',
  session_ended: 'session_ended',
  password_changed: 'password_changed',
  profile_changed: 'profile_changed',
  consent_given: 'application_allowed',
  consent_refused: 'application_refused',
  consent_changed: 'permission_changed',
  consent_revoked: 'application_revoked',
  refresh_token_reused: 'refresh_token_reused',
  code_reused: 'code_reused',
  token_leaked: 'token_leaked',
};

const methods: readonly ShownMethod[] = [
  'password',
  'website',
  'provider',
  'passkey',
  'security_key',
  'totp',
  'recovery_code',
  'trusted_browser',
];

/** As completeSignIn writes them; a sign-in of before has none. */
function methodsIn(detail: string | null | undefined): readonly ShownMethod[] {
  const named = detail?.split(' ') ?? [];
  return methods.filter((method) => named.includes(method));
}

const pageSize = 20;

/** Newest first. */
export async function activityOf(
  { database }: Deps,
  user_id: number,
  after: string | undefined,
): Promise<Page<ActivityRow>> {
  const { rows, next } = await findEventsOfUser(database, user_id, after, pageSize);
  const activity = rows.map(
    ({ happened_at, event, client_name: name, client_vouched: vouched, client_id, address, detail }) => {
      return {
        at: happened_at,
        activity: activities[event],
        methods: event === 'signed_in' ? methodsIn(detail) : undefined,
        client_name: name === null || vouched === null ? client_id : nameOf({ name, vouched }),
        address: address ?? undefined,
      };
    },
  );
  return { rows: activity, next };
}
