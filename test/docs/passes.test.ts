import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { authorizationQuery, codeIn, getUser, obtainCode, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { type Latchkey, settle, startWithPrinter } from '../support/latchkey.ts';
import { repository } from './documents.ts';

const map = readFileSync(join(repository, 'src/README.md'), 'utf8');
const [table = ''] = /(?<=## What a request passes\n).*?(?=\n## )/s.exec(map) ?? [];
const rows = new Map(
  [...table.matchAll(/^\| (.+?) \| (.+) \|$/gm)].map(([, name = '', cells = '']) => [
    name,
    [...cells.matchAll(/`([\w./-]+\.ts)`/g)].map(([, file = '']) => file),
  ]),
);

const session = new Session();
session.connect();
after(() => session.disconnect());

/** The files of which a function has run since the last look. */
async function passedFiles(latchkey: Latchkey): Promise<string[]> {
  await settle(latchkey);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const isRun = ({ functionName, ranges }: (typeof result)[number]['functions'][number]) =>
    // what the compiler adds, and the module itself
    functionName !== '__name' && ranges.some(({ count, startOffset }) => count > 0 && startOffset > 0);
  const files = result
    .filter(({ functions }) => functions.some(isRun))
    .map(({ url }) => url.split(`${repository}src/`)[1]);
  return files.filter((file) => file !== undefined);
}

test('the map names every file that a request passes, and no other', async () => {
  const latchkey = await startWithPrinter();
  const { origin } = latchkey;
  const browser = await signedInBrowser(origin);
  // consent is given, and what a process remembers is known
  const { body: first } = await redeem(origin, await obtainCode(browser));
  await getUser(origin, first['access_token']);
  await settle(latchkey);
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

  const page = await browser.visit(`/authorize?${authorizationQuery()}`);
  const authorize = await passedFiles(latchkey);
  const { body } = await redeem(origin, codeIn(page));
  const token = await passedFiles(latchkey);
  await getUser(origin, body['access_token']);
  const user = await passedFiles(latchkey);
  await refresh(origin, body['refresh_token']);
  const refreshed = await passedFiles(latchkey);

  const every = rows.get('each of them') ?? [];
  const named = (name: string) => [...new Set([...every, ...(rows.get(name) ?? [])])].sort();
  assert.deepEqual(
    { authorize: authorize.sort(), token: token.sort(), refreshed: refreshed.sort(), user: user.sort() },
    {
      authorize: named('`GET /authorize`, remembered'),
      token: named('`POST /token` with a code'),
      refreshed: named('`POST /token` with a refresh token'),
      user: named('`GET /user`'),
    },
  );
});
