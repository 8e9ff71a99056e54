import type { AdminNavigation, AdminPart } from '../../pages/views/admin.ts';

/** The parts of the pages for administrators, in the order of their menu. */
const parts: readonly { part: AdminPart; path: `/admin/${string}` }[] = [
  { part: 'people', path: '/admin/people' },
  { part: 'grants', path: '/admin/grants' },
  { part: 'events', path: '/admin/events' },
];

export function navigationOf(base: string, current: AdminPart): AdminNavigation {
  return parts.map(({ part, path }) => ({ part, href: base + path, is_current: part === current }));
}
