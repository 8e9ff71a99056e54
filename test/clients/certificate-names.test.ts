import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Issued, issueAuthority, issueCertificate, noOpenssl } from '../support/certificate.ts';
import { encode } from '../support/flow.ts';
import { printer } from '../support/latchkey.ts';
import { fetchWith, type MutualTls, startMutualTls } from '../support/mutual-tls.ts';
import { writeFile } from '../support/scratch.ts';

// TLS ends at the server itself; test/clients/client-certificates.test.ts has certificates that a proxy passes on

const skip = noOpenssl;

test('an authority names a client by a subject or a host name [8705 §2.1.2]', {
  skip,
}, async () => {
  const by = issueAuthority('/CN=Test CA');
  const authorities = writeFile('authorities.pem', by.cert);
  const named = await startMutualTls(() => ({ CLIENT_CA_FILE: authorities }));
  const names = 'DNS:bank.example,URI:urn:bank,IP:192.0.2.1,email:it@bank.example';
  const extensions = ['basicConstraints=CA:FALSE', `subjectAltName=${names}`];
  const certificate = issueCertificate('/CN=bank', { by, extensions });
  const without = issueCertificate('/CN=other', { by });
  for (const [member, name] of Object.entries({
    tls_client_auth_subject_dn: 'CN=bank',
    tls_client_auth_san_dns: 'bank.example',
  })) {
    await named.latchkey.database.query(
      `select register_client(client_id => 'bank', name => 'Bank', site_domain => 'printer.example', redirect_uris => $1,
         scopes => array['user'], token_endpoint_auth_method => 'tls_client_auth', ${member} => $2)`,
      [[printer.redirect_uri], name],
    );
    const ask = async (shown: Issued) => (await introspectAt(named, shown)).status;
    assert.deepEqual([await ask(certificate), await ask(without)], [200, 401], member);
  }
});

/** A request that only a client can make that has authenticated. */
function introspectAt(at: MutualTls, certificate: Issued) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = encode({ client_id: 'bank', token: 'x' });
  return fetchWith(at, certificate, `${at.alias}/introspect`, { method: 'POST', headers, body });
}
