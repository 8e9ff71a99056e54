import type { admin as english } from '../en/admin.ts';

export const admin: Record<keyof typeof english, string> = {
  'home.admin': 'Administration',
  'admin.part.people': 'Personnes',
  'admin.part.applications': 'Applications',
  'admin.part.grants': 'Autorisations et jetons',
  'admin.part.events': 'Ce qui s’est passé',
  'admin.part.health': 'Si tout va bien',
};
