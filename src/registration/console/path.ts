import { encodePathSegment } from '../../web/client-path.ts';

export const listPath = '/developer/applications';

export function consolePath(client_id: string): `/${string}` {
  return `${listPath}/${encodePathSegment(client_id)}`;
}
