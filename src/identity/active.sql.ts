// The conditions under which a person, client, sign-in or link is active; those of grants, codes and tokens stand in
// oauth/active.sql.ts. Statements take the conditions from these two files and never spell them out, so that none can forget a
// condition (test/architecture.test.ts).

/** A person, client, resource or claim that is not disabled. */
export const isEnabled = (row: string) => `${row}.disabled_at is null`;

/** The `sub` of a person: what the operator or another site calls them, else their number. */
export const subjectOf = (users: string) => `coalesce(${users}.subject, ${users}.user_id::text)`;

/** Not revoked; it may have expired. */
export const isUnrevoked = (row: 'grants' | 'code' | 'token') => `${row}.revoked_at is null`;

/** An initial access token that permits another registration [7591 §1.2]. */
export const isUsableInvitation = 'uses_left > 0 and expires_at > now()';

/**
 * Whether the row was made while the clock of the database was right: a row from a clock that was ahead by more than a day would
 * live longer by as much. A clock that is put back by less ends nothing.
 */
export const isOfThisTime = (madeAt: string) => `${madeAt} < now() + interval '1 day'`;

/** A sign-in that another site can still answer. */
export const isOpenSignIn = `started_sign_ins.expires_at > now()
     and ${isOfThisTime('started_sign_ins.started_at')}`;

/** A link of a mail that is still good. Where it is used, further conditions apply. */
export const isOpenLink = `links.expires_at > now()
     and ${isOfThisTime('links.created_at')}`;
