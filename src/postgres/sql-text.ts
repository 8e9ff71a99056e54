import pg from 'pg';

/** A value as SQL has it: text, number, boolean, an array of texts, or JSON. */
export function sqlLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return pg.escapeLiteral(value);
  if (!Array.isArray(value)) return pg.escapeLiteral(JSON.stringify(value));
  return value.length === 0 ? "'{}'" : `array[${value.map(sqlLiteral).join(', ')}]`;
}

/** `select name(argument => value, …)`, without the arguments that are undefined. */
export function sqlCall(name: string, values: Readonly<Record<string, unknown>>): string {
  const stated = Object.entries(values).filter(([, value]) => value !== undefined);
  const list = stated.map(([argument, value]) => `  ${argument} => ${sqlLiteral(value)}`);
  return `select ${name}(\n${list.join(',\n')});`;
}
