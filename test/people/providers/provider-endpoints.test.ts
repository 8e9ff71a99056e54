import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { openDatabase } from '../../../src/postgres/database.ts';
import { Browser } from '../../support/browser.ts';
import { createCertificate, noOpenssl } from '../../support/certificate.ts';
import { createDatabase } from '../../support/database.ts';
import { json, startProvider } from '../../support/openid-provider.ts';
import { startServing } from '../../support/process.ts';
import { problemOn, registerFake } from '../../support/providers.ts';

test('a provider with https sends this server to no program of this machine', { skip: noOpenssl }, async () => {
  const { TLS_CERT_FILE, TLS_KEY_FILE } = createCertificate();
  // its client secret and its questions go to whatever listens there
  const local = await startProvider();
  const tls = createServer({ cert: readFileSync(TLS_CERT_FILE), key: readFileSync(TLS_KEY_FILE) }).listen(
    0,
    'localhost',
  );
  after(() => [tls.close(), tls.closeAllConnections()]);
  const issuer = await new Promise<string>((resolve) => {
    tls.on('listening', () => resolve(`https://localhost:${(tls.address() as AddressInfo).port}`));
  });
  const endpoints = {
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
  };
  let metadata: object = {};
  tls.on('request', (_req, res) => json(res, metadata));
  const DATABASE_URL = await createDatabase();
  const { origin } = await startServing({ DATABASE_URL, NODE_EXTRA_CA_CERTS: TLS_CERT_FILE });
  const database = openDatabase({ connectionString: DATABASE_URL });
  after(() => database.end());
  const press = async (changes: object) => {
    metadata = { issuer, ...endpoints, ...changes };
    await registerFake(database, local, { issuer });
    await database.query('delete from provider_documents');
    const browser = new Browser(origin);
    return browser.submit(await browser.visit('/login'), 'value="acme"');
  };
  assert.match((await press({})).location ?? '', /^https:/);
  for (const [name, path] of [
    ['authorization_endpoint', '/authorize'],
    ['token_endpoint', '/token'],
    ['jwks_uri', '/keys'],
    ['userinfo_endpoint', '/userinfo'],
  ] as const) {
    const page = await press({ [name]: local.issuer + path });
    assert.equal(problemOn(page), 'provider_away', `${name}: ${page.location}`);
  }
});
