import { X509Certificate } from 'node:crypto';
import { readFileSync, statfsSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Config } from '../config.ts';
import { fileVariable, secretVariables } from '../secret-files.ts';
import { type Finding, finding } from './finding.ts';

type Variables = Readonly<Record<string, string | undefined>>;

const day = 86_400_000;

/** The certificate that this server presents. */
export function certificateFindings({ tls, issuer }: Config): Finding[] {
  if (!tls) return [];
  const certificate = new X509Certificate(readFileSync(tls.cert));
  const days = Math.floor((Date.parse(certificate.validTo) - Date.now()) / day);
  const { hostname } = new URL(issuer);
  const host = hostname.replace(/^\[|\]$/g, '');
  const fits = isIP(host) > 0 ? certificate.checkIP(host) : certificate.checkHost(host);
  const change = `a new certificate in ${tls.cert}; it is used without a restart`;
  const found: Finding[] = [];
  if (days < 14) {
    const [severity, what] = days < 0 ? (['error', 'has expired'] as const) : (['warning', 'expires soon'] as const);
    const value = `valid until ${certificate.validTo}`;
    found.push(finding(severity, 'certificate_expiry', { what: `the certificate ${what}`, value, change }));
  }
  if (fits === undefined) {
    const what = 'the certificate is not for the host of ISSUER, so clients refuse it';
    found.push(finding('error', 'certificate_host', { what, value: `ISSUER ${issuer}`, change }));
  }
  return found;
}

/** Files with secrets that every user of this machine can read. */
export function readableFindings({ tls, seed_file }: Config, env: Variables): Finding[] {
  const files = secretVariables.map((name) => [fileVariable(name), env[fileVariable(name)]] as const);
  const all = [...files, ['TLS_KEY_FILE', tls?.key] as const, ['SEED_FILE', seed_file] as const];
  return all.flatMap(([name, path]) => {
    if (!path || (statSync(path).mode & 0o004) === 0) return [];
    const what = 'a file with secrets can be read by every user of this machine';
    return [finding('warning', 'file_readable', { what, value: `${name} ${path}`, change: `chmod o-r ${path}` })];
  });
}

const mebibyte = 2 ** 20;

/** What is left for the embedded database. */
export function diskFindings({ database_url, data_dir }: Config): Finding[] {
  if (database_url !== undefined) return [];
  const { bavail, bsize } = statfsSync(data_dir);
  const left = Math.floor((bavail * bsize) / mebibyte);
  if (left >= 1024) return [];
  return [
    finding(left < 100 ? 'error' : 'warning', 'disk_space', {
      what: 'the disk of the embedded database is nearly full; without space it stops',
      value: `${left} MiB left in DATA_DIR ${data_dir}`,
      change: 'DATA_DIR=… on a larger disk, or free some space; from 1024 MiB on this is no finding',
    }),
  ];
}
