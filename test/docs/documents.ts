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
  'src/oauth/README.md',
  'src/operations/README.md',
  'src/operations/administration.md',
  'src/operations/growing.md',
  'src/operations/moving.md',
  'src/operations/own-table.md',
  'src/operations/providers.md',
  'src/operations/registrations.md',
  'src/operations/running.md',
  'src/operations/signing-in.md',
  'src/operations/surviving.md',
  'src/operations/upgrading.md',
  'src/operations/watching.md',
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

const [schema = ''] =
  /z\.object\(\{.*?\n\}\);/s.exec(readFileSync(join(repository, 'src/config/config.ts'), 'utf8')) ?? [];

/** Every variable of the environment that the program knows. */
export const variables = [...schema.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name = '']) => name);
