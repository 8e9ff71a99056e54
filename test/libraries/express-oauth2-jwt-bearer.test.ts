// ci: programs of others, and other languages
import assert from 'node:assert/strict';
import { test } from 'node:test';
import express from 'express';
import { obtainCode, redeem, signedInBrowser } from '../support/flow.ts';
import { registerJwtResource, startWithPrinter } from '../support/latchkey.ts';
import { openServer } from './application.ts';
import { load } from './library.ts';

const { library, skip } = await load('express-oauth2-jwt-bearer');
const { origin, database } = await startWithPrinter();

test('express-oauth2-jwt-bearer accepts a JWT for its API, and refuses one for another API or with too little scope', {
  skip,
}, async () => {
  const [audience, other] = ['https://api.example/', 'https://other.example/'];
  for (const resource of [audience, other]) await registerJwtResource(database, resource, ['repo']);
  const server = await openServer();
  const app = express();
  app.use(library.auth({ issuerBaseURL: origin, audience, strict: true }));
  app.get('/repositories', library.scopeIncludesAny('repo repo:read'), (_req, res) => void res.send('yours'));
  server.answer(app);

  const browser = await signedInBrowser(origin);
  const statusFor = async (scope: string, resource: string) => {
    const { body } = await redeem(origin, await obtainCode(browser, { scope, resource }));
    const headers = { authorization: `Bearer ${body['access_token']}` };
    return (await fetch(`${server.origin}/repositories`, { headers })).status;
  };
  assert.equal(await statusFor('repo:read', audience), 200);
  assert.equal(await statusFor('repo', audience), 200);
  assert.equal(await statusFor('repo:write', audience), 403);
  assert.equal(await statusFor('repo', other), 401);
});
