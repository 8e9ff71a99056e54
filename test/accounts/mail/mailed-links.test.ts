import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLink, linkPaths } from '../../../src/accounts/mail/mailed-links.ts';
import { sendWaitingMails } from '../../../src/accounts/mail/mailing.ts';
import { createInvitationLink } from '../../../src/accounts/sign-up/sign-up.ts';
import { Browser } from '../../support/browser.ts';
import { password, registerPeople, startLatchkey } from '../../support/latchkey.ts';
import { recorded } from '../../support/recorded.ts';
import { startSmtpServer } from '../../support/smtp-server.ts';

const box = await startSmtpServer();
const env = { SMTP_URL: box.url, MAIL_FROM: 'accounts@id.example', TRUST_PROXY: '1', SIGN_UP: 'open' };
// the log of tests is that of LOG_LEVEL=debug
const { origin, database, deps, logged } = await startLatchkey(env);

test('no log line, event or answer repeats the secret of a link, wherever a program has put it [A490]', async () => {
  await registerPeople(database, ['ada']);
  const { rows } = await database.query("select user_id from users where username = 'ada'");
  const order = { user_id: rows[0].user_id, address: 'ada@new.example', detail: { to: 'ada@example.com' } };
  const tokens = await Promise.all(
    (['reset', 'address', 'not_me'] as const).map((purpose) => createLink(deps, { ...order, purpose })),
  );
  const invitation = { address: 'new@new.example', is_handed_over: true };
  const signUp = await createInvitationLink(deps, invitation, recorded('user_invited'));
  tokens.push(new URL(signUp).searchParams.get('token') ?? '');
  const paths = [...Object.values(linkPaths), '/sign-up/finish', '/account', '/authorize', '/nowhere'];
  const repeated = new Set<string>();
  for (const token of tokens) {
    assert.match(token ?? '', /^lk_ml_/);
    for (const path of paths) {
      for (const [method, address] of [
        ['GET', `${path}?token=${token}`],
        ['HEAD', `${path}?token=${token}`],
        ['PUT', `${path}?token=${token}`],
        ['POST', `${path}?link=${token}&token=${token}`],
        ['GET', `${path}/${token}`],
        ['GET', `${path}/?token=${token}`],
        ['GET', `${path};token=${token}`],
        ['GET', `${path}?token=${token}&token=${token}`],
        ['GET', `${path}?token=${encodeURIComponent(`${token}.`)}`],
      ] as const) {
        const headers = {
          referer: `${origin}${path}?token=${token}`,
          'user-agent': `${token}`,
          'x-request-id': `${token}`,
        };
        const answer = await fetch(origin + address, { method, headers, redirect: 'manual' });
        const [text, location] = [await answer.text(), answer.headers.get('location') ?? ''];
        if (text.includes(token ?? '')) repeated.add(`${method} ${address}`.replaceAll(token ?? '', 'X'));
        if (location.includes(token ?? ''))
          repeated.add(`${method} ${address} ${location}`.replaceAll(token ?? '', 'X'));
      }
    }
  }
  assert.deepEqual([...repeated], []);
  const events = await database.query('select * from audit_trail');
  const kept = logged.join('\n') + JSON.stringify(events.rows);
  for (const token of tokens) assert.ok(!kept.includes((token ?? '').slice(0, 30)));
});

test('a notice names no address of a network that is none: what a proxy has passed on leads nowhere [A484]', async () => {
  await registerPeople(database, ['bob']);
  for (const forged of [
    'http://evil.example/login',
    'evil.example',
    '1.2.3.4\t<a href=x>',
    '<script>',
    'a'.repeat(3000),
  ]) {
    await database.query('delete from attempts');
    const browser = new Browser(origin);
    const headers = { 'x-forwarded-for': forged };
    const page = await browser.visit('/login', { headers });
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const body = new URLSearchParams({ csrf, username: 'bob', password });
    await browser.open('/login', {
      method: 'POST',
      body,
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    });
    while ((await sendWaitingMails(deps)) > 0);
    const mail = await box.next('bob@example.com');
    assert.doesNotMatch(mail.text + mail.html, /evil\.example|<script|href=x|aaaa/, forged.slice(0, 40));
  }
});
