import type { admin as english } from '../en/admin.ts';

export const admin: Record<keyof typeof english, string> = {
  'home.admin': 'Verwaltung',
  'admin.part.people': 'Personen',
  'admin.part.applications': 'Anwendungen',
  'admin.part.grants': 'Berechtigungen und Token',
  'admin.part.events': 'Was geschehen ist',
  'admin.part.health': 'Ob alles in Ordnung ist',
};
