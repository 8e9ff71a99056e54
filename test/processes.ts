import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

// Which test files share a process. To start one and load the server costs more than most files need for their tests.

/** The number of files that share a process: more would save little, and leave a core without work at the end. */
const filesOfAProcess = 8;

/** What must not be shared: other processes with their leftovers, a browser, a clock or environment that others would see, and what counts all that runs. */
const ownProcess = [
  /from '(node:child_process|node:cluster|node:inspector\/promises|node:worker_threads|playwright-core)'/,
  /\bmock\.(timers|method|module|property)\b/,
  /\bprocess\.env\[[^\]]+\] = /,
  /\bdelete process\.env\b/,
];

/** The own text of a test file and those of the test files that it imports. */
function textsOf(path: string, known = new Map<string, string>()): string[] {
  if (known.has(path)) return [];
  const text = readFileSync(path, 'utf8');
  known.set(path, text);
  const imports = [...text.matchAll(/from '(\.[^']+\.ts)'/g)].map(([, name = '']) => resolve(dirname(path), name));
  for (const one of imports.filter((name) => name.includes('/test/'))) textsOf(one, known);
  return [...known.values()];
}

const needsOwnProcess = (path: string): boolean =>
  textsOf(path).some((text) => ownProcess.some((pattern) => pattern.test(text)));

/** Only CI runs files that begin with `// ci: why`: they wait, kill, upgrade, count millions of rows, or need programs of others. */
const isForCi = (path: string): boolean => readFileSync(path, 'utf8').startsWith('// ci: ');

export const classes = {
  ordinary: (path: string) => !isForCi(path),
  /** between two edits: without what needs a process of its own */
  quick: (path: string) => !isForCi(path) && !needsOwnProcess(resolve(path)),
  ci: isForCi,
} satisfies Record<string, (path: string) => boolean>;

/**
 * The programs of a run: files with a process of their own first, since the longest are among them; then programs, written to
 * `folder`, that run several files one after the other. A single file is its own program.
 */
export function programsOf(files: readonly string[], folder: string): string[] {
  const own = files.filter((path) => files.length === 1 || needsOwnProcess(resolve(path)));
  const shared = files.filter((path) => !own.includes(path));
  const programs: string[] = [];
  // neighbours are alike and would all be long in one process
  const count = Math.ceil(shared.length / filesOfAProcess);
  for (let index = 0; index < count; index += 1) {
    const members = shared.filter((_, position) => position % count === index);
    const program = join(folder, `files-${index + 1}.test.mts`);
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
