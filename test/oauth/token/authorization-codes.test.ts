import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createCredential, credentialKey } from '../../../src/lib/secrets.ts';
import { issueAuthorizationCode } from '../../../src/oauth/token/authorization-codes.sql.ts';
import { openDatabase, requestSettings } from '../../../src/postgres/database.ts';
import { obtainCode, signedInBrowser } from '../../support/flow.ts';
import { startWithPrinter } from '../../support/latchkey.ts';

const { origin, url } = await startWithPrinter();
// a busy machine may need longer for the steps of the test than a request waits for a lock
const database = openDatabase({ connectionString: url }, 4, { ...requestSettings, lock_timeout: '3s' });
after(() => database.end());
await obtainCode(await signedInBrowser(origin));
const { rows: grants } = await database.query('select grant_id from grants');
const { rows: others } = await database.query(
  `insert into grants (user_id, client_id, scopes, decided, redirect_uris, duration)
   select user_id, client_id, scopes, decided, redirect_uris, 'once' from grants returning grant_id`,
);

const { rows: sessions } = await database.query('select sid_sha256 from sessions');

const issue = (grant_id: string) =>
  issueAuthorizationCode(database, {
    code_sha256: credentialKey(createCredential('authorization_code')),
    sid_sha256: sessions[0].sid_sha256,
    grant_id,
    redirect_uri: 'https://printer.example/callback',
    redirect_uri_sent: true,
    code_challenge: undefined,
    binding: null,
    requested_scope: undefined,
    gives_username: false,
    resources: 'self',
    scope: 'user:name',
    auth_time: undefined,
    acr: 1,
    ttl: 60,
  });

test('requests for a grant that is being deleted get no code and no error, and a simultaneous request for another grant gets its code', async () => {
  const [kept, doomed] = [grants[0].grant_id, others[0].grant_id];
  const holder = await database.connect();
  await holder.query('begin');
  await holder.query('delete from grants where grant_id = $1', [doomed]);
  const alone = issue(doomed);
  await new Promise(setImmediate);
  const codes = Promise.all([alone, issue(doomed), issue(kept)]);
  const blocked = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  while ((await database.query(blocked)).rowCount !== 2) {}
  await holder.query('commit');
  holder.release();
  assert.deepEqual(
    (await codes).map((issued) => issued?.is_open),
    [undefined, undefined, true],
  );
});
