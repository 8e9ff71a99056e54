// ci: runs every command of the documents
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { openDatabase } from '../../src/postgres/database.ts';
import { Browser, type Fetch } from '../support/browser.ts';
import { createDatabase } from '../support/database.ts';
import { codeIn } from '../support/flow.ts';
import { findFreePort } from '../support/free-port.ts';
import { fetchAs } from '../support/mutual-tls.ts';
import { program } from '../support/process.ts';
import { scratch } from '../support/scratch.ts';
import { type Block, blocksOf, documents, repository } from './documents.ts';

/**
 * The shell blocks of a document run in order, as a reader would run them, in a directory where the program is installed. Only
 * the ports, the database, the placeholders for codes and tokens, and the commands defined here are replaced. A block that
 * cannot run here has a comment in front of it that says why.
 */
const shell = `
# fail at the first error, and pass all variables on to the next block
set -ea
# the packages are installed
npm() {
  case "$1" in
    ci) ;;
    start) stop; serve ;;
    *) echo "npm $*: run by no test" >&2; return 1 ;;
  esac
}
# the sources are elsewhere
npx() { (cd "$REPOSITORY" && command npx "$@"); }
stop() {
  [ -f server.pid ] || return 0
  pid=$(cat server.pid)
  kill "$pid"
  # where nobody asks for the status of orphans, they stay as zombies
  while kill -0 "$pid" 2>stopped.log && ! grep -q '^State:.Z' "/proc/$pid/status" 2>stopped.log; do sleep 0.05; done
  rm server.pid
}
# comes back when the server is ready, and leaves it running for the next block
serve() {
  # what an earlier server said is not read for the words of this one, which may begin later than the first look
  : >server.log
  node dist/main.js >server.log 2>&1 </dev/null &
  echo $! >server.pid
  until grep -qE 'Open http|Latchkey serves' server.log; do
    kill -0 $! 2>gone.log || { cat server.log >&2; rm server.pid; return 1; }
    sleep 0.05
  done
}
`;

const hasTools = ['bash', 'curl', 'openssl'].every(
  (tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0,
);
const skip = hasTools ? false : 'needs bash, curl and openssl';

/** What a person types where a command asks for a password. */
const typed = 'correct horse battery\n';

class Reader {
  readonly #directory: string;
  readonly #port: number;
  /** where clients present certificates */
  readonly #otherPort: number;
  #env: Record<string, string>;
  #browsers = new Map<string, Browser>();
  #code = '';
  /** the last answer that was JSON */
  #tokens: Record<string, string> = {};

  constructor(name: string, [port, otherPort]: [number, number], DATABASE_URL: string) {
    this.#directory = join(scratch, name);
    mkdirSync(this.#directory);
    const home = dirname(dirname(program));
    symlinkSync(dirname(program), join(this.#directory, 'dist'));
    for (const part of ['views', 'migrations', 'node_modules', 'package.json']) {
      symlinkSync(join(home, part), join(this.#directory, part));
    }
    const { PATH = '', HOME = '', LATCHKEY_TEST_SERVER = '' } = process.env;
    this.#port = port;
    this.#otherPort = otherPort;
    this.#env = {
      PATH,
      HOME,
      PORT: String(port),
      DRAIN_DELAY: '0',
      DATABASE_URL,
      DEMO: 'true',
      REPOSITORY: repository,
      TEST_DATABASE_URL: LATCHKEY_TEST_SERVER,
    };
  }

  write(name: string, content: string): void {
    writeFileSync(join(this.#directory, name), content);
  }

  async run(block: string): Promise<string> {
    const command = block
      .replaceAll(/localhost([: ])3000/g, `localhost$1${this.#port}`)
      .replaceAll('8443', String(this.#otherPort))
      .replaceAll('lk_ac_…', this.#code)
      .replaceAll('lk_at_…', this.#tokens['access_token'] ?? '')
      .replaceAll('lk_rt_…', this.#tokens['refresh_token'] ?? '');
    assert.doesNotMatch(command.replaceAll(/#.*$/gm, ''), /…/, 'a placeholder that stands for nothing');
    const script = `${shell}${command}\nenv -0 >variables\n`;
    const child = spawn('bash', ['-c', script], { cwd: this.#directory, env: this.#env });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    child.stdin.on('error', () => {}).end(typed);
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    assert.equal(await ended, 0, `${command}\n${out}\n${err}`);
    // curl succeeds whatever the status
    assert.doesNotMatch(out, /"error"/, command);
    const pairs = readFileSync(join(this.#directory, 'variables'), 'utf8').split('\0').filter(Boolean);
    const variables = pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
    this.#env = Object.fromEntries(variables.filter(([name = '']) => /^[A-Z_]+$/.test(name)));
    await this.#act(out);
    return out.replaceAll(`localhost:${this.#port}`, 'localhost:3000');
  }

  /** What the reader does with what a command printed: open the link and allow, or keep the tokens. */
  async #act(out: string): Promise<void> {
    const link = /^http\S+\/authorize\?\S+$/m.exec(out)?.[0];
    if (link) this.#code = await this.#allow(link);
    if (out.includes('"access_token"')) this.#tokens = JSON.parse(out);
  }

  async #allow(link: string): Promise<string> {
    const browser = this.#browserFor(new URL(link).origin);
    const page = await browser.visit(link);
    const isSignedIn = !page.text.includes('id="login"');
    const person = { username: 'ada', password: typed.trim() };
    const consent = isSignedIn ? page : await browser.submit(page, 'id="login"', person);
    return codeIn(await browser.submit(consent, 'id="allow"'));
  }

  /** It keeps its cookies, and trusts the certificate that a block has made for the server. */
  #browserFor(origin: string): Browser {
    const send: Fetch = (url, init) => {
      if (!origin.startsWith('https:')) return fetch(url, init);
      return fetchAs({ ca: readFileSync(join(this.#directory, 'server.pem')) })(url, init);
    };
    const browser = this.#browsers.get(origin) ?? new Browser(origin, send);
    this.#browsers.set(origin, browser);
    return browser;
  }
}

/** Credentials and numbers of people differ from one run to the next. */
function normalized(output: string): unknown {
  const same = output.replaceAll(/\b(lk_\w\w)_[\w-]+/g, '$1_…').replaceAll(/"(id|sub)": ?"?\d+"?/g, '"$1": 0');
  return JSON.parse(same);
}

/** Commands run; SQL that begins with a file name is what commands read; JSON after a command is what it prints. */
async function follow(path: string, blocks: Block[], url: string): Promise<void> {
  const reader = new Reader(path.replaceAll('/', '-'), [await findFreePort(), await findFreePort()], url);
  try {
    for (const [index, block] of blocks.entries()) {
      const [, file] = /^-- (\w+\.sql)\n/.exec(block.text) ?? [];
      if (file) reader.write(file, block.text);
      if (!isRun(block)) continue;
      const output = await reader.run(block.text).catch((error) => {
        throw new Error(`${path}:${block.line}: ${error.message}`, { cause: error });
      });
      const next = blocks[index + 1];
      if (next?.language === 'json')
        assert.deepEqual(normalized(output), normalized(next.text), `${path}:${next.line}`);
    }
  } finally {
    await reader.run('stop');
  }
}

const isRun = ({ language, mark }: Block) => language === 'sh' && mark === undefined;

test('every command works as its document says', { skip }, async (t) => {
  const all = documents.map(({ path, text: document }) => ({ path, blocks: blocksOf(document) }));
  const runnable = all.filter(({ blocks }) => blocks.some(isRun));
  assert.ok(runnable.length > 0);
  for (const { path, blocks } of runnable) await t.test(path, async () => follow(path, blocks, await createDatabase()));
});

test('every statement in the documents works', async () => {
  for (const { path, text: document } of documents) {
    const blocks = blocksOf(document).filter(({ language, mark }) => language === 'sql' && mark === undefined);
    if (blocks.length === 0) continue;
    const database = openDatabase({ connectionString: await createDatabase() }, 1);
    for (const { text: statements, line } of blocks) {
      await assert.doesNotReject(database.query(`begin;${statements};commit`), `${path}:${line}`);
    }
    await database.end();
  }
});

test('a block that is not run says why, and names only scripts and files that exist', () => {
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  for (const { path, text: document } of documents) {
    for (const { language, text: block, line, mark } of blocksOf(document)) {
      const at = `${path}:${line}`;
      assert.match(language, /^(sh|sql|json|text|ini|yaml|caddyfile)$/, at);
      if (mark !== undefined) assert.match(mark, /^(needs|long:|changes files:|runs until) /, at);
      for (const [, script = ''] of block.matchAll(/\bnpm run (\w+)/g))
        assert.ok(script in scripts, `${at}: ${script}`);
      for (const [, file = ''] of block.matchAll(/\btsx (\S+\.ts)/g)) assert.ok(existsSync(join(repository, file)), at);
    }
  }
});

test('every script of package.json is in the documents', () => {
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const all = documents.map((document) => document.text).join('\n');
  for (const name of Object.keys(scripts).filter((one) => one !== 'prestart')) {
    assert.match(all, new RegExp(`npm (run )?${name}\\b`), name);
  }
});
