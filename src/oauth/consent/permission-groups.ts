import type { Permission } from '../../lib/scope.ts';
import type { TextKey } from '../../web/texts.ts';
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

/** What is new to a person who knows the application stands first and apart: nobody should overlook it among what they decided on before. */
export function newGroupsFirst<Shown>(
  permissions: readonly Permission[],
  isNew: (permission: Permission) => boolean,
  show: (permission: Permission) => Shown,
): PermissionGroup<Shown>[] {
  const added = permissionGroups(permissions.filter(isNew), show);
  const isDecided = (permission: Permission) => !isNew(permission);
  const decided = permissionGroups(permissions.filter(isDecided), show);
  if (added.length === 0) return decided;
  return [...withHeading('consent.new_ones', added), ...withHeading('consent.decided', decided)];
}

const withHeading = <Group>(heading: TextKey, groups: readonly Group[]) =>
  groups.map((group, at) => (at === 0 ? { ...group, heading } : group));
