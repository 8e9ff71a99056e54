import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import bcrypt from 'bcrypt';
import { sendWaitingMails } from '../../../src/accounts/mail/mailing.ts';
import { eventKey } from '../../../src/audit/event-key.sql.ts';
import { Browser } from '../../support/browser.ts';
import { commandLineFor } from '../../support/command-line.ts';
import { password, registerPeople, registerUser, startLatchkey } from '../../support/latchkey.ts';
import { linkIn, startSmtpServer } from '../../support/smtp-server.ts';

// Which event ends which link. Whoever holds the account now must not be able to end the recovery of who held it before, and what an
// operator decides ends what people can do by themselves.

const box = await startSmtpServer();
const secret = randomBytes(24).toString('base64url');
const mailed = { SMTP_URL: box.url, MAIL_FROM: 'accounts@id.example', SESSION_SECRET: secret, SIGN_UP: 'open' };
const { origin, database, deps, url } = await startLatchkey(mailed);
const commands = commandLineFor(url);
await registerPeople(database, ['root']);
await database.query("update users set is_admin = true where username = 'root'");
// of another cost than ours: the next sign-in stores another hash of the same password
const importedHash = await bcrypt.hash(password, 5);

const latchkey = async (words: string[], input = '') => {
  const { code, out, err } = await commands.latchkey(words, { env: { ...mailed, ISSUER: origin }, input });
  assert.equal(code, 0, err);
  return out;
};

async function sendMails(): Promise<void> {
  while ((await sendWaitingMails(deps)) > 0);
}

async function mailTo(address: string, subject = /./) {
  await sendMails();
  return box.next(address, subject);
}

interface Person {
  name: string;
  /** the address before the account was stolen */
  address: string;
  /** the address of whoever has taken the account over */
  other: string;
  browser: Browser;
}

let count = 0;
async function newPerson(): Promise<Person> {
  count += 1;
  const name = `person-${count}`;
  const address = `${name}@former.example`;
  await registerUser(database, { username: name, password: importedHash, email: address, name });
  return { name, address, other: `${name}@other.example`, browser: new Browser(origin) };
}

async function signIn({ name, browser }: Person, word = password): Promise<void> {
  const page = await browser.submit(await browser.visit('/login'), 'id="login"', { username: name, password: word });
  assert.match(page.text, /\/account/);
}

const ask = async (path: string, address: string) => {
  await database.query('delete from attempts');
  const browser = new Browser(origin);
  await browser.submit(await browser.visit(path), 'id="send"', { address });
};

/** Enters another address, and leaves it unproved. */
async function enterAddress(person: Person, email = person.other): Promise<void> {
  await database.query('delete from attempts');
  const { browser } = person;
  const account = await browser.visit('/account');
  const page = await browser.submit(account, 'name="current_password"', { email, current_password: password });
  assert.match(page.text, /confirmation|email/i);
}

async function takeAddress(person: Person): Promise<void> {
  count += 1;
  const address = `${person.name}-${count}@thief.example`;
  await enterAddress(person, address);
  const proof = linkIn(await mailTo(address));
  const done = await person.browser.submit(await person.browser.visit(proof), 'id="confirm"');
  assert.match(done.url, /address_confirmed/);
}

/** How each link comes to the person. Whoever holds the account is signed in afterwards. */
const links: Record<string, (person: Person) => Promise<string>> = {
  'a link to a new password that was asked for': async (person) => {
    await signIn(person);
    await sendMails();
    await ask('/forgot-password', person.name);
    return linkIn(await mailTo(person.address, /new password/));
  },
  'a link to a new password that an operator has handed over': async (person) => {
    await signIn(person);
    return JSON.parse(await latchkey(['user', 'reset-link', person.name, '--json'])).url;
  },
  'the proof of a new address': async (person) => {
    await signIn(person);
    await enterAddress(person);
    return linkIn(await mailTo(person.other));
  },
  '“this was not me” of a sign-in': async (person) => {
    await signIn(person);
    return linkIn(await mailTo(person.address, /New sign-in/));
  },
  '“this was not me” of an address that waits for its proof': async (person) => {
    await signIn(person);
    await sendMails();
    await enterAddress(person);
    return linkIn(await mailTo(person.address, /address/));
  },
  '“this was not me” of an address that was replaced': async (person) => {
    await signIn(person);
    await sendMails();
    await takeAddress(person);
    return linkIn(await mailTo(person.address, /address/));
  },
};

async function undo({ name, browser }: Person, which: 'first' | 'last'): Promise<void> {
  const { rows } = await database.query(
    `select ${eventKey('happened_at', 'audit_events.tableoid', 'audit_events.ctid')} as key
     from audit_events join users using (user_id) where username = $1 and event = any ($2) order by happened_at ${which === 'last' ? 'desc' : ''} limit 1`,
    [name, ['signed_in', 'profile_changed']],
  );
  const page = await browser.visit(`/account/not-me?event=${rows[0].key}`);
  assert.match(page.text, /href="\/forgot-password">Forgot your password/);
  assert.match((await browser.submit(page, 'id="undo"', { password })).text, /id="save"/);
}

const another = 'another password, and longer';

const events: Record<string, (person: Person, link: string) => Promise<void>> = {
  'the holder changes the password': async ({ browser }) => {
    const page = await browser.visit('/account/security');
    const form = { old_password: password, new_password: another, repeat_password: another };
    await browser.submit(page, 'class="primary">Change password', form);
  },
  'the holder takes another address': (person) => takeAddress(person),
  'the holder undoes the last event of the account': (person) => undo(person, 'last'),
  'the holder undoes the first event of the account': (person) => undo(person, 'first'),
  'an operator replaces the address': async ({ name }) => {
    await latchkey(['user', 'update', name, '--email', `${name}@operator.example`]);
  },
  'an operator replaces the address, and puts it back': async ({ name, address }) => {
    await latchkey(['user', 'update', name, '--email', `${name}@operator.example`]);
    await latchkey(['user', 'update', name, '--email', address]);
  },
  'an operator sets a password': async ({ name }) => {
    await latchkey(['user', 'set-password', name], `${another}\n`);
  },
  'a seed replaces the address': async ({ name }) => {
    await database.query('select register_user(username => $1, email => $2)', [name, `${name}@seed.example`]);
  },
  'a seed replaces the address, and the holder takes another': async (person) => {
    await database.query('select register_user(username => $1, email => $2)', [
      person.name,
      `${person.name}@seed.example`,
    ]);
    await takeAddress(person);
  },
  'an operator disables the account, and enables it': async ({ name }) => {
    await latchkey(['user', 'disable', name]);
    await latchkey(['user', 'enable', name]);
  },
  'an operator hands another link over': async ({ name }) => {
    await latchkey(['user', 'reset-link', name]);
  },
  'a stranger asks for another link, and it is handed over': async ({ name }) => {
    await ask('/forgot-password', name);
    await sendMails();
  },
  'a stranger asks for another link, and no mail goes out': async ({ name }) => {
    await ask('/forgot-password', name);
    await failToSend();
  },
  'the holder asks for another proof, and it is handed over': async (person) => {
    await askAgain(person);
    await sendMails();
  },
  'the holder asks for another proof, and no mail goes out': async (person) => {
    await askAgain(person);
    await failToSend();
  },
  'a sign-in stores the password anew': async (person) => {
    await database.query(
      `update mailed_links set account_sha256 = sha256(convert_to(concat_ws(E'\\n', $2::text, email, email_verified), 'UTF8'))
       from users where users.user_id = mailed_links.user_id and username = $1 and account_sha256 is not null`,
      [person.name, importedHash],
    );
    await database.query('update users set password_bcrypt = $2, password_hash = null where username = $1', [
      person.name,
      importedHash,
    ]);
    await signIn({ ...person, browser: new Browser(origin) });
    await sendMails();
  },
};

async function askAgain({ browser }: Person): Promise<void> {
  await database.query('delete from attempts');
  const page = await browser.visit('/account');
  if (page.text.includes('id="send-again"')) await browser.submit(page, 'id="send-again"');
}

async function failToSend(): Promise<void> {
  box.state.mode = 'refuse';
  await sendMails();
  box.state.mode = 'accept';
  await database.query('delete from mails');
}

/** In the order of `links`: which ones the event ends. */
const ended: Record<string, readonly [boolean, boolean, boolean, boolean, boolean, boolean]> = {
  'the holder changes the password': [true, false, false, false, false, false],
  // the one that a notice has goes on when the address comes back
  'the holder takes another address': [true, false, true, true, false, false],
  'the holder undoes the last event of the account': [true, false, true, false, false, false],
  'the holder undoes the first event of the account': [true, false, true, false, false, false],
  'an operator replaces the address': [true, true, true, true, true, true],
  'an operator replaces the address, and puts it back': [true, true, true, true, true, true],
  'an operator sets a password': [true, true, false, false, false, false],
  'a seed replaces the address': [true, false, true, true, true, true],
  'a seed replaces the address, and the holder takes another': [true, false, true, true, true, true],
  'an operator disables the account, and enables it': [true, true, true, true, true, true],
  'an operator hands another link over': [true, true, false, false, false, false],
  'a stranger asks for another link, and it is handed over': [true, false, false, false, false, false],
  'a stranger asks for another link, and no mail goes out': [false, false, false, false, false, false],
  'the holder asks for another proof, and it is handed over': [false, false, true, false, false, false],
  'the holder asks for another proof, and no mail goes out': [false, false, false, false, false, false],
  'a sign-in stores the password anew': [false, false, false, false, false, false],
};

test('every event is in the table', () => {
  assert.deepEqual(Object.keys(ended), Object.keys(events));
});

for (const [event, ends] of Object.entries(ended)) {
  for (const [at, [kind, arrive]] of Object.entries(links).entries()) {
    test(`${event}: ${kind} ${ends[at] ? 'is over' : 'is still good'}`, async () => {
      const person = await newPerson();
      const link = await arrive(person);
      const statusOf = async () => (await new Browser(origin).visit(link)).status;
      assert.equal(await statusOf(), 200);
      await events[event]?.(person, link);
      assert.equal(await statusOf(), ends[at] ? 410 : 200);
    });
  }
}

test('whoever takes the address twice and undoes that does not keep the former holder from getting it back', async () => {
  const person = await newPerson();
  await signIn(person);
  await sendMails();
  await takeAddress(person);
  const warning = linkIn(await mailTo(person.address, /address/));
  await takeAddress(person);
  await undo(person, 'last');
  const victim = new Browser(origin);
  const reset = await victim.submit(await victim.visit(warning), 'id="undo"');
  await victim.submit(reset, 'id="save"', { new_password: another });
  const { rows } = await database.query('select email, email_verified from users where username = $1', [person.name]);
  assert.deepEqual(rows[0], { email: person.address, email_verified: true });
  await signIn({ ...person, browser: new Browser(origin) }, another);
});

test('an address whose event cannot be written is not confirmed, and its link stays good', async () => {
  const person = await newPerson();
  await signIn(person);
  await enterAddress(person);
  const page = await person.browser.visit(linkIn(await mailTo(person.other)));
  const stored = async () =>
    (await database.query('select email from users where username = $1', [person.name])).rows[0].email;
  await database.query("alter table audit_events add constraint fault check (event <> 'address_confirmed') not valid");
  const failed = await person.browser.submit(page, 'id="confirm"');
  await database.query('alter table audit_events drop constraint fault');
  assert.ok(failed.status >= 500);
  assert.equal(await stored(), person.address);
  assert.match((await person.browser.submit(page, 'id="confirm"')).url, /address_confirmed/);
  assert.equal(await stored(), person.other);
});

test('an operator ends a warning that waits for its mail, too', async () => {
  const person = await newPerson();
  await signIn(person);
  await sendMails();
  await enterAddress(person);
  box.state.mode = 'refuse';
  await sendMails();
  box.state.mode = 'accept';
  await latchkey(['user', 'update', person.name, '--email', `${person.name}@operator.example`]);
  await database.query('update mails set due_at = now()');
  await sendMails();
  const { rows } = await database.query(
    "select purpose from mailed_links join users using (user_id) where username = $1 and purpose = 'not_me'",
    [person.name],
  );
  assert.deepEqual(rows, []);
});

test('a link to make an account, and an invitation, end when the mail of the next one has been handed over, and not before', async () => {
  const orders = {
    'sign-up': (address: string) => ask('/sign-up', address),
    invitation: (address: string) => latchkey(['user', 'invite', address]),
  };
  for (const [kind, order] of Object.entries(orders)) {
    const address = `${kind}@new.example`;
    await order(address);
    const first = linkIn(await mailTo(address));
    const statusOf = async (link: string) => (await new Browser(origin).visit(link)).status;
    await order(address);
    assert.equal(await statusOf(first), 200, 'asked for');
    await failToSend();
    assert.equal(await statusOf(first), 200, 'no mail went out');
    await order(address);
    const second = linkIn(await mailTo(address));
    assert.deepEqual([await statusOf(first), await statusOf(second)], [410, 200], kind);
  }
});

test('the right password of an imported hash is right, whether ours can be stored or not', async () => {
  const person = await newPerson();
  const refuse = `alter table users add constraint fault check (username <> '${person.name}' or password_bcrypt like '$2b$05$%') not valid`;
  await database.query(refuse);
  await signIn(person);
  await database.query('alter table users drop constraint fault');
  const { rows } = await database.query('select password_bcrypt from users where username = $1', [person.name]);
  assert.equal(rows[0].password_bcrypt, importedHash);
  await signIn({ ...person, browser: new Browser(origin) });
});
