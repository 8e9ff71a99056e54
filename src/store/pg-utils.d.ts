/** How pg writes a value; it comes without types. */
declare module 'pg/lib/utils.js' {
  const utils: { prepareValue(value: unknown): string | Buffer | null };
  export = utils;
}
