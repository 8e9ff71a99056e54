import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ejs from 'ejs';

/**
 * Reads and compiles all templates in a directory, and returns what Express calls to render one. Express by itself would load
 * ejs at the first page and each template at its first use: without a free descriptor at that moment, that page would be lost,
 * and all pages if ejs could not be loaded.
 */
export function compileTemplates(directory: string): typeof ejs.renderFile {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ejs'));
  for (const filename of files.map((name) => join(directory, name))) {
    const isCompiled = ejs.cache.get(filename) !== undefined;
    const compile = () => ejs.compile(readFileSync(filename, 'utf8'), { filename, cache: true });
    if (!isCompiled) ejs.cache.set(filename, compile());
  }
  return ejs.renderFile;
}
