import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registerNewResource } from '../../src/catalogue/resources.sql.ts';
import { registerNewScope } from '../../src/catalogue/scopes.sql.ts';
import { registerNewClient } from '../../src/clients/client-registration.sql.ts';
import { registerNewUser } from '../../src/identity/users.sql.ts';
import { registerDocument } from '../../src/registration/documents/documents.sql.ts';
import { printer, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';

// Whoever adds something new changes nothing that somebody else has added at the same moment.

const { database } = await startLatchkey();
await registerPrinter(database, { client_id: 'guard' });
await registerPeople(database, ['alice', 'bob']);
const document = {
  ...{ client_id: 'https://latchkey.example/developer/documents/one', name: 'Inspector', site_domain: 'localhost' },
  ...{
    redirect_uris: ['http://127.0.0.1/cb'],
    scopes: ['user:name'],
    grant_types: ['authorization_code'],
    vouched: false,
  },
};
const trace = { request_id: 'r', address: null } as const;

interface Addition {
  table: string;
  key: string;
  name: string;
  first: string;
  second(): Promise<unknown>;
}

const additions: Addition[] = [
  {
    ...{ table: 'users', key: 'username', name: 'ada' },
    first: "select register_user(username => 'ada', email => 'ada@example.com')",
    second: () =>
      registerNewUser(
        database,
        { username: 'ada', password_hash: null, is_admin: true, email: 'eve@example.net' },
        { event: 'user_registered', ...trace },
      ),
  },
  {
    ...{ table: 'clients', key: 'client_id', name: 'photo-printer' },
    first: `select register_client(client_id => 'photo-printer', name => 'Photos', site_domain => 'photos.example',
      redirect_uris => array['https://photos.example/cb'], scopes => array['user:name'])`,
    second: () =>
      registerNewClient(
        database,
        { ...printer, redirect_uris: [printer.redirect_uri], scopes: ['repo'], required_scopes: [] },
        { event: 'client_registered', client_id: printer.client_id, ...trace },
      ),
  },
  {
    ...{ table: 'clients', key: 'client_id', name: document.client_id },
    first: `select register_developer_document((select user_id from users where username = 'alice'), '${JSON.stringify(document)}')`,
    second: async () => {
      const { rows } = await database.query("select user_id from users where username = 'bob'");
      const event = { event: 'client_registered', client_id: document.client_id, ...trace } as const;
      return (await registerDocument(database, { ...document, ...rows[0] }, event)).isDone;
    },
  },
  {
    ...{ table: 'scopes', key: 'name', name: 'notes' },
    first: "select register_scope('notes', 'Delete your notes', group_name => 'all', changes => true)",
    second: () =>
      registerNewScope(
        database,
        { name: 'notes', sentence: 'Read your notes', group_name: null, changes: null },
        { event: 'scope_registered', ...trace },
      ),
  },
  ...['https://notes.example', 'https://notes.example/'].map((resource) => ({
    ...{ table: 'resources', key: 'resource', name: 'https://notes.example' },
    first: "select register_resource('https://notes.example', '{repo:read}', client_id => 'guard')",
    second: () =>
      registerNewResource(
        database,
        { resource, scopes: ['user'], client_id: null, token_format: 'jwt' },
        { event: 'resource_registered', ...trace },
      ),
  })),
];

for (const { table, key, name, first, second } of additions) {
  test(`of two that are added to ${table} at the same moment, the first stays as it is`, async () => {
    await database.query(`delete from ${table} where ${key} = $1`, [name]);
    const rows = async () =>
      (await database.query(`select to_jsonb(t) as row from ${table} t where ${key} like $1`, [`${name}%`])).rows;
    const { rowCount: earlierEvents } = await database.query('select from audit_events');
    const holder = await database.connect();
    try {
      await holder.query('begin');
      await holder.query(first);
      const added = second();
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      while (!(await database.query(waiting)).rowCount) await new Promise((resolve) => setTimeout(resolve, 5));
      const stored = (await holder.query(`select to_jsonb(t) as row from ${table} t where ${key} = $1`, [name])).rows;
      await holder.query('commit');
      assert.ok(!(await added), 'the second was refused');
      assert.deepEqual(await rows(), stored);
      assert.equal((await database.query('select from audit_events')).rowCount, earlierEvents);
    } finally {
      holder.release(true);
    }
  });
}
