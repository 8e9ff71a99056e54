import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { blocksOf } from '../docs/documents.ts';

const document = readFileSync(fileURLToPath(new URL('../../src/operations/surviving.md', import.meta.url)), 'utf8');

/** A configuration file as src/operations/surviving.md shows it, with other addresses; each of them must be in it. */
export function documented(name: string, changes: Record<string, string>): string {
  const block = blocksOf(document).find(({ text }) => text.startsWith(`# ${name}\n`));
  if (!block) throw new Error(`src/operations/surviving.md does not show ${name}`);
  return Object.entries(changes).reduce((text, [shown, used]) => {
    if (!text.includes(shown)) throw new Error(`${name} in src/operations/surviving.md lacks ${shown}`);
    return text.replaceAll(shown, used);
  }, block.text);
}
