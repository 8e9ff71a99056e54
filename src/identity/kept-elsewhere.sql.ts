import { type ProfileFieldName, profileFieldNames } from '../lib/profile.ts';

/**
 * The fields of a profile that the source of the account keeps: the website and the provider state them at each sign-in, the view at each
 * comparison. Whatever is entered here would be lost, so every statement that changes a field asks this. Until the source has stated
 * anything, all fields count as its own. An administrator is not compared with the view.
 */
export const keptElsewhere = (users: string) => `case
       when ${users}.source = 'here' or ${users}.source = 'view' and ${users}.is_admin then '{}'
       else coalesce(${users}.kept_there, '{${profileFieldNames.join(',')}}') end`;

/** Whether none of the fields is kept elsewhere for which the statement has a change, told by a condition for each. */
export function keepsNone(users: string, changes: { [field in ProfileFieldName]?: string }): string {
  const kept = Object.entries(changes).map(
    ([field, isGiven]) => `(${isGiven}) and '${field}' = any (${keptElsewhere(users)})`,
  );
  return `(${kept.join(' or ')}) is not true`;
}
