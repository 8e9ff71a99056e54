import type { SignedIn } from './account.ts';

/** The parts of the pages for administrators; each has a text `admin.part.<name>`. */
export type AdminPart = 'people' | 'applications' | 'grants' | 'events' | 'health';

export type AdminNavigation = { part: AdminPart; href: string; is_current: boolean }[];

/** What every page for administrators has. */
export interface AdminPage extends SignedIn {
  parts: AdminNavigation;
}

export interface AdminViews {
  'admin-people': AdminPage & {
    /** Of the search form, which sends `find`. */
    action: string;
    typed: string;
  };
}
