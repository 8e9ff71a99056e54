type Cell = string | number | boolean | Date | null | string[];

/** Replaces control and direction characters: names come from users, and must not send commands to the terminal. */
export function formatCell(cell: Cell): string {
  if (cell === null || (Array.isArray(cell) && cell.length === 0)) return '-';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  if (cell instanceof Date) return `${cell.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return (Array.isArray(cell) ? cell.join(' ') : String(cell)).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd');
}

/** Lines of a help text. */
export const wrapped = (text: string) => text.replace(/(.{1,130})(?: |$)/g, '$1\n').trimEnd();

/** Aligned columns under a header; `whenEmpty` if there are no rows. */
export function formatTable(rows: Record<string, Cell>[], whenEmpty: string): string {
  const [first] = rows;
  if (!first) return whenEmpty;
  const lines = [
    Object.keys(first).map((name) => name.toUpperCase()),
    ...rows.map((row) => Object.values(row).map(formatCell)),
  ];
  const widths = Object.keys(first).map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One `name: value` a line; a list has one line for each of its values. */
export function formatFields(values: Record<string, Cell>): string {
  const width = Math.max(...Object.keys(values).map((name) => name.length)) + 1;
  const lines = Object.entries(values).flatMap(([name, cell]) => {
    const cells: Cell[] = Array.isArray(cell) && cell.length > 1 ? cell : [cell];
    return cells.map((each, index) => `${(index === 0 ? `${name}:` : '').padEnd(width)} ${formatCell(each)}`);
  });
  return lines.join('\n');
}
