// ci: starts, stops and kills processes
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { loadConfig } from '../../src/config/config.ts';
import { secretVariables } from '../../src/config/secret-files.ts';
import { startCollector } from '../support/collector.ts';
import { commandLineFor } from '../support/command-line.ts';
import { createDatabase } from '../support/database.ts';
import { signedInBrowser } from '../support/flow.ts';
import { seed, startProcess, startServing } from '../support/process.ts';
import { scratch, writeFile } from '../support/scratch.ts';

const url = await createDatabase();
const { latchkey } = commandLineFor(url);
const secret = 'a session secret that has spaces and no line feed';

async function sessionCookie(origin: string): Promise<string> {
  const browser = await signedInBrowser(origin);
  return [...browser.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** The only line that the server writes before it ends with status 1. */
async function refusal(env: Record<string, string>): Promise<string> {
  const server = await startProcess({ DATABASE_URL: url, ...env });
  assert.equal(await server.exit, 1);
  const [heading, line, ...more] = server.output().split('\n');
  assert.deepEqual([heading, more], ['The configuration is invalid:', ['']]);
  return line ?? '';
}

test('server and commands read their secrets from files, without the line feed at the end and with everything else [F31]', async () => {
  const files = [`${secret}\n`, `${secret}\r\n`, secret].map((text, index) => writeFile(`secret-${index}`, text));
  for (const SESSION_SECRET_FILE of files) {
    assert.deepEqual(loadConfig({ SESSION_SECRET_FILE }).session_secret, [secret], SESSION_SECRET_FILE);
  }
  const DATABASE_URL_FILE = writeFile('database-url', `${url}\n`);
  const SEED_FILE = writeFile('secret-files.sql', seed);
  let cookie = '';
  // two files mean the same secret: a session of one server is one of the other
  for (const SESSION_SECRET_FILE of files.slice(0, 2)) {
    const server = await startServing({ DATABASE_URL_FILE, SESSION_SECRET_FILE, SEED_FILE, DEMO: 'false' });
    cookie ||= await sessionCookie(server.origin);
    const { status } = await fetch(`${server.origin}/account`, { headers: { cookie }, redirect: 'manual' });
    assert.equal(status, 200, SESSION_SECRET_FILE);
    await server.kill();
  }
  const listed = await latchkey(['user', 'list'], { env: { DATABASE_URL: '', DATABASE_URL_FILE } });
  assert.match(listed.out, / alice /);
  // the secret in the environment is the same one, and another secret is another one
  const other = await startServing({ DATABASE_URL: url, SESSION_SECRET: `${secret}.` });
  const { status } = await fetch(`${other.origin}/account`, { headers: { cookie }, redirect: 'manual' });
  assert.equal(status, 302);
  await other.kill();
});

test('a secret file that cannot be used ends the start with one line that names variable and path, and not the content [F31]', async () => {
  const directory = join(scratch, 'a-directory');
  mkdirSync(directory);
  const huge = writeFile('huge', 'x'.repeat(65_537));
  const wrong: [path: string, problem: string][] = [
    [directory, 'is a directory, and must be a file'],
    ['/dev/null', 'must be a file'],
    [writeFile('empty', ''), 'is empty'],
    [writeFile('only-a-line-feed', '\n'), 'is empty'],
    [writeFile('mark', `\ufeff${secret}`), 'begins with a byte order mark: save it without one'],
    [writeFile('two-lines', `${secret}\n${secret}\n`), 'must have one line'],
    [writeFile('blank-line', `${secret}\n\n`), 'must have one line'],
    [writeFile('nul', `${secret}\0`), 'contains a NUL character'],
    [huge, 'must not have more than 65536 bytes'],
    [writeFile('short', 'hunter2'), 'must have at least 32 characters each'],
  ];
  const latin = join(scratch, 'latin-1');
  writeFileSync(latin, Buffer.from(`${secret} \xe9`, 'latin1'));
  wrong.push([latin, 'must be UTF-8']);
  const unreadable = process.getuid?.() === 0 ? '/proc/self/mem' : writeFile('unreadable', secret);
  if (unreadable.startsWith(scratch)) chmodSync(unreadable, 0);
  if (existsSync(unreadable))
    wrong.push([unreadable, unreadable.startsWith('/proc') ? 'cannot be read (EIO)' : 'cannot be read (EACCES)']);
  for (const [SESSION_SECRET_FILE, problem] of wrong) {
    const message = `SESSION_SECRET_FILE: ${SESSION_SECRET_FILE}: ${problem}`;
    assert.throws(() => loadConfig({ SESSION_SECRET_FILE }), { message });
  }
  const file = writeFile('fine', secret);
  assert.deepEqual(loadConfig({ SESSION_SECRET_FILE: file }).session_secret, [secret]);
  const both = await refusal({ SESSION_SECRET_FILE: file, SESSION_SECRET: `${secret}!` });
  assert.equal(both, `SESSION_SECRET_FILE: ${file}: SESSION_SECRET is set, too: remove one of them`);
  const noUrl = writeFile('no-url', 'mysql://root:hunter2@localhost/db');
  const wrongUrl = await refusal({ DATABASE_URL: '', DATABASE_URL_FILE: noUrl });
  assert.equal(wrongUrl, `DATABASE_URL_FILE: ${noUrl}: must begin with postgres://`);
  const command = await latchkey(['user', 'list'], { env: { SESSION_SECRET_FILE: join(scratch, 'missing') } });
  assert.equal(command.code, 1);
  assert.match(command.err, /^SESSION_SECRET_FILE: must be the path of a file, and there is none \(not shown/m);
});

test('a secret that stands where the path of its file belongs is not shown, whatever it looks like [F31]', async () => {
  for (const value of [
    'kR3-hunter2-kR3-hunter2-kR3-hunter2-kR3',
    '/9j+hunter2/Zm9vYmFyYmF6/hunter2+hunter2==',
    `./hunter2${'x'.repeat(5000)}`,
    `${import.meta.filename}/hunter2`,
    'postgres://latchkey:hunter2@localhost/latchkey',
  ]) {
    for (const name of secretVariables) {
      for (const more of [{}, { [name]: 'also set, with another value of 32 characters' }]) {
        const env = { [`${name}_FILE`]: value, ...more };
        assert.throws(
          () => loadConfig(env),
          ({ message }: Error) => message.includes(`${name}_FILE: `) && !message.includes('hunter2'),
        );
      }
    }
  }
  const line = await refusal({ SESSION_SECRET_FILE: 'kR3-hunter2-kR3-hunter2-kR3-hunter2-kR3' });
  assert.match(line, /^SESSION_SECRET_FILE: must be the path of a file/);
  assert.doesNotMatch(line, /hunter2/);
});

test('the headers for the collector of traces come from a file as well, and reach it from every worker [F31]', async () => {
  const collector = await startCollector();
  const text = 'authorization=Basic%20b3Blbg%2C,x-tenant=1';
  const env = {
    DATABASE_URL: url,
    SESSION_SECRET: secret,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS_FILE: writeFile('collector-headers', `${text}\n`),
  };
  assert.deepEqual(loadConfig(env).tracing?.headers, { authorization: 'Basic b3Blbg,', 'x-tenant': '1' });
  const wrong = { ...env, OTEL_EXPORTER_OTLP_HEADERS_FILE: writeFile('no-headers', 'Bearer hunter2') };
  const problem = 'must be name=value, several separated by commas, with percent-encoded values';
  const message = `OTEL_EXPORTER_OTLP_HEADERS_FILE: ${wrong.OTEL_EXPORTER_OTLP_HEADERS_FILE}: ${problem}`;
  assert.throws(() => loadConfig(wrong), { message });
  const server = await startServing({ ...env, WEB_CONCURRENCY: '2' });
  const askAll = async (workers: number) => {
    const known = new Set<string | undefined>();
    while (known.size < workers) {
      const signal = AbortSignal.timeout(2000);
      // a connection that was handed to the worker that is being killed gets no answer
      await fetch(`${server.origin}/healthz`, { headers: { connection: 'close' }, signal }).catch(() => {});
      await pause(20);
      for (const { body } of collector.received)
        known.add(/"service\.instance\.id".*?stringValue":"(.*?)"/.exec(body)?.[1]);
    }
    return [...known];
  };
  const [first = ''] = await askAll(2);
  // a worker that is started later does not need the file
  rmSync(env.OTEL_EXPORTER_OTLP_HEADERS_FILE);
  process.kill(Number(/\d+$/.exec(first)?.[0]), 'SIGKILL');
  await askAll(3);
  for (const { headers } of collector.received) {
    assert.deepEqual([headers.authorization, headers['x-tenant']], ['Basic b3Blbg,', '1']);
  }
  await server.kill();
});

test('a worker that is started after a secret file has changed has the secret of the others [F31]', async () => {
  // as Kubernetes replaces a secret: the file is a link that is exchanged
  const link = join(scratch, 'swapped');
  symlinkSync(writeFile('first-secret', secret), link);
  const server = await startServing({ DATABASE_URL: url, SESSION_SECRET_FILE: link, WEB_CONCURRENCY: '2' });
  const cookie = await sessionCookie(server.origin);
  rmSync(link);
  symlinkSync(writeFile('second-secret', 'x'.repeat(40)), link);
  const workers = () => new Set([...server.output().matchAll(/"pid":(\d+).*"request_id"/g)].map(([, pid]) => pid));
  const ask = (given: RequestInit = {}) =>
    fetch(`${server.origin}/account`, { headers: { cookie, connection: 'close' }, redirect: 'manual', ...given });
  for (; workers().size < 2; await pause(20)) assert.equal((await ask()).status, 200);
  const [first] = workers();
  process.kill(Number(first), 'SIGKILL');
  await server.said(/a worker process ended; starting another/);
  for (; workers().size < 3; await pause(20)) {
    // a connection that was handed to a worker which is being killed gets no answer
    const status = await ask({ signal: AbortSignal.timeout(2000) }).then(
      (answer) => answer.status,
      () => 'no answer',
    );
    assert.notEqual(status, 302, 'the new worker does not know the session');
  }
  await server.kill();
});
