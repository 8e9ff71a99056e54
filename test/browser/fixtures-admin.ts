import type { AdminNavigation, AdminPart } from '../../src/pages/views/admin.ts';
import { type Fixture, user } from './fixtures-flow.ts';

const partsOf = (current: AdminPart): AdminNavigation =>
  (['people', 'grants', 'events'] as const).map((part) => {
    return { part, href: `/admin/${part}`, is_current: part === current };
  });

const page = (part: AdminPart) => ({ viewer: { ...user, admin: true }, csrf: 'csrf', parts: partsOf(part) });

export const adminFixtures: Fixture[] = [
  { name: 'admin-people', view: 'admin-people', data: { ...page('people'), action: '/admin/people', typed: '' } },
];
