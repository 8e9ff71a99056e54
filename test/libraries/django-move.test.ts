// ci: programs of others, and other languages
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { blocksOf, repository } from '../docs/documents.ts';
import { Browser } from '../support/browser.ts';
import { commandLineFor } from '../support/command-line.ts';
import { authorizationQuery, basic, codeIn, getUser, redeem } from '../support/flow.ts';
import { printer, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { interpreter, skip } from './python.ts';

// The move of src/operations/moving.md, with its own program in a Django project of three hundred people, and its own commands.

const { origin, database, url } = await startLatchkey();
await registerPrinter(database);
const { latchkey, directory } = commandLineFor(url);
const document = readFileSync(join(repository, 'src/operations/moving.md'), 'utf8');
const commands = blocksOf(document).filter(({ language }) => language === 'sh');

/** The words of the commands of a step, after the name of the program. */
function wordsOf(step: number): string[][] {
  const lines = (commands[step]?.text ?? '').split('\n').filter((line) => line.startsWith('node dist/cli.js '));
  assert.ok(lines.length > 0, `step ${step}`);
  return lines.map((line) => line.split(' ').slice(2));
}

const password = 'a password of Django';
const count = 300;
const first = 1000;

/** Every other password is stored by another hasher of Django; one person has none, one is inactive. */
const people = `
import os, django
os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
django.setup()
from django.core.management import call_command
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
call_command("migrate", verbosity=0)
hashes = [make_password("${password}", hasher=name) for name in ("pbkdf2_sha256", "pbkdf2_sha1")]
User.objects.bulk_create([User(pk=${first} + n, username=f"person{n}", email=f"person{n}@example.com", first_name="Person",
  last_name=str(n), password=make_password(None) if n == 7 else hashes[n % 2], is_active=n != 8) for n in range(${count})])
`;
const settings = `
SECRET_KEY = "of a test"
INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "db.sqlite3"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
`;
const manage = `
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
from django.core.management import execute_from_command_line
execute_from_command_line(sys.argv)
`;

async function startDjango(): Promise<string> {
  const project = join(directory, 'site');
  mkdirSync(project);
  for (const [name, text] of Object.entries({ settings, manage, people }))
    writeFileSync(join(project, `${name}.py`), text);
  await promisify(execFile)(interpreter, ['people.py'], { cwd: project });
  return project;
}

async function exportPeople(project: string): Promise<void> {
  const PATH = `${dirname(interpreter)}:${process.env['PATH']}`;
  await promisify(execFile)('bash', ['-ec', commands[0]?.text ?? ''], { cwd: project, env: { PATH } });
  cpSync(join(project, 'people.csv'), join(directory, 'people.csv'));
}

/** A command of the document, in the directory of the file. */
const run = (words: string[]) => latchkey(words.map((word) => (word === 'people.csv' ? join(directory, word) : word)));

async function signIn(username: string, typed = password) {
  const browser = new Browser(origin);
  await browser.submit(await browser.visit('/login'), 'id="login"', { username, password: typed });
  return browser
    .visit(`/authorize?${authorizationQuery({ scope: 'user', prompt: 'consent' })}`)
    .then((page) => ({ browser, page }));
}

/** Who an application finds behind a sign-in; undefined if there was none. */
async function personOf(username: string, typed?: string) {
  const { browser, page } = await signIn(username, typed);
  if (!page.text.includes('id="allow"')) return undefined;
  const code = codeIn(await browser.submit(page, 'id="allow"'));
  const { body } = await redeem(origin, code, {}, { authorization: basic(printer.client_id) });
  return (await getUser(origin, body['access_token'])).body;
}

const hashOf = async (n: number) => {
  const { rows } = await database.query(
    'select coalesce(password_hash, password_bcrypt) as hash from users where subject = $1',
    [String(first + n)],
  );
  return String(rows[0]?.hash);
};

test('people of a Django site are planned, imported, and sign in by their old passwords with their old ids', {
  skip,
}, async () => {
  const project = await startDjango();
  await exportPeople(project);
  const [plan = []] = wordsOf(1);
  const planned = await run(plan);
  assert.deepEqual([planned.code, planned.out.match(/^create /gm)?.length], [0, count], planned.err);
  assert.equal((await database.query('select from users')).rowCount, 0, 'a plan changes nothing');
  for (const words of wordsOf(2)) assert.equal((await run(words)).code, 0);
  for (const n of [0, 1]) {
    const before = await hashOf(n);
    assert.equal(await personOf(`person${n}`, 'another password'), undefined);
    const person = await personOf(`Person${n} `);
    assert.deepEqual([person?.['sub'], person?.['name'], person?.['email']], [String(first + n), `Person ${n}`, null]);
    const renewed = await hashOf(n);
    assert.doesNotMatch(before, /^\$2b\$/);
    assert.match(renewed, /^\$2b\$/, 'a hash of this server from now on');
    assert.equal((await personOf(`person${n}`))?.['sub'], String(first + n));
  }
  assert.equal(await personOf('person7'), undefined, 'has no password');
  assert.equal(await personOf('person8'), undefined, 'is inactive');
  const renewed = await hashOf(0);
  const [again = []] = wordsOf(2);
  assert.match((await run(again)).out, new RegExp(`0 created, 0 updated, ${count} unchanged`));
  assert.equal(await hashOf(0), renewed, 'the hash of Django does not come back');
});
