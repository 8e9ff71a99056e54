/** The deep link to which an application may send its users; with nothing in it that login would not lead back to. */
export function applicationPath(client_id: string): `/${string}` {
  return `/account/applications/${encodePathSegment(client_id)}`;
}

/** A client_id may hold any printable character; here only letters, digits and - . _ ~ stay as they are. */
export function encodePathSegment(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
