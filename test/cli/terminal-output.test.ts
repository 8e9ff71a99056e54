import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase } from '../support/database.ts';
import { basic } from '../support/flow.ts';
import { findFreePort } from '../support/free-port.ts';
import { printer } from '../support/latchkey.ts';
import { type LatchkeyProcess, startProcess, startServing } from '../support/process.ts';

const DATABASE_URL = await createDatabase();

/** Makes the process believe that its standard output is a terminal. */
const asTerminal = ['--import=data:text/javascript,process.stdout.isTTY=true'];
const onTerminal = (env: Record<string, string>) => startServing({ DATABASE_URL, ...env }, asTerminal);

/**
 * What it has printed, except for what depends on the machine: the server of the tests trades durability for speed, which is
 * worth an error, and a fast machine is worth a warning.
 */
const printed = ({ output }: LatchkeyProcess) =>
  output().replaceAll(/^(Error: .* \((fsync|synchronous_commit) = off\)|bcrypt of cost ).*\n/gm, '');

const refuse = (origin: string, client_id: string) =>
  fetch(`${origin}/token`, {
    method: 'POST',
    headers: { authorization: basic(client_id, 'x'), 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=authorization_code&code=x',
  });

test('on a terminal the first lines say which page to open, which account to use and how to stop', async () => {
  // in a database of its own: where a demo has been, a start without it is refused
  const latchkey = await onTerminal({ DEMO: 'true', DATABASE_URL: await createDatabase() });
  await latchkey.said(/Ctrl-C/);
  const { origin } = latchkey;
  const expected = `Open ${origin}/playground\nSign in as alice with the password wonderland.\nPress Ctrl-C to stop.\n`;
  assert.ok(printed(latchkey).endsWith(expected), latchkey.output());
});

test('on a terminal each refusal is one line with its reason, and nothing else is printed', async () => {
  const latchkey = await onTerminal({});
  await latchkey.said(/Ctrl-C/);
  const start = printed(latchkey).length;
  await fetch(`${latchkey.origin}/healthz`);
  await refuse(latchkey.origin, printer.client_id);
  await refuse(latchkey.origin, '\u001b[2Jred\nalert');
  await latchkey.said(/alert/);
  assert.deepEqual(printed(latchkey).slice(start).split('\n'), [
    `401 POST /token ${printer.client_id} invalid_client: client unknown`,
    '401 POST /token \uFFFD[2Jred\uFFFDalert invalid_client: client unknown',
    '',
  ]);
});

test('on a terminal LOG_LEVEL applies: debug prints every request, warn prints neither progress nor refusals', async () => {
  const loud = await onTerminal({ LOG_LEVEL: 'debug' });
  await fetch(`${loud.origin}/healthz`);
  await loud.said(/^200 GET \/healthz \d+ ms$/m);

  const PORT = String(await findFreePort());
  const quiet = await startProcess({ DATABASE_URL, LOG_LEVEL: 'warn', PORT }, asTerminal);
  const isServing = () =>
    fetch(`${quiet.origin}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isServing())) await pause(20);
  await refuse(quiet.origin, printer.client_id);
  await quiet.kill();
  assert.equal(printed(quiet), '');
});
