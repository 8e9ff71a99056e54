/** The page of a connected application, to which the application may link. After a sign-in the person returns to it. */
export function applicationPath(client_id: string): `/${string}` {
  return `/account/applications/${encodePathSegment(client_id)}`;
}

/** Encodes everything but letters, digits and - . _ ~; a client_id may contain any printable character. */
export function encodePathSegment(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
