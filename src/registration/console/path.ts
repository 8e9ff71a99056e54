import { encodePathSegment } from '../../web/client-path.ts';

export const listPath = '/developer/applications';
/** The chapter of the documentation that says how applications are registered here. */
export const chapterPath = '/developer/register';

export function consolePath(client_id: string): `/${string}` {
  return `${listPath}/${encodePathSegment(client_id)}`;
}
