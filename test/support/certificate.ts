import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { scratch } from './process.ts';

/** Why tests of TLS are skipped; where everything must run, a missing openssl is a failure. */
export const noOpenssl = spawnSync('openssl', ['version']).status === 0 || process.env['CI'] ? false : 'needs openssl';

/** A certificate of its own for localhost, and its key. */
export function createCertificate(): { TLS_CERT_FILE: string; TLS_KEY_FILE: string } {
  const [TLS_KEY_FILE, TLS_CERT_FILE] = [join(scratch, 'key.pem'), join(scratch, 'certificate.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const { status, stderr } = spawnSync('openssl', [
    ...['req', ...kind, ...name],
    ...['-keyout', TLS_KEY_FILE, '-out', TLS_CERT_FILE],
  ]);
  assert.equal(status, 0, String(stderr));
  return { TLS_CERT_FILE, TLS_KEY_FILE };
}
