import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { databaseUrlProblem, readDatabaseUrl } from '../../src/config/database-url.ts';

/** As the driver understands each of the URLs. */
const read = (url: string) =>
  readDatabaseUrl(url).map((one) => {
    const { host, port, user, password, database } = new pg.Client(one);
    return [host, port, user, password, database].join(' ');
  });

test('one host is what the driver makes of it', () => {
  for (const url of [
    'postgres://u:p@h:1/d',
    'postgresql://u@/d?host=/run/x',
    'postgres://u:p@[::1]:5433/d?sslmode=disable',
  ]) {
    assert.deepEqual(readDatabaseUrl(url), [url]);
    assert.equal(databaseUrlProblem(url), undefined);
  }
});

test('several hosts have ports of their own and everything else in common [F43]', () => {
  assert.deepEqual(read('postgres://u:p@a:1,b,[::1]:3,10.0.0.4:4/d'), [
    'a 1 u p d',
    'b 5432 u p d',
    '::1 3 u p d',
    '10.0.0.4 4 u p d',
  ]);
  const urls = readDatabaseUrl('postgres://u@a,b/d?target_session_attrs=primary&sslmode=disable');
  assert.ok(urls.every((url) => url.includes('sslmode=disable')));
});

test('hosts can be parameters, with one port for all or one for each', () => {
  assert.deepEqual(read('postgres://u@/d?host=/run/a,/run/b'), ['/run/a 5432 u  d', '/run/b 5432 u  d']);
  assert.deepEqual(read('postgres://u@/d?host=a,b&port=7'), ['a 7 u  d', 'b 7 u  d']);
  assert.deepEqual(read('postgres://u@/d?host=a,b&port=7,8'), ['a 7 u  d', 'b 8 u  d']);
});

test('a password may contain commas and @, percent-encoded or not [F43]', () => {
  const expected = ['a 5432 u x,y@z d', 'b 5432 u x,y@z d'];
  assert.deepEqual(read('postgres://u:x%2Cy%40z@a,b/d'), expected);
  assert.deepEqual(read('postgres://u:x,y@z@a,b/d'), expected);
  assert.deepEqual(read('postgres://u:x,y@z@a/d'), expected.slice(0, 1));
});

test('what cannot work is refused, without repeating any of it [F43]', () => {
  const refused: [string, RegExp][] = [
    ['mysql://u:hunter2@h/d', /^must begin with postgres:/],
    ['postgres://u:hunter2@a,/d', /^must have a host before and after each comma$/],
    ['postgres://u:hunter2@a,:5433/d', /^must have a host before and after each comma$/],
    ['postgres://u:hunter2@a,b:port/d', /^must be a URL/],
    [
      'postgres://u:hunter2@a,b/d?target_session_attrs=readwrite',
      /^target_session_attrs must be any, read-write or primary/,
    ],
    [
      'postgres://u:hunter2@a/d?target_session_attrs=standby',
      /^target_session_attrs must be any, read-write or primary/,
    ],
    ['postgres://u:hunter2@/d?host=a,b&port=1,2,3', /^must have one port/],
  ];
  for (const [url, problem] of refused) {
    assert.match(databaseUrlProblem(url) ?? '', problem, url);
    assert.doesNotMatch(databaseUrlProblem(url) ?? '', /hunter2/);
  }
});
