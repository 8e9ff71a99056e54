// The conditions under which a person, client, sign-in or link is active; those of grants, codes and tokens stand in
// oauth/rules.sql.ts. Statements take the conditions from these two files and never spell them out, so that none can forget a
// condition (test/architecture.test.ts).

/** Whether a person, client, resource, claim or choice is not disabled. */
export const isEnabled = (row: string) => `${row}.disabled_at is null`;

/** Whether a client can ask this person, or whoever signs in where the person is null: some are for their developer only. */
export const isOpenTo = (clients: string, person: string) => `${isEnabled(clients)}
     and coalesce(${clients}.only_for = ${person}, true)`;

/** The `sub` of a person: what the operator or another site calls them, else their number. */
export const subjectOf = (users: string) => `coalesce(${users}.subject, ${users}.user_id::text)`;

/** Whether a grant, code or token is not revoked; it may have expired. */
export const isUnrevoked = (row: 'grants' | 'code' | 'token') => `${row}.revoked_at is null`;

/** Whether an initial access token permits another registration [7591 §1.2]. */
export const isUsableInvitation = 'uses_left > 0 and expires_at > now()';

/**
 * Whether the row was made while the clock of the database was right: a row from a clock that was ahead by more than a day would
 * live longer by as much. A clock that is put back by less ends nothing.
 */
export const isOfThisTime = (madeAt: string) => `${madeAt} < now() + interval '1 day'`;

/** Whether another site can still answer the sign-in. */
export const isOpenSignIn = `started_sign_ins.expires_at > now()
     and ${isOfThisTime('started_sign_ins.started_at')}`;

/** Whether the link in a mail is still good. Where it is used, further conditions apply. */
export const isOpenLink = `links.expires_at > now()
     and ${isOfThisTime('links.created_at')}`;
