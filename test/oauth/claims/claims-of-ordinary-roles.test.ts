import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { migrateDatabase } from '../../../src/operations/database-server.ts';
import { startEmbeddedPostgres } from '../../../src/postgres/embedded/start.ts';
import { applySeed } from '../../../src/postgres/migrations.ts';

// Where the user of DATABASE_URL is no superuser, as at most hosts of databases: on a server of its own, whose roles are those of this test.

const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-roles-'));
const server = await startEmbeddedPostgres({ dataDir, durable: false, announce: () => {} });
after(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function run(sql: string, { user = server.connection.user, database = 'postgres' } = {}) {
  const client = new pg.Client({ ...server.connection, user, database });
  await client.connect();
  return client.query(sql).finally(() => client.end());
}

const migrated = (user: string) => migrateDatabase({ ...server.connection, user, database: user }, () => {});

async function readsClaim(user: string): Promise<unknown> {
  const register = `select register_claim(name => 'own', scope => 'user:own', sentence => 'See what is yours', query => 'select to_jsonb($1)')`;
  for (let time = 0; time < 2; time += 1) await run(register, { user, database: user });
  const { rows } = await run(`select "claim own"('7') as value`, { user, database: user });
  return rows[0].value;
}

test('a user who may create roles makes the reader with the migrations, and can register claims, again and again', async () => {
  await run('create role maker login createrole');
  await run('create database maker owner maker');
  await migrated('maker');
  assert.equal(await readsClaim('maker'), '7');
});

test('any other user is told what a superuser has to grant, one thing after the other, and that is enough', async () => {
  await run('create role guest login noinherit');
  await run('create database guest');
  await run('grant create on database guest to guest; grant create on schema public to guest', { database: 'guest' });
  await migrated('guest');
  for (const lacking of [/guest cannot hand a function over/, /guest cannot let the role .* in the schema public/]) {
    const refusal = await readsClaim('guest').then(
      () => assert.fail('registered'),
      (error: Error) => error.message,
    );
    assert.match(refusal, lacking);
    assert.doesNotMatch(refusal, /query/);
    const [, grant = ''] = /permits it: (grant .*)$/.exec(refusal) ?? [];
    await run(grant, { database: 'guest' });
  }
  assert.equal(await readsClaim('guest'), '7');
});

test('the seed of the demo does without albums where the user may make no schema', async () => {
  const albums = async () => {
    await applySeed({ ...server.connection, user: 'guest', database: 'guest' }, 'migrations/seeds/demo.sql');
    const { rows } = await run(`select name from scopes where name = 'albums:read'`, { database: 'guest' });
    return rows.length;
  };
  await run('revoke create on database guest from guest');
  assert.equal(await albums(), 0);
  await run('grant create on database guest to guest');
  assert.equal(await albums(), 1);
});
