import type { Permission } from '../../lib/scope.ts';
import type { PermissionGroup } from '../../web/views/parts.ts';

/** Permissions under their groups, in the order of the catalogue, each as a page shows it. */
export function permissionGroups<Shown>(
  permissions: readonly Permission[],
  show: (permission: Permission) => Shown,
): PermissionGroup<Shown>[] {
  const groups = new Map(permissions.map((permission) => [permission.group_name, permission]));
  return [...groups].map(([name, { group_sentence, group_sentences }]) => ({
    name,
    sentence: group_sentence ?? undefined,
    sentences: group_sentences ?? undefined,
    permissions: permissions.filter(({ group_name }) => group_name === name).map(show),
  }));
}
