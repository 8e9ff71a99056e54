import { type ProfileFieldName, profileFieldNames } from '../lib/profile.ts';

/**
 * The fields of a profile that the source of the account keeps: the website and the provider state them at each sign-in, the view at
 * each comparison. A value entered here would be lost, so every statement that changes a field uses this condition. Until the source has
 * stated anything, it counts as keeping all fields. Administrators are not compared with the view.
 */
export const keptElsewhere = (users: string) => `case
       when ${users}.source = 'here' or ${users}.source = 'view' and ${users}.is_admin then '{}'
       else coalesce(${users}.kept_there, '{${profileFieldNames.join(',')}}') end`;

/** Whether the statement changes only fields that are not kept elsewhere; `changes` has a condition for each field. */
export function keepsNone(users: string, changes: { [field in ProfileFieldName]?: string }): string {
  const kept = Object.entries(changes).map(
    ([field, isGiven]) => `(${isGiven}) and '${field}' = any (${keptElsewhere(users)})`,
  );
  return `(${kept.join(' or ')}) is not true`;
}
