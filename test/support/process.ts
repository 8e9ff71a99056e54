import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from './free-port.ts';
import { cheapHash, printer } from './latchkey.ts';
import { compiled, ownEnvironment } from './program.ts';
import { scratch } from './scratch.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const running = new Set<LatchkeyProcess>();
after(() => Promise.all([...running].map((latchkey) => latchkey.kill())));

export const program = compiled('main.js');

export interface LatchkeyProcess {
  readonly child: ChildProcess;
  readonly origin: string;
  /** all that it has written so far, to standard output and standard error */
  readonly output: () => string;
  /** resolves once it has written this, rejects when it ends before */
  said(pattern: RegExp): Promise<void>;
  readonly exit: Promise<number | string>;
  kill(): Promise<void>;
}

/** Starts the server in a process with this environment only, without that of the tests. */
export async function startProcess(
  env: Record<string, string>,
  nodeOptions: string[] = [],
  main = program,
): Promise<LatchkeyProcess> {
  const port = env['PORT'] ?? String(await findFreePort());
  const origin = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [...nodeOptions, main], {
    cwd: scratch,
    // only the tests of stopping use the default delay
    env: { ...ownEnvironment(), PORT: port, ISSUER: origin, DRAIN_DELAY: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const exit = once(child, 'close').then(([code, signal]) => signal ?? code);
  const said = async (pattern: RegExp) => {
    const ended = exit.then((code) => code);
    while (!pattern.test(output)) {
      const code = await Promise.race([ended, pause(10)]);
      if (code !== undefined && !pattern.test(output)) throw new Error(`it ended (${code}) and said:\n${output}`);
    }
  };
  const kill = async () => {
    child.kill('SIGTERM');
    if ((await Promise.race([exit, pause(12_000, 'late', { ref: false })])) === 'late') child.kill('SIGKILL');
    await exit;
  };
  const latchkey = { child, origin, output: () => output, said, exit, kill };
  running.add(latchkey);
  void exit.then(() => running.delete(latchkey));
  return latchkey;
}

/** Starts the server and waits until it is ready. */
export async function startServing(
  env: Record<string, string>,
  nodeOptions: string[] = [],
  main = program,
): Promise<LatchkeyProcess> {
  const latchkey = await startProcess(env, nodeOptions, main);
  await latchkey.said(/Open http|Latchkey serves/);
  return latchkey;
}

/** Alice and the photo printer, the user and the client of most tests. */
export const seed = `
select register_user(username => 'alice', password => '${cheapHash}', email => 'alice@example.com', name => 'Alice');
select register_client(
  client_id => '${printer.client_id}', client_secret => '${printer.client_secret}', name => '${printer.name}',
  site_domain => '${printer.site_domain}', redirect_uris => array['${printer.redirect_uri}'], scopes => array['user']);`;

export function migrationNames(): string[] {
  return readdirSync(join(repository, 'migrations')).filter((name) => name.endsWith('.sql'));
}
