import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

// Which test files share a process. To start one and load the server costs more than most files need for their tests.

/** The number of files that share a process: more would save little, and leave a core without work at the end. */
const filesOfAProcess = 12;

/** What outlasts a test or is seen by other files: processes that nobody waits for, a browser, mocks of the module, the environment; and what counts all that runs. */
const ownProcess = [
  /import \{[^}]*\b(spawn|fork)\b[^}]*\} from 'node:child_process'/,
  /from '(node:cluster|node:inspector\/promises|node:worker_threads|playwright-core)'/,
  /(?<!\bt\.)\bmock\.(timers|method|module|property)\b/,
  /\bprocess\.env\[[^\]]+\] = /,
  /\bdelete process\.env\b/,
];

/** What takes long to start: other programs, even where a test waits until they end. */
const startsProgram = [/from '(node:child_process|playwright-core)'/];

/** The own text of a test file and those of the test files that it imports. */
function textsOf(path: string, known = new Map<string, string>()): string[] {
  if (known.has(path)) return [];
  const text = readFileSync(path, 'utf8');
  known.set(path, text);
  const imports = [...text.matchAll(/from '(\.[^']+\.ts)'/g)].map(([, name = '']) => resolve(dirname(path), name));
  for (const one of imports.filter((name) => name.includes('/test/'))) textsOf(one, known);
  return [...known.values()];
}

const says = (path: string, patterns: RegExp[]): boolean =>
  textsOf(resolve(path)).some((text) => patterns.some((pattern) => pattern.test(text)));

const needsOwnProcess = (path: string): boolean => says(path, ownProcess);

/** Only CI runs files that begin with `// ci: why`: they wait, kill, upgrade, count millions of rows, or need programs of others. */
const isForCi = (path: string): boolean => readFileSync(path, 'utf8').startsWith('// ci: ');

const isQuick = (path: string): boolean => !isForCi(path) && !says(path, [...startsProgram, ...ownProcess]);

export const classes = {
  ordinary: (path: string) => !isForCi(path),
  /** between two edits: without what starts programs or needs a process of its own */
  quick: isQuick,
  /** of those, what another version of Postgres could answer differently */
  sql: (path: string) => isQuick(path) && says(path, [/\bcreateDatabase\(/]),
  ci: isForCi,
} satisfies Record<string, (path: string) => boolean>;

/**
 * The programs of a run: files with a process of their own first, since the longest are among them; then programs, written to
 * `folder`, that run several files one after the other. A single file is its own program.
 */
export function programsOf(files: readonly string[], folder: string): string[] {
  const own = files.filter((path) => files.length === 1 || needsOwnProcess(path));
  const shared = files.filter((path) => !own.includes(path));
  const programs: string[] = [];
  // neighbours are alike and would all be long in one process
  const count = Math.ceil(shared.length / filesOfAProcess);
  for (let index = 0; index < count; index += 1) {
    const members = shared.filter((_, position) => position % count === index);
    const program = join(folder, `files-${index + 1}.test.mjs`);
    writeFileSync(program, programFor(members.map((path) => resolve(path))));
    programs.push(program);
  }
  return [...own, ...programs];
}

const programFor = (
  paths: readonly string[],
) => `import { runInTurn } from ${JSON.stringify(resolve('test/support/in-turn.ts'))};
await runInTurn(${JSON.stringify(paths, null, 2)});
`;
