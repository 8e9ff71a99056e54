// ci: programs of others, and other languages
import assert from 'node:assert/strict';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { decodeJwt } from 'jose';
import { signOwnJwt } from '../../src/lib/own-jwt.ts';
import { Browser, type Page } from '../support/browser.ts';
import { authorizationQuery, codeIn, getUser, redeem } from '../support/flow.ts';
import { findFreePort } from '../support/free-port.ts';
import { plantSigningKey } from '../support/jwt.ts';
import { startLatchkey, startWithPrinter } from '../support/latchkey.ts';
import { scratch, writeFile } from '../support/scratch.ts';
import { sharedSecret, websiteKey } from '../support/website.ts';
import { skip as skipJava, startSpring } from './java.ts';
import { directoryOfPrograms, startProgram } from './program.ts';
import { skipWithout, startPython } from './python.ts';

const examples = fileURLToPath(new URL('../../src/people/website', import.meta.url));
const typ = 'sign-in-request+jwt';

const { database, deps, url } = await startWithPrinter();
// before anything is signed, so that the test can sign requests that are old, or for somebody else
const key = await plantSigningKey(deps);

type Env = Record<string, string> & { PORT: string };

interface Website {
  name: string;
  skip: string | boolean;
  sub: string;
  start: (env: Env) => unknown;
  /** where it leads who cancels, if its form has no link for that */
  cancel?: string;
}

const missing = (path: string) => !process.env['CI'] && !existsSync(path) && `${path} is not installed`;

const websites: Website[] = [
  {
    name: 'Express',
    skip: false,
    sub: '8f1c',
    start: (env) => {
      const program = join(directoryOfPrograms(), 'express.mjs');
      copyFileSync(join(examples, 'express.js'), program);
      return startProgram(process.execPath, [program], { env });
    },
  },
  {
    name: 'Django',
    skip: skipWithout('django'),
    sub: '1001',
    cancel: '/cancel',
    start: (env) =>
      startPython('django_site.py', { ...env, DATABASE: join(scratch, 'site.sqlite3'), EXAMPLES: examples }),
  },
  {
    name: 'Sinatra',
    skip: missing('/usr/share/doc/ruby-sinatra'),
    sub: '8f1c',
    start: (env) => startProgram('/usr/bin/ruby', ['sinatra.rb', '-o', '127.0.0.1'], { cwd: examples, env }),
  },
  {
    name: 'PHP',
    skip: missing('/usr/bin/php'),
    sub: '8f1c',
    start: (env) =>
      startProgram('/usr/bin/php', ['-S', `127.0.0.1:${env.PORT}`, 'sign-in.php'], { cwd: examples, env }),
  },
  {
    name: 'Spring',
    skip: skipJava,
    sub: '8f1c',
    start: (env) =>
      startSpring(join(examples, 'SignIn.java'), writeFile('sign-in.properties', `server.port=${env.PORT}`), env),
  },
];

/** What the person types at the website. */
const typed = { username: 'ada', password: 'correct horse battery' };

for (const { name, skip, sub, start, cancel } of websites) {
  test(`${name}: its login page takes the signed request, and sends the person back`, { skip }, async () => {
    const port = await findFreePort();
    const website = `http://127.0.0.1:${port}`;
    const latchkey = await startLatchkey(
      { SIGN_IN_URL: `${website}/oauth-sign-in`, SIGN_IN_SECRET: sharedSecret },
      url,
    );
    const { origin } = latchkey;
    const SESSION_SECRET = 'of-the-website-'.repeat(5);
    await start({
      PORT: String(port),
      LATCHKEY: origin,
      WEBSITE: website,
      SIGN_IN_SECRET: sharedSecret,
      SESSION_SECRET,
    });
    await answering(website);

    const [here, there] = [new Browser(origin), new Browser(website)];
    const send = async (changes: Record<string, string> = {}): Promise<string> => {
      const page = await here.visit(`/authorize?${authorizationQuery(changes)}`);
      const sent = page.location === undefined ? await here.submit(page, 'id="website"') : page;
      return sent.location ?? assert.fail(sent.text);
    };

    const location = await send({ prompt: 'consent' });
    await refusesOthers(there, location, { origin, website });
    const form = await there.visit(location);
    const wrong = await there.submit(form, 'id="login"', { ...typed, password: 'wrong' });
    assert.ok(wrong.text.includes('id="login"') && wrong.location === undefined);
    const consent = await here.visit(backFrom(await there.submit(form, 'id="login"', typed), origin));
    const { body } = await redeem(origin, codeIn(await here.submit(consent, 'id="allow"')));
    const profile = (await getUser(origin, body['access_token'])).body;
    assert.equal(profile['sub'], sub);
    assert.match(String(profile['username']), /^ada(-\w+)?$/);

    // the session of the website is enough, unless the application wants a new sign-in
    here.forgetCookies();
    assert.ok(codeIn(await here.visit(backFrom(await there.visit(await send()), origin))));
    await pause(1100);
    const again = await there.visit(await send({ prompt: 'login' }));
    assert.match(again.text, /id="login"/);
    const fresh = await here.visit(backFrom(await there.submit(again, 'id="login"', typed), origin));
    assert.ok(codeIn(fresh));
    await pause(1100);
    const choice = await there.visit(await send({ prompt: 'select_account' }));
    assert.match(choice.text, /id="login"/, 'it may be somebody else');
    assert.ok(codeIn(await here.visit(backFrom(await there.submit(choice, 'id="login"', typed), origin))));

    here.forgetCookies();
    there.forgetCookies();
    const asked = await send();
    const [, link = ''] = /href="([^"]+)">Cancel/.exec((await there.visit(asked)).text) ?? [];
    const cancelled = cancel
      ? backFrom(await there.visit(asked.replace('?', `${cancel}?`)), origin)
      : link.replaceAll('&amp;', '&').replaceAll('&#x2F;', '/');
    const answer = await here.visit(cancelled);
    assert.equal(new URL(answer.location ?? assert.fail(answer.text)).searchParams.get('error'), 'access_denied');
    await database.query('update grants set revoked_at = now()');
  });
}

/** Until the program answers; it refuses an empty request. */
async function answering(website: string): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const answer = await fetch(`${website}/oauth-sign-in`).catch(() => undefined);
    if (answer) return assert.equal(answer.status, 400);
    await pause(50);
  }
  assert.fail(`nothing answers at ${website}`);
}

function backFrom(page: Page, origin: string): string {
  const location = page.location ?? assert.fail(page.text);
  assert.ok(location.startsWith(`${origin}/login/return?`), location);
  return location;
}

/** Changed, old and foreign requests, and one of another kind, get 400 and no form. */
async function refusesOthers(
  there: Browser,
  location: string,
  { origin, website }: { origin: string; website: string },
) {
  const text = new URL(location).searchParams.get('request') ?? '';
  const claims = decodeJwt(text);
  const now = Math.floor(Date.now() / 1000);
  const [header, , signature] = text.split('.');
  const evil = Buffer.from(JSON.stringify({ ...claims, return_to: 'https://evil.example/' })).toString('base64url');
  const stranger = { kid: key.kid, private_key: websiteKey('any').private_key };
  const requests = {
    'a changed address': `${header}.${evil}.${signature}`,
    'an old one': signOwnJwt(key, { ...claims, iat: now - 4200, exp: now - 3600 }, typ),
    'one of another server': signOwnJwt(key, { ...claims, iss: 'https://other.example' }, typ),
    'one for another website': signOwnJwt(key, { ...claims, aud: 'https://other.example' }, typ),
    'one by another key': signOwnJwt(stranger, claims, typ),
    'another kind of JWT': signOwnJwt(key, claims, 'at+jwt'),
    'no signature': `${Buffer.from(JSON.stringify({ alg: 'none', typ })).toString('base64url')}.${text.split('.')[1]}.`,
    nothing: '',
  };
  assert.equal(claims.iss, origin);
  for (const [name, request] of Object.entries(requests)) {
    const page = await there.open(`${website}/oauth-sign-in?request=${request}`);
    assert.equal(page.status, 400, `${name}: ${page.text}`);
    assert.ok(!page.text.includes('<form') && page.location === undefined, name);
  }
}
