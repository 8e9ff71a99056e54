import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { obtainCode, post, redeem, signedInBrowser } from '../support/flow.ts';
import { registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { scratch } from '../support/process.ts';
import { blocksOf, documents } from './documents.ts';

const [, client_secret = ''] = /photo-printer:(\S+)/.exec(example()) ?? [];

function example(): string {
  const { text = '' } = documents.find(({ path }) => path === 'src/endpoints/README.md') ?? {};
  return blocksOf(text).find((block) => block.text.includes('proof.mjs'))?.text ?? assert.fail('no example');
}

const hasTools = ['bash', 'curl', 'openssl'].every((tool) => spawnSync(tool, ['version']).error === undefined);
const skip = hasTools ? false : 'needs bash, curl and openssl';

test('the example of a bound token works as the document says', { skip }, async () => {
  const { origin, database } = await startLatchkey();
  await registerPeople(database);
  await registerPrinter(database, { client_secret });
  const headers = { authorization: `Basic ${Buffer.from(`photo-printer:${client_secret}`).toString('base64')}` };
  const code = await obtainCode(await signedInBrowser(origin));
  const { refresh_token } = (await redeem(origin, code, {}, headers)).body;
  const directory = join(scratch, 'bound-token');
  mkdirSync(directory);
  const commands = example().replace('http://localhost:3000', origin).replace('lk_rt_…', String(refresh_token));
  const { stdout } = await promisify(execFile)('bash', ['-ec', `${commands}\necho; echo "$TOKEN"`], { cwd: directory });
  const [profile = '', token = ''] = stdout.split('\n');
  assert.equal(JSON.parse(profile).username, 'alice');
  const { body } = await post(`${origin}/introspect`, { token }, headers);
  assert.equal(body['token_type'], 'DPoP');
});
