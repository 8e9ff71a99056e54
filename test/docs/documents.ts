import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Everything in prose, by its path in the repository. */
export const documents = [
  'README.md',
  'CHANGELOG.md',
  '.github/CONTRIBUTING.md',
  '.github/SECURITY.md',
  'migrations/README.md',
  'migrations/seeds/README.md',
  'src/README.md',
  'src/endpoints/README.md',
  'src/process/README.md',
  'src/process/administration.md',
  'src/process/growing.md',
  'src/process/moving.md',
  'src/process/own-table.md',
  'src/process/providers.md',
  'src/process/registrations.md',
  'src/process/running.md',
  'src/process/signing-in.md',
  'src/process/surviving.md',
  'src/process/upgrading.md',
  'src/process/watching.md',
  'test/bench/README.md',
  'test/security/README.md',
  'test/soak/README.md',
].map((path) => ({ path, folder: dirname(path), text: readFileSync(join(repository, path), 'utf8') }));

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

const [schema = ''] = /z\.object\(\{.*?\n\}\);/s.exec(readFileSync(join(repository, 'src/config.ts'), 'utf8')) ?? [];

/** Every variable of the environment that the program knows. */
export const variables = [...schema.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name = '']) => name);
