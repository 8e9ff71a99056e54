import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import { before, test } from 'node:test';
import { authorizationQuery, codeIn, getUser, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { startWithPrinter } from '../support/latchkey.ts';

const src = new URL('../../src/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, src), 'utf8');

/** What somebody reads to know how a person's consent becomes an answer of /user, in this order. */
const heart = [
  'oauth/authorize/authorize.ts',
  'oauth/authorize/authorization-page.ts',
  'oauth/authorize/authorization-request.ts',
  'oauth/consent/remembered-grant.ts',
  'oauth/consent/consent-page.ts',
  'oauth/consent/consent.ts',
  'oauth/consent/grants.sql.ts',
  'oauth/token/token.ts',
  'oauth/rules.sql.ts',
  'clients/client-rules.sql.ts',
  'oauth/token/exchange.ts',
  'oauth/token/authorization-codes.sql.ts',
  'oauth/token/token-answer.ts',
  'oauth/resource/access-token.ts',
  'oauth/resource/bearer.ts',
  'oauth/resource/access-tokens.sql.ts',
];
/** Fragments of statements, which are put together when the server starts. */
const fragments = ['oauth/rules.sql.ts', 'clients/client-rules.sql.ts'];

/** What a request passes in a line or two, and nobody has to read to follow it. */
const beside = [
  'oauth/authorize/answer-client.ts',
  'oauth/authorize/missing-sign-in.ts',
  'oauth/authorize/requested-resources.ts',
  'oauth/authorize/sign-in-parameters.ts',
  'oauth/choice/authorization-details.ts',
  'oauth/choice/choice-form.ts',
  'oauth/choice/choices.sql.ts',
  'oauth/choice/consent-choices.ts',
  'oauth/choice/remembered-choices.ts',
  'oauth/choice/requested-choices.ts',
  'oauth/claims/claims.sql.ts',
  'oauth/claims/claims.ts',
  'oauth/consent/consent-ticket.ts',
  'oauth/consent/kept-choices.ts',
  'oauth/consent/last-use.sql.ts',
  'oauth/consent/permission-groups.ts',
  'oauth/consent/silent-grants.ts',
  'oauth/cross-origin.ts',
  'oauth/github/dialect.ts',
  'oauth/resource/dpop.ts',
  'oauth/resource/mac.ts',
  'oauth/token/credential-keys.ts',
  'oauth/token/jwt-token.ts',
];

/** What half an hour suffices to read. */
const bound = { files: 16, lines: 2400 };

const namesIn = (text: string) => [...new Set([...text.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name = '']) => name))];

/** The function without a name at the beginning is the file itself, which runs when it is loaded. */
const isCalled = ({ functionName, ranges: [range] }: Profiler.FunctionCoverage) =>
  range !== undefined && range.count > 0 && !(functionName === '' && range.startOffset === 0);

/** The files of which a function ran. */
let ran: string[] = [];

before(async () => {
  const { origin } = await startWithPrinter();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const browser = await signedInBrowser(origin);
  const page = await browser.visit(`/authorize?${authorizationQuery()}`);
  const { body } = await redeem(origin, codeIn(await browser.submit(page, 'id="allow"')));
  const tokens = await refresh(origin, body['refresh_token']);
  const user = await getUser(origin, tokens.body['access_token']);
  assert.equal(user.status, 200);
  codeIn(await browser.visit(`/authorize?${authorizationQuery()}`));
  const { result } = await session.post('Profiler.takePreciseCoverage');
  ran = result
    .filter(({ url, functions }) => url.startsWith(src.href) && functions.some(isCalled))
    .map(({ url }) => url.slice(src.href.length).replace(/\?.*/, ''));
});

test('the heart is so many files and lines at most', () => {
  const lines = heart.map((path) => read(path).split('\n').length - 1).reduce((sum, one) => sum + one, 0);
  assert.ok(heart.length <= bound.files && lines <= bound.lines, `${heart.length} files, ${lines} lines`);
});

test('src/oauth/README.md shows the files of the heart in the order of reading', () => {
  const [list = ''] = /(?<=## Files, in reading order\n).*?(?=\nBeside this path)/s.exec(read('oauth/README.md')) ?? [];
  const named = namesIn(list).map((name) => (name.startsWith('clients/') ? name : `oauth/${name}`));
  assert.deepEqual(named, heart);
});

test('the requests run the files of the heart, and nothing else in src/oauth but what stands beside the path', () => {
  const inOauth = ran.filter((path) => path.startsWith('oauth/'));
  const expected = [...heart.filter((path) => !fragments.includes(path)), ...beside];
  assert.deepEqual(inOauth.sort(), expected.sort());
});
