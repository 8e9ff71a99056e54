import type { Permission } from '../protocol/scope.ts';
import type { PermissionGroup } from './views/parts.ts';

/** Permissions under their groups, in the order of the catalogue, each as a page shows it. */
export function permissionGroups<Shown>(
  permissions: readonly Permission[],
  show: (permission: Permission) => Shown,
): PermissionGroup<Shown>[] {
  const names = [...new Set(permissions.map(({ group_name }) => group_name))];
  return names.map((name) => ({
    name,
    permissions: permissions.filter(({ group_name }) => group_name === name).map(show),
  }));
}
