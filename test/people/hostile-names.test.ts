import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser } from '../support/browser.ts';
import { authorizationQuery, obtainCode, signedInBrowser } from '../support/flow.ts';
import { registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { foreignMarkup } from '../support/markup.ts';

const { origin, database } = await startLatchkey();
await registerPeople(database);
const alice = await signedInBrowser(origin);

const hostile = {
  markup: '"><img src=x onerror=alert(1)><script>alert(1)</script>',
  attribute: '\' onmouseover=alert(1) x="',
  template: '<%= process.env %><%- 7*7 %>{{7*7}}#{7*7}',
  entity: '&lt;script&gt;&#x3c;b>',
  backwards: 'Photo\u202Eretnirp\u202C\u2066 Bank\u2069',
  invisible: 'Pho\u200bto\u2060 \ufeffPrinter\u00ad',
  comment: '--><!-- ]]> </title></style></textarea>',
  zalgo: `Z${'\u0335\u0321\u0322'.repeat(60)}`,
  emoji: '\u{1F468}‍\u{1F469}‍\u{1F467}'.repeat(20),
  long: 'W'.repeat(200),
};

for (const [title, name] of Object.entries(hostile)) {
  test(`a name made of ${title} is escaped on every page that shows it [A164] [A166]`, async () => {
    const client_id = `x-${title}`;
    const uris = { logo_uri: 'https://printer.example/"><script>', homepage_uri: "https://printer.example/'onload=x" };
    await registerPrinter(database, { client_id, name, ...uris });
    await database.query(
      'update clients set owner_id = 1, scope_reasons = jsonb_build_object($2::text, $1::text) where client_id = $3',
      [name, 'user:email', client_id],
    );
    await database.query('update users set name = $1 where user_id = 1', [name]);
    const query = authorizationQuery({ client_id });
    const pages = [await new Browser(origin).visit(`/authorize?${query}`), await alice.visit(`/authorize?${query}`)];
    await obtainCode(alice, { client_id });
    const id = encodeURIComponent(client_id);
    for (const path of [
      '/',
      '/account',
      '/account/activity',
      '/account/applications',
      `/account/applications/${id}`,
      '/developer/applications',
      `/developer/applications/${id}`,
    ]) {
      pages.push(await alice.visit(path));
    }
    for (const { text, headers, status, url } of pages) {
      assert.equal(status, 200, url);
      assert.deepEqual(foreignMarkup(text), [], url);
      assert.equal(text.match(/<title>/g)?.length, 1);
      // a field in which the owner edits the name shows it as it is
      const outsideFields = text.replaceAll(/value="[^"]*"|<textarea[\s\S]*?<\/textarea>/g, '');
      assert.doesNotMatch(outsideFields, /[\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]/, url);
      assert.doesNotMatch(headers.get('content-security-policy') ?? assert.fail(url), /[<>"]|script>/, url);
    }
    await database.query('delete from clients where client_id = $1', [client_id]);
  });
}
