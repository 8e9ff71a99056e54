import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from './scratch.ts';

/** The reason to skip tests of TLS; where everything must run, a missing openssl is a failure. */
export const noOpenssl = spawnSync('openssl', ['version']).status === 0 || process.env['CI'] ? false : 'needs openssl';

/** A certificate of its own for localhost, and its key; a second one replaces the files of the first. */
export function createCertificate(key: 'ec' | 'rsa' = 'ec'): { TLS_CERT_FILE: string; TLS_KEY_FILE: string } {
  const [TLS_KEY_FILE, TLS_CERT_FILE] = [join(scratch, 'key.pem'), join(scratch, 'certificate.pem')];
  const size = key === 'ec' ? 'ec_paramgen_curve:P-256' : 'rsa_keygen_bits:2048';
  const kind = ['-x509', '-newkey', key, '-pkeyopt', size, '-nodes', '-days', '2'];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const { status, stderr } = spawnSync('openssl', [
    ...['req', ...kind, ...name],
    ...['-keyout', TLS_KEY_FILE, '-out', TLS_CERT_FILE],
  ]);
  assert.equal(status, 0, String(stderr));
  return { TLS_CERT_FILE, TLS_KEY_FILE };
}

export interface Issued {
  readonly cert: string;
  readonly key: string;
  readonly x509: X509Certificate;
}

interface IssueOptions {
  /** the authority; without one, the certificate is signed with its own key */
  by?: Issued | undefined;
  extensions?: readonly string[];
  /** the key of another certificate */
  key?: string;
  days?: number;
  /** which encodings of text openssl may use */
  strings?: 'utf8only' | 'nombstr';
  more?: readonly string[];
}

let issued = 0;

/** A certificate for a client, or with the extension basicConstraints=CA:TRUE an authority. The subject is as `openssl -subj` takes it. */
export function issueCertificate(subject: string, options: IssueOptions = {}): Issued {
  const { by, extensions = ['basicConstraints=CA:FALSE'], key, days = 2, strings = 'utf8only', more = [] } = options;
  issued += 1;
  const file = (name: string, text?: string) => {
    const path = join(scratch, `issued-${issued}-${name}`);
    if (text !== undefined) writeFileSync(path, text);
    return path;
  };
  const config = file('config', `[req]\ndistinguished_name=dn\nstring_mask=${strings}\n[dn]\n`);
  const [certFile, keyFile] = [file('cert'), file('key', key)];
  const kind =
    key === undefined
      ? ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-keyout', keyFile]
      : ['-key', keyFile];
  const { status, stderr } = spawnSync('openssl', [
    ...[
      'req',
      '-x509',
      '-nodes',
      '-utf8',
      '-config',
      config,
      '-days',
      String(days),
      '-subj',
      subject,
      '-out',
      certFile,
    ],
    ...kind,
    ...(by ? ['-CA', file('ca', by.cert), '-CAkey', file('ca-key', by.key)] : []),
    ...extensions.flatMap((extension) => ['-addext', extension]),
    ...more,
  ]);
  assert.equal(status, 0, String(stderr));
  const cert = readFileSync(certFile, 'utf8');
  return { cert, key: readFileSync(keyFile, 'utf8'), x509: new X509Certificate(cert) };
}

export const issueAuthority = (subject: string) =>
  issueCertificate(subject, { days: 9, extensions: ['basicConstraints=critical,CA:TRUE', 'keyUsage=keyCertSign'] });
