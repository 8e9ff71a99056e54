/** What a person can say about themselves, and an application can read with the scope of the field. */
interface ProfileField {
  readonly scope: string;
  readonly maxLength: number;
  readonly syntax: RegExp;
  /** the type of the field's input on the account page */
  readonly inputType: 'text' | 'email' | 'tel';
  readonly autocomplete: string;
}

/**
 * The name of a field is its column in the table users and its member in the answer of /user. A new field also needs a
 * migration with the column and the scope, a parameter in migrations/functions/register_user.sql, and texts in each language.
 */
export const profileFields = {
  name: { scope: 'user:name', maxLength: 200, syntax: /^\P{Cc}+$/u, inputType: 'text', autocomplete: 'name' },
  email: {
    scope: 'user:email',
    maxLength: 254,
    syntax: /^[^\s@\p{Cc}\p{Cf}]+@[^\s@\p{Cc}\p{Cf}]+$/u,
    inputType: 'email',
    autocomplete: 'email',
  },
} as const satisfies Record<string, ProfileField>;

export type ProfileFieldName = keyof typeof profileFields;
export type Profile = Record<ProfileFieldName, string | null>;

export const profileFieldNames = Object.keys(profileFields) as readonly ProfileFieldName[];

export function isValidProfileValue(field: ProfileFieldName, value: string): boolean {
  const { maxLength, syntax } = profileFields[field];
  return value.length <= maxLength && syntax.test(value);
}

/** A profile as it is stored: `email_verified` if the address is the one that the operator has registered. */
export interface StoredProfile extends Profile {
  email_verified: boolean;
}

/**
 * Returns the part of a profile that the scopes of a token reveal. An address that the person has entered stays here: it may be somebody
 * else's, and many applications give an account to whoever has its address.
 */
export function revealedProfile(person: StoredProfile, scopes: readonly string[]): Partial<StoredProfile> {
  const given = { ...person, email: person.email_verified ? person.email : null };
  const fields = profileFieldNames.filter((field) => scopes.includes(profileFields[field].scope));
  return {
    ...Object.fromEntries(fields.map((field) => [field, given[field]])),
    ...(fields.includes('email') && { email_verified: given.email !== null }),
  };
}

/**
 * Returns the revealed username. One that is an address is not told to an application that may not see the address; it gets the subject
 * instead, which stays the same, too.
 */
export function revealedUsername(
  person: Pick<StoredProfile, 'email' | 'email_verified'> & { sub: string; username: string },
  scopes: readonly string[],
): string {
  const { username, sub, email, email_verified } = person;
  const seesAddress = scopes.includes(profileFields.email.scope) && email_verified;
  const isRevealed = seesAddress && username.toLowerCase() === email?.toLowerCase();
  return !username.includes('@') || isRevealed ? username : sub;
}

/** The scopes that reveal a part of the profile. */
export const profileScopes: readonly string[] = profileFieldNames.map((field) => profileFields[field].scope);

/** The scopes of which a token needs one at /user. */
export const ownScopes: readonly string[] = [...profileScopes, 'user:write'];

/** The username is not changed by the person, so it is no field of the profile; it is revealed with the name. */
export const usernameScope = profileFields.name.scope;
