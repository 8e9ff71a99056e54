import { encodePathSegment } from '../web/client-path.ts';

export const peoplePath = '/admin/people';
export const grantsPath = '/admin/grants';
export const eventsPath = '/admin/events';

export const newPersonPath = '/admin/people/new';
export const personPath = (user_id: number): `/${string}` => `${peoplePath}/${user_id}`;

/** Below `path`, with what a list is restricted to. */
export function pathWith(path: `/${string}`, query: Record<string, string>): `/${string}` {
  const search = new URLSearchParams(query).toString();
  return search === '' ? path : `${path}?${search}`;
}

export const applicationsPath = '/admin/applications';
export const applicationPath = (client_id: string): `/${string}` =>
  `${applicationsPath}/${encodePathSegment(client_id)}`;

export const scopesPath = '/admin/scopes';
export const scopePath = (name: string): `/${string}` => `${scopesPath}/${encodePathSegment(name)}`;

export const resourcesPath = '/admin/resources';
export const resourcePath = (resource: string): `/${string}` => `${resourcesPath}/${encodePathSegment(resource)}`;
