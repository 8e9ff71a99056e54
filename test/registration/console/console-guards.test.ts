import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createApp } from '../../../src/app.ts';
import { routesOf } from '../../fuzz/routes.ts';
import { type Browser, formRequest, type Page } from '../../support/browser.ts';
import { createClientKey } from '../../support/client-assertion.ts';
import { signedInBrowser } from '../../support/flow.ts';
import { password, printer, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';

const { origin, database, deps } = await startLatchkey({ REGISTRATION: 'open' });
await registerPeople(database, ['alice', 'root']);
await database.query("update users set is_admin = true where username = 'root'");
const list = '/developer/applications';
const path = `${list}/${printer.client_id}`;
const key = JSON.stringify({ keys: [createClientKey('thief').jwk] });

/** A form of the console: where it stands, its button, what is typed; and whether it takes a proof of the person. */
interface Door {
  page: string;
  button: string;
  fields: Record<string, string>;
  proves: boolean;
}

const described = { name: 'Cards', site_domain: 'cards.example', redirect_uris: 'https://cards.example/cb' };
const to = (door: string) => `action="${path}/${door}"`;
const doors: Record<string, Door> = {
  [`${list}/new`]: {
    page: `${list}/new`,
    button: 'class="primary"',
    fields: { ...described, 'use:user:name': 'required' },
    proves: true,
  },
  [`${list}/:client_id/security`]: {
    page: `${path}/security`,
    button: 'class="primary"',
    fields: { token_endpoint_auth_method: 'private_key_jwt', jwks: key },
    proves: true,
  },
  [`${list}/:client_id/secrets`]: { page: `${path}/credentials`, button: to('secrets'), fields: {}, proves: true },
  [`${list}/:client_id/secrets/delete`]: {
    page: `${path}/credentials?delete=`,
    button: 'id="delete"',
    fields: {},
    proves: true,
  },
  [`${list}/:client_id`]: {
    page: `${path}/registration`,
    button: 'class="primary"',
    fields: { name: 'Renamed' },
    proves: false,
  },
  [`${list}/:client_id/disable`]: { page: path, button: to('disable'), fields: {}, proves: false },
  [`${list}/:client_id/enable`]: { page: path, button: to('enable'), fields: {}, proves: false },
  [`${list}/:client_id/vouch`]: { page: path, button: to('vouch'), fields: {}, proves: false },
  [`${list}/:client_id/delete`]: {
    page: path,
    button: to('delete'),
    fields: { confirm: printer.name },
    proves: false,
  },
  [`${list}/:client_id/token`]: {
    page: `${path}/activity`,
    button: to('token'),
    fields: { token: 'x' },
    proves: false,
  },
};

async function startAnew(): Promise<void> {
  await database.query('delete from attempts; delete from clients');
  await registerPrinter(database);
}
beforeEach(startAnew);

const state = async () => (await database.query("select to_jsonb(clients) - 'last_used_at' as row from clients")).rows;
const credentials = async () =>
  (
    await database.query(
      `select client_id, secrets_sha256, token_endpoint_auth_method, jwks, jwks_uri, tls_client_auth_subject_dn,
         tls_client_auth_san_dns, token_binding
       from clients`,
    )
  ).rows;

/** Signed in long ago, at an unlocked browser. */
async function grownOld(username: string): Promise<Browser> {
  const browser = await signedInBrowser(origin, username);
  await database.query("update sessions set auth_time = now() - interval '16 minutes'");
  return browser;
}

async function own(username: string | null): Promise<void> {
  await database.query('update clients set owner_id = (select user_id from users where username = $1)', [username]);
}

/** As the door needs it: a second secret that could be deleted, an application that could be enabled. */
async function prepared(door: Door): Promise<string> {
  if (door.button.includes('/enable')) {
    await database.query('update clients set disabled_at = now(), disabled_by_owner = true');
  }
  if (!door.page.endsWith('delete=')) return door.page;
  await database.query(
    "update clients set secrets_sha256 = secrets_sha256 || '\\x00'::bytea, secrets_since = secrets_since || now()",
  );
  return `${door.page}00`;
}

/** The form of the page; where it is not shown, what a script would send. */
function requestOf(door: Door, page: Page): [string, RequestInit] {
  if (page.text.includes(door.button)) return formRequest(page, door.button, door.fields);
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const body = new URLSearchParams({ ...door.fields, csrf }).toString();
  const action = /^action="([^"]+)"$/.exec(door.button)?.[1] ?? door.page;
  return [action, { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded', origin } }];
}

test('each form of the console is known here', () => {
  const forms = routesOf(createApp(deps)).filter(
    ({ path: at, methods }) => at.startsWith(list) && methods.includes('post'),
  );
  assert.deepEqual(forms.map(({ path: at }) => at).sort(), Object.keys(doors).sort());
});

test('an unlocked browser gets and replaces no credential of an application: each such form asks for the password', async () => {
  for (const [name, door] of Object.entries(doors).filter(([, { proves }]) => proves)) {
    await own('alice');
    const at = await prepared(door);
    const alice = await grownOld('alice');
    const before = await credentials();
    const page = await alice.visit(at);
    const refused = await alice.submit(page, door.button, door.fields);
    assert.match(refused.text, /id="problem"/, `${name}: ${refused.status}`);
    assert.deepEqual(await credentials(), before, name);
    const done = await alice.submit(page, door.button, { ...door.fields, password });
    assert.equal(done.status, 200, name);
    assert.notDeepEqual(await credentials(), before, name);
    await startAnew();
  }
});

test('no other form of the console changes how an application proves who it is, whatever is sent with it', async () => {
  const all = Object.assign({}, ...Object.values(doors).map(({ fields }) => fields), {
    client_secret: printer.client_secret,
  });
  for (const [name, door] of Object.entries(doors).filter(([, { proves }]) => !proves)) {
    await own('alice');
    await prepared(door);
    const alice = await grownOld('alice');
    const before = await credentials();
    const page = await alice.visit(door.page);
    if (!page.text.includes(door.button)) continue;
    await alice.submit(page, door.button, { ...all, ...door.fields });
    assert.deepEqual(await credentials(), before, name);
    await startAnew();
  }
});

test('an administrator who signed in long ago signs in again before anything of an application is shown or changed', async () => {
  for (const owner of [null, 'root']) {
    for (const [name, door] of Object.entries(doors)) {
      await own(owner);
      const at = await prepared(door);
      const root = await signedInBrowser(origin, 'root');
      const request = requestOf(door, await root.visit(at));
      const before = await state();
      await database.query("update sessions set auth_time = now() - interval '16 minutes'");
      for (const answer of [await root.open(at), await root.open(...request)]) {
        assert.equal(answer.status, 302, name);
        const { pathname, searchParams } = new URL(answer.location ?? '', origin);
        assert.deepEqual([pathname, searchParams.get('fresh')], ['/login', '1'], name);
      }
      assert.deepEqual(await state(), before, name);
      await database.query('update sessions set auth_time = now()');
      assert.notEqual((await root.visit(...request)).status, 403, name);
      await startAnew();
    }
  }
});

test('the trail names the administrator who did something with an application of somebody else', async () => {
  const { rows: users } = await database.query("select user_id from users where username = 'root'");
  for (const [name, door] of Object.entries(doors)) {
    if (name.endsWith('/token') || name.endsWith('/new')) continue;
    await own('alice');
    const at = await prepared(door);
    const root = await signedInBrowser(origin, 'root');
    const { rows: before } = await database.query('select count(*)::integer as events from audit_trail');
    await root.submit(await root.visit(at), door.button, door.fields);
    const { rows } = await database.query(
      'select client_id, user_id, by_user_id from audit_trail order by happened_at offset $1',
      [before[0].events],
    );
    assert.deepEqual(rows, [{ client_id: printer.client_id, user_id: null, by_user_id: users[0].user_id }], name);
    await startAnew();
  }
});
