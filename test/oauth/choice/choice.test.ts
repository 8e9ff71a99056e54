import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosen, identifiers, startWithOrganizations } from '../../support/choices.ts';
import {
  authorizationQuery,
  basic,
  codeIn,
  getUser,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
} from '../../support/flow.ts';

const { origin, database, registerChoice } = await startWithOrganizations();
const scope = 'user:name org:read';
const browser = await signedInBrowser(origin);
const introspect = async (token: unknown) =>
  (await post(`${origin}/introspect`, { token: String(token) }, { authorization: basic() })).body;
/** Until every process knows what is registered now. */
const remembered = () => new Promise((resolve) => setTimeout(resolve, 1100));
const ask = (changes = {}) =>
  browser.visit(`/authorize?${authorizationQuery({ scope, prompt: 'consent', ...changes })}`);

test('a person chooses on the consent page, and every answer says what', async () => {
  const page = await ask();
  const row = /<li class="permission">(?:(?!<li class="permission).)*value="org:read".*?<\/fieldset>/s.exec(
    page.text,
  )?.[0];
  assert.match(
    row ?? '',
    /Which organizations may <bdi>Photo Printer<\/bdi> see\?/,
    'below the permission that it limits',
  );
  assert.match(page.text, /type="checkbox" name="choice\.organizations" value="12"(?! checked)/);
  assert.doesNotMatch(page.text, /Circus/);
  const { body } = await redeem(origin, codeIn(await browser.submit(page, 'id="allow"', { [chosen]: '12' })));
  assert.equal(body['scope'], scope);
  assert.deepEqual(body['authorization_details'], identifiers('12'));
  const user = await getUser(origin, body['access_token']);
  assert.deepEqual(user.body['authorization_details'], identifiers('12'));
  for (const token of [body['access_token'], body['refresh_token']]) {
    assert.deepEqual((await introspect(token))['authorization_details'], identifiers('12'));
  }
  const { body: refreshed } = await refresh(origin, body['refresh_token']);
  assert.deepEqual(refreshed['authorization_details'], identifiers('12'));
});

test('nothing chosen: the scopes of the choice are not granted, and if nothing else is left, access is denied', async () => {
  const without = await browser.submit(await ask(), 'id="allow"', { [chosen]: undefined });
  const { body } = await redeem(origin, codeIn(without));
  assert.equal(body['scope'], 'user:name');
  assert.equal(body['authorization_details'], undefined);
  // whoever chooses the next time need not tick the permission as well
  const again = await redeem(origin, codeIn(await browser.submit(await ask(), 'id="allow"', { [chosen]: '13' })));
  assert.deepEqual(again.body['authorization_details'], identifiers('13'));
  const nothing = await browser.submit(await ask({ scope: 'org:read' }), 'id="allow"', {
    scope: 'org:read',
    [chosen]: undefined,
  });
  assert.equal(new URL(nothing.location ?? '').searchParams.get('error'), 'access_denied');
});

test('all, also later ones', async () => {
  const { body } = await redeem(
    origin,
    codeIn(await browser.submit(await ask(), 'id="allow"', { scope: ['user:name', 'org:read'], [chosen]: '*' })),
  );
  assert.deepEqual(body['authorization_details'], [{ type: 'organizations', all: true }]);
  await registerChoice({ may_be_all: false });
  const { body: later } = await refresh(origin, body['refresh_token']);
  assert.equal(later['scope'], 'user:name');
  assert.equal(later['authorization_details'], undefined);
  await registerChoice();
});

test('what a person no longer has is dropped at the refresh, and does not come back by itself', async () => {
  const { body } = await redeem(
    origin,
    codeIn(
      await browser.submit(await ask(), 'id="allow"', { scope: ['user:name', 'org:read'], [chosen]: ['12', '13'] }),
    ),
  );
  assert.deepEqual(body['authorization_details'], identifiers('12', '13'));
  await database.query(`delete from company.members where organization = 13`);
  const { body: second } = await refresh(origin, body['refresh_token']);
  assert.deepEqual(second['authorization_details'], identifiers('12'));
  await database.query(`insert into company.members values (13, '1')`);
  const { body: third } = await refresh(origin, second['refresh_token']);
  assert.deepEqual(third['authorization_details'], identifiers('12'));
  const silent = await redeem(origin, await obtainCode(browser, { scope }));
  assert.deepEqual(silent.body['authorization_details'], identifiers('12'));
});

test('on the account page the choice can be changed, and counts at once; what a family was given bounds it', async () => {
  const { body } = await redeem(
    origin,
    codeIn(await browser.submit(await ask(), 'id="allow"', { scope: ['user:name', 'org:read'], [chosen]: '12' })),
  );
  const path = '/account/applications/photo-printer';
  const page = await browser.visit(path);
  assert.match(page.text, /value="12" checked/);
  const saved = await browser.submit(page, 'id="save-choice"', { [chosen]: '13' });
  assert.match(saved.text, /Permissions saved/);
  assert.deepEqual((await introspect(body['access_token']))['scope'], 'user:name');
  const again = await browser.submit(page, 'id="save-choice"', { [chosen]: '12' });
  assert.equal(again.status, 409);
  assert.match(
    again.text,
    /data-field="&#34;choice\.organizations&#34;">[\s\S]*?<dd class="yours"><bdi>Acme[\s\S]*?<dd class="now"><bdi>Bakery/,
  );
  await browser.submit(again, 'id="save-choice"', { [chosen]: ['12', '13'] });
  assert.deepEqual((await introspect(body['access_token']))['authorization_details'], identifiers('12'));
  for (const foreign of ['14', '99', '*x']) {
    const refused = await browser.submit(await browser.visit(path), 'id="save-choice"', { [chosen]: foreign });
    assert.equal(refused.status, 400, foreign);
  }
  assert.deepEqual((await introspect(body['access_token']))['authorization_details'], identifiers('12'));
});

test('a value that is not the person’s, two where one is possible, or all where that is not, count for nothing', async () => {
  for (const values of [['14'], ['12', '14'], ['999'], ['x'.repeat(256)], ['*', '14']]) {
    const page = await browser.submit(await ask(), 'id="allow"', {
      scope: ['user:name', 'org:read'],
      [chosen]: values,
    });
    assert.equal(page.status, 400, values.join());
    assert.match(page.text, /id="problem"/);
  }
  await registerChoice({ many: false, may_be_all: false });
  await remembered();
  const page = await ask();
  assert.match(page.text, /type="radio" name="choice\.organizations" value="12"/);
  for (const values of [['12', '13'], ['*']]) {
    const answer = await browser.submit(page, 'id="allow"', { scope: ['user:name', 'org:read'], [chosen]: values });
    assert.equal(answer.status, 400, values.join());
  }
  const one = await redeem(
    origin,
    codeIn(await browser.submit(await ask(), 'id="allow"', { scope: ['user:name', 'org:read'], [chosen]: '13' })),
  );
  assert.deepEqual(one.body['authorization_details'], identifiers('13'));
  const isNone = /value=""(?: checked)?><bdi>None<\/bdi>/;
  assert.doesNotMatch((await ask()).text, isNone, 'the box of the permission above says it');
  await database.query("update clients set required_scopes = '{org:read}'");
  assert.match((await ask()).text, isNone);
  await database.query("update clients set required_scopes = '{}'");
  const none = await browser.submit(await ask(), 'id="allow"', {
    scope: ['user:name', 'org:read'],
    [chosen]: undefined,
  });
  const { body } = await redeem(origin, codeIn(none));
  assert.deepEqual([body['scope'], body['authorization_details']], ['user:name', undefined]);
  await registerChoice();
  await remembered();
});

test('whoever chooses nothing for a required permission is told so, and may choose again', async () => {
  const require = (scopes: string) =>
    database.query(`update clients set required_scopes = '{${scopes}}' where client_id = 'photo-printer'`);
  await require('org:read');
  const form = { scope: ['user:name', 'org:read'] };
  const page = await browser.submit(await ask(), 'id="allow"', { ...form, [chosen]: undefined });
  assert.equal(page.status, 400);
  assert.match(page.text, /You chose no entry for a required permission, so nothing was saved/);
  const { body } = await redeem(origin, codeIn(await browser.submit(page, 'id="allow"', { ...form, [chosen]: '12' })));
  assert.deepEqual(body['authorization_details'], identifiers('12'));
  const only = await ask({ authorization_details: JSON.stringify(identifiers('12')) });
  assert.match(only.text, /gets access to this only\./);
  assert.doesNotMatch(only.text, /To refuse/);
  await require('');
});

test('authorization_details in the request bound the choice', async () => {
  const details = (...values: string[]) => ({ authorization_details: JSON.stringify(identifiers(...values)) });
  const one = await ask(details('12', '14'));
  assert.match(one.text, /type="hidden" name="choice\.organizations" value="12"/);
  assert.doesNotMatch(one.text, /type="(checkbox|radio)" name="choice/);
  assert.match(one.text, /value="org:read"(?:(?!<li).)*gets access to this only\.\s*<\/p>/s);
  assert.doesNotMatch(one.text, /value="(13|14|\*)"/);
  assert.equal(
    (await browser.submit(one, 'id="allow"', { scope: ['user:name', 'org:read'], [chosen]: '13' })).status,
    400,
  );
  const { body } = await redeem(
    origin,
    codeIn(await browser.submit(one, 'id="allow"', { scope: ['user:name', 'org:read'] })),
  );
  assert.deepEqual(body['authorization_details'], identifiers('12'));
  const { text } = await ask(details('14'));
  assert.match(text, /nothing here that/);
  assert.match(text, /value="org:read" disabled/, 'nobody can allow what there is nothing of');
  await database.query("update clients set required_scopes = '{org:read}'");
  assert.match(
    (await ask(details('14'))).text,
    /requires this permission, but you have nothing here that [^.]*: you can only deny\./,
  );
  await database.query("update clients set required_scopes = '{}'");
});

test('a token request narrows its own token, and more than was allowed spends nothing', async () => {
  const allow = async (values: string | string[]) =>
    codeIn(await browser.submit(await ask(), 'id="allow"', { scope: ['user:name', 'org:read'], [chosen]: values }));
  const send = (details: unknown, grant: Record<string, string>) =>
    post(
      `${origin}/token`,
      { ...grant, authorization_details: typeof details === 'string' ? details : JSON.stringify(details) },
      { authorization: basic() },
    );
  const code = await allow(['12', '13']);
  const exchange = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: 'https://printer.example/callback',
    code_verifier: 'a-code-verifier-of-more-than-43-characters-0123456789',
  };
  const wrong = [
    identifiers('14'),
    [{ type: 'organizations', all: true }],
    [{ type: 'other' }],
    [],
    {},
    '[',
    [{ type: 'organizations', identifier: '12', more: 1 }],
  ];
  for (const details of wrong) {
    const answer = await send(details, exchange);
    assert.deepEqual(
      [answer.status, answer.body['error']],
      [400, 'invalid_authorization_details'],
      JSON.stringify(details),
    );
  }
  const first = await send(identifiers('13'), exchange);
  assert.deepEqual(first.body['authorization_details'], identifiers('13'));
  const refreshing = { grant_type: 'refresh_token', refresh_token: String(first.body['refresh_token']) };
  for (const details of wrong) {
    const answer = await send(details, refreshing);
    assert.deepEqual(
      [answer.status, answer.body['error']],
      [400, 'invalid_authorization_details'],
      JSON.stringify(details),
    );
  }
  const second = await send(identifiers('12'), refreshing);
  assert.deepEqual(second.body['authorization_details'], identifiers('12'));
  assert.deepEqual((await introspect(first.body['access_token']))['authorization_details'], identifiers('13'));
  const third = await refresh(origin, second.body['refresh_token']);
  assert.deepEqual(third.body['authorization_details'], identifiers('12', '13'));
  const all = await redeem(origin, await allow('*'));
  const narrowed = await send(identifiers('13'), {
    grant_type: 'refresh_token',
    refresh_token: String(all.body['refresh_token']),
  });
  assert.deepEqual(narrowed.body['authorization_details'], identifiers('13'));
  const foreign = await send(identifiers('14'), {
    grant_type: 'refresh_token',
    refresh_token: String(narrowed.body['refresh_token']),
  });
  assert.equal(foreign.body['error'], 'invalid_authorization_details');
  // what the person has taken away since is no longer allowed, and the refresh token is not spent
  const page = await browser.visit('/account/applications/photo-printer');
  await browser.submit(page, 'id="save-choice"', { [chosen]: '12' });
  const refresh_token = String(narrowed.body['refresh_token']);
  const gone = await send(identifiers('13'), { grant_type: 'refresh_token', refresh_token });
  assert.equal(gone.body['error'], 'invalid_authorization_details');
  const left = await send(identifiers('12'), { grant_type: 'refresh_token', refresh_token });
  assert.deepEqual(left.body['authorization_details'], identifiers('12'));
});

test('a query that fails is 503, never nothing', async () => {
  const { body } = await redeem(
    origin,
    codeIn(await browser.submit(await ask(), 'id="allow"', { scope: ['user:name', 'org:read'], [chosen]: '12' })),
  );
  await database.query('alter table company.members rename to hidden');
  const failed = await refresh(origin, body['refresh_token']);
  assert.deepEqual(
    [failed.status, failed.body['error'], failed.headers.get('retry-after')],
    [503, 'temporarily_unavailable', '5'],
  );
  assert.equal((await ask()).status, 503);
  const silent = await browser.visit(`/authorize?${authorizationQuery({ scope, prompt: 'none' })}`);
  assert.equal(new URL(silent.location ?? '').searchParams.get('error'), 'temporarily_unavailable');
  await database.query('alter table company.hidden rename to members');
  const { body: refreshed } = await refresh(origin, body['refresh_token']);
  assert.deepEqual(refreshed['authorization_details'], identifiers('12'));
});

test('a choice that is deleted, or comes to a scope, ends the scope until the person has been asked', async () => {
  const { body } = await redeem(
    origin,
    codeIn(await browser.submit(await ask(), 'id="allow"', { scope: ['user:name', 'org:read'], [chosen]: '12' })),
  );
  await database.query(`delete from choices`);
  assert.equal((await introspect(body['access_token']))['scope'], 'user:name');
  await remembered();
  const without = await redeem(origin, codeIn(await browser.submit(await ask({ prompt: undefined }), 'id="allow"')));
  assert.equal(without.body['scope'], scope);
  // the restricted family never becomes an unrestricted one
  assert.equal((await introspect(body['access_token']))['scope'], 'user:name');
  assert.equal((await refresh(origin, body['refresh_token'])).body['scope'], 'user:name');
  await registerChoice();
  assert.equal((await introspect(without.body['access_token']))['scope'], 'user:name');
  assert.equal((await refresh(origin, without.body['refresh_token'])).body['scope'], 'user:name');
});

test('the operator says what all is called, by language; otherwise the server does', async () => {
  const namesOfAll = async () => {
    await remembered();
    const pages = [
      await ask({ ui_locales: 'en' }),
      await ask({ ui_locales: 'de' }),
      await browser.visit('/account/applications/photo-printer'),
    ];
    return pages.map(({ text }) => /value="\*"[^>]*><bdi>([^<]*)/.exec(text)?.[1]);
  };
  const [own, german] = ['All that Photo Printer may see, also later', 'Alle, auch spätere'];
  await browser.submit(await ask(), 'id="allow"', { scope: scope.split(' '), [chosen]: '*' });
  await registerChoice({ all_sentence: own.replace('Photo Printer', '{application}'), all_sentences: { de: german } });
  assert.deepEqual(await namesOfAll(), [own, german, german]);
  const wrong = { all_sentence: ' ', all_sentences: { de: 1 } };
  for (const [name, value] of Object.entries(wrong)) {
    await assert.rejects(
      registerChoice({ [name]: value }),
      new RegExp(`register_choice\\('organizations'\\): ${name} `),
    );
  }
  await registerChoice();
  const usual = 'Alle, auch künftige';
  assert.deepEqual(await namesOfAll(), ['All, including future ones', usual, usual]);
});

test('the name that an application has given itself stands apart in the question, in quotation marks once', async () => {
  const name = 'שלום” may see nothing. Take “All';
  await database.query('update clients set name = $1, vouched = false where client_id = $2', [name, 'photo-printer']);
  const { text } = await ask({ ui_locales: 'en' });
  assert.match(text, /<legend>Which organizations may <bdi>“שלום” may see nothing\. Take “All”<\/bdi> see\?<\/legend>/);
});
