const words = new Map<string, boolean>([
  ['true', true],
  ['t', true],
  ['1', true],
  ['yes', true],
  ['y', true],
  ['on', true],
  ['false', false],
  ['f', false],
  ['0', false],
  ['no', false],
  ['n', false],
  ['off', false],
]);

/**
 * Reads what another program says by a flag, in any usual spelling; undefined for anything else. migrations/functions/read_flag.sql has
 * the same.
 */
export function readFlag(value: unknown): boolean | undefined {
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isText ? words.get(String(value).trim().toLowerCase()) : undefined;
}
