import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';

// Older versions of Node read no TypeScript. Instead of compiling it, each process of the tests loads what test/run.ts has compiled for
// all of them. A module keeps the address of its source, from where it finds other files.

const sources = new URL('..', import.meta.url).href;
const compiled = new URL('..', pathToFileURL(`${process.env['LATCHKEY_TEST_PROGRAM']}/`)).href;

if (isMainThread) register(import.meta.url);

const isSource = (url) => url?.startsWith(sources) && url.endsWith('.ts');

/** The compiler has changed the names in imports to those of the files that it writes. */
export function resolve(specifier, context, next) {
  if (!/^\.\.?\/.*\.[jt]s$/.test(specifier) || !isSource(context.parentURL)) return next(specifier, context);
  return { url: new URL(specifier.replace(/js$/, 'ts'), context.parentURL).href, shortCircuit: true };
}

export async function load(url, context, next) {
  if (!isSource(url)) return next(url, context);
  const source = await readFile(new URL(url.slice(sources.length).replace(/ts$/, 'js'), compiled));
  return { format: 'module', source, shortCircuit: true };
}
