import { X509Certificate } from 'node:crypto';
import { readFileSync, statfsSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { Config } from '../config/config.ts';
import { fileVariable, secretVariables } from '../config/secret-files.ts';
import { authorityProblem } from '../lib/certificate-purpose.ts';
import { type Finding, finding } from '../lib/finding.ts';
import { tlsOptions } from '../operations/tls.ts';

type Variables = Readonly<Record<string, string | undefined>>;

const day = 86_400_000;

type TlsFiles = NonNullable<Config['tls']>;

/** The certificate that this server presents. */
export function certificateFindings(config: Config): Finding[] {
  const { tls } = config;
  if (!tls) return [];
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(readFileSync(tls.cert));
  } catch (error) {
    return [unusableFinding(`TLS_CERT_FILE ${tls.cert}`, error)];
  }
  const change = `a new certificate in ${tls.cert}; it is used without a restart`;
  return [...keyFindings(tls), ...expiryFindings(certificate, change), ...hostFindings(certificate, config, change)];
}

/** Certificates of CLIENT_CA_FILE by which no client authenticates. */
export function authorityFindings({ client_authorities }: Config): Finding[] {
  return client_authorities.flatMap((one) => {
    const problem = Date.parse(one.validTo) < Date.now() ? 'it has expired' : authorityProblem(one);
    if (problem === undefined) return [];
    return [
      finding('error', 'certificate_authority', {
        what: 'the certificates of clients that a CA has issued are refused because of the certificate of the CA',
        value: `${one.subject.replaceAll('\n', ', ')}: ${problem}`,
        change: 'CLIENT_CA_FILE=…, without this CA, or with a certificate of it for the purpose',
      }),
    ];
  });
}

function keyFindings(tls: TlsFiles): Finding[] {
  try {
    createSecureContext(tlsOptions(tls));
    return [];
  } catch (error) {
    return [unusableFinding(`TLS_CERT_FILE ${tls.cert} with TLS_KEY_FILE ${tls.key}`, error)];
  }
}

function unusableFinding(files: string, error: unknown): Finding {
  return finding('error', 'certificate_unusable', {
    what: 'the certificate and its key cannot be used, so the server does not start',
    value: `${files}: ${(error as Error).message}`,
    change: 'TLS_CERT_FILE=… and TLS_KEY_FILE=…, a certificate and its key in PEM',
  });
}

function expiryFindings({ validTo }: X509Certificate, change: string): Finding[] {
  const days = Math.floor((Date.parse(validTo) - Date.now()) / day);
  if (days >= 14) return [];
  const [severity, what] = days < 0 ? (['error', 'has expired'] as const) : (['warning', 'expires soon'] as const);
  return [
    finding(severity, 'certificate_expiry', {
      what: `the certificate ${what}`,
      value: `valid until ${validTo}`,
      change,
    }),
  ];
}

/** Behind a proxy, clients see the certificate of the proxy. */
function hostFindings(certificate: X509Certificate, { issuer, trust_proxy }: Config, change: string): Finding[] {
  const host = new URL(issuer).hostname.replace(/^\[|\]$/g, '');
  const fits = isIP(host) > 0 ? certificate.checkIP(host) : certificate.checkHost(host);
  if (fits !== undefined) return [];
  const what = 'the certificate is not for the host of ISSUER';
  if (!trust_proxy) {
    const details = { what: `${what}, so clients refuse it`, value: `ISSUER ${issuer}`, change };
    return [finding('error', 'certificate_host', details)];
  }
  return [
    finding('note', 'certificate_host', {
      what: `${what}, which matters only to the proxy, if it checks the name`,
      value: `ISSUER ${issuer}, TRUST_PROXY is set`,
      change: `nothing, if the proxy accepts the certificate; otherwise ${change}`,
    }),
  ];
}

/** Files with secrets that every user of this machine can read. */
export function readableFindings({ tls, seed_file }: Config, env: Variables): Finding[] {
  const files = secretVariables.map((name) => [fileVariable(name), env[fileVariable(name)]] as const);
  const all = [...files, ['TLS_KEY_FILE', tls?.key] as const, ['SEED_FILE', seed_file] as const];
  return all.flatMap(([name, path]) => {
    if (!path) return [];
    const file = statSync(path, { throwIfNoEntry: false });
    if (!file) return [missingFinding(`${name} ${path}`)];
    if ((file.mode & 0o004) === 0) return [];
    const what = 'a file with secrets can be read by every user of this machine';
    return [finding('warning', 'file_readable', { what, value: `${name} ${path}`, change: `chmod o-r ${path}` })];
  });
}

const missingFinding = (value: string) =>
  finding('error', 'file_missing', {
    what: 'a configuration file is missing, so the next start fails',
    value,
    change: 'restore the file, or remove it from the variable',
  });

const mebibyte = 2 ** 20;

/** The space that is left on the disk of the embedded database. */
export function diskFindings({ database_url, data_dir }: Config): Finding[] {
  if (database_url !== undefined) return [];
  const { bavail, bsize } = statfsSync(data_dir);
  const left = Math.floor((bavail * bsize) / mebibyte);
  if (left >= 1024) return [];
  return [
    finding(left < 100 ? 'error' : 'warning', 'disk_space', {
      what: 'the disk of the embedded database is nearly full; without space it stops',
      value: `${left} MiB left in DATA_DIR ${data_dir}`,
      change: 'DATA_DIR=… on a larger disk, or free some space; with 1024 MiB or more there is no warning',
    }),
  ];
}
