// ci: programs of others, and other languages
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
  // each run sends the same requests; FUZZ_SEED=$RANDOM tries others
  const { FUZZ_SEED = '1' } = process.env;
  // its health checks judge the speed and the luck with which it invents requests, not the answers
  const options = ['--max-examples', '20', '--warnings', 'off', '--seed', FUZZ_SEED, '--suppress-health-check', 'all'];
  const run = ['run', `${origin}/openapi.json`, ...options];
  const credentials = { BASIC: basic(), BEARER: `Bearer ${body['access_token']}` };
  await runPythonModule('schemathesis.cli', ['--config-file', config, ...run], credentials);
});
