import type { SignedInPage } from '../identity/person.ts';
import { inShell } from '../registration/console/source-text.ts';
import type { AdminPage, AdminPart } from './admin.view.ts';

/** The parts of the pages for administrators, in the order of their menu. */
const parts: readonly { part: AdminPart; path: `/admin/${string}` }[] = [
  { part: 'people', path: '/admin/people' },
  { part: 'applications', path: '/admin/applications' },
  { part: 'scopes', path: '/admin/scopes' },
  { part: 'resources', path: '/admin/resources' },
  { part: 'grants', path: '/admin/grants' },
  { part: 'events', path: '/admin/events' },
  { part: 'health', path: '/admin/health' },
  { part: 'charts', path: '/admin/charts' },
];

/** The command that runs a seed, for people to paste: quoted if a shell would read the name of the file otherwise. */
export const runOfSeed = (seed: string) => `latchkey seed ${/^[\w./][\w./-]*$/.test(seed) ? seed : inShell(seed)}`;

/** Returns what every page for administrators has. */
export function frameOf({ deps, viewer, csrf }: SignedInPage, current: AdminPart): AdminPage {
  const { base } = deps.config;
  return {
    viewer,
    csrf,
    parts: parts.map(({ part, path }) => ({ part, href: base + path, is_current: part === current })),
  };
}
