/** Images that are pixels and nothing else. SVG is not among them: it can have scripts, and load what it shows from elsewhere. */
export const rasterTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Returns the media type of an image by its first bytes, undefined if they are of no such image. */
export function rasterTypeOf(image: Buffer): string | undefined {
  const beginning = image.toString('latin1', 0, 12);
  if (beginning.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (beginning.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(beginning)) return 'image/gif';
  return beginning.startsWith('RIFF') && beginning.slice(8) === 'WEBP' ? 'image/webp' : undefined;
}
