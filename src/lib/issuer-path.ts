/**
 * Returns what follows the path of the issuer in the address of a request: nothing, or a text that begins with a slash or a question
 * mark. Undefined if the address is elsewhere.
 */
export function afterIssuerPath(base: string, address: string): string | undefined {
  const [path = ''] = address.split('?', 1);
  const beginning = path.split('/', base.split('/').length).join('/');
  return beginning === base || oneSpelling(beginning) === oneSpelling(base)
    ? address.slice(beginning.length)
    : undefined;
}

/** Returns one spelling of escapes, which proxies spell in different ways [3986 §6.2.2]; an escaped slash separates nothing. */
const oneSpelling = (path: string) =>
  path.replace(/%[\da-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[!-~]/.test(character) && !/[%/]/.test(character) ? character : escaped.toUpperCase();
  });
