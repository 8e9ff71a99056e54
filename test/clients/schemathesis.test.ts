import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { basic, obtainCode, redeem, signedInBrowser } from '../support/flow.ts';
import { registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { runPythonModule, skip } from './python.ts';

test('schemathesis finds no answer that contradicts /openapi.json', { skip }, async () => {
  const { origin, database } = await startLatchkey({ REGISTRATION_ENDPOINT: 'open' });
  await registerPeople(database);
  await registerPrinter(database);
  const alice = await signedInBrowser(origin);
  const { body } = await redeem(origin, await obtainCode(alice, { scope: 'user user:write' }));
  const config = fileURLToPath(new URL('schemathesis.toml', import.meta.url));
  const seed = process.env['FUZZ_SEED'] === undefined ? [] : ['--seed', process.env['FUZZ_SEED']];
  const run = ['run', `${origin}/openapi.json`, '--max-examples', '20', '--warnings', 'off', ...seed];
  const credentials = { BASIC: basic(), BEARER: `Bearer ${body['access_token']}` };
  await runPythonModule('schemathesis.cli', ['--config-file', config, ...run], credentials);
});
