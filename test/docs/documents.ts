import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../..', import.meta.url));

const below = (folder: string) =>
  readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !/node_modules|\.venv|\/target\//.test(name))
    .map((name) => join(folder, name))
    .sort();

/** Everything in prose, by its path in the repository. */
export const documents = ['README.md', 'CHANGELOG.md', ...['.github', 'migrations', 'src', 'test'].flatMap(below)].map(
  (path) => ({ path, folder: dirname(path), text: readFileSync(join(repository, path), 'utf8') }),
);

export interface Block {
  readonly language: string;
  readonly text: string;
  readonly line: number;
  /** why the test cannot run it: the comment in the line before */
  readonly mark: string | undefined;
}

/** The fenced blocks of a document, in order. */
export function blocksOf(text: string): Block[] {
  const blocks = text.matchAll(/(?:^<!-- (.+) -->\n)?^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...blocks].map(({ index, 0: whole, 1: mark, 2: language = '', 3: block = '' }) => {
    const line = text.slice(0, index + whole.indexOf('```')).split('\n').length;
    return { language, text: block, line, mark };
  });
}

const [schema = ''] =
  /z\.object\(\{.*?\n\}\);/s.exec(readFileSync(join(repository, 'src/config/config.ts'), 'utf8')) ?? [];

/** Every variable of the environment that the program knows. */
export const variables = [...schema.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name = '']) => name);
