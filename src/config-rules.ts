import { accessSync, constants, statSync } from 'node:fs';
import { isIP, isIPv4 } from 'node:net';
import { readColor } from './endpoints/pages/brand.ts';

/** Rules about one variable of the environment: why its value cannot be used, or undefined. */
type Problem = string | undefined;

export function databaseUrlProblem(value: string): Problem {
  if (!/^postgres(ql)?:\/\//.test(value)) return 'must begin with postgres://';
  // a host may be missing where the query names the directory of a socket; the driver accepts that, URL does not
  return URL.canParse(value.replace('@/', '@localhost/')) ? undefined : 'must be a URL: %-encode what is special in it';
}

/** Whether only this very machine reaches it. */
function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}

/** What opens the server to other machines; undefined when nothing does. */
export function findExposure(issuer: string, host: string): string | undefined {
  if (!isLoopback(new URL(issuer).hostname)) return `ISSUER ${issuer}`;
  return isLoopback(host) ? undefined : `HOST ${host}`;
}

/** An origin with an optional path; tokens must not travel in the clear except to this very machine [6749 §3.1, §3.2]. */
export function issuerProblem(value: string): Problem {
  if (!URL.canParse(value)) return 'must be a URL such as https://id.example';
  const url = new URL(value);
  const isHttpHere = url.protocol === 'http:' && isLoopback(url.hostname);
  if (url.protocol !== 'https:' && !isHttpHere) return 'must be https';
  if (url.search || url.hash || url.username || url.password) return 'must have no query, fragment or user name';
  if (value !== (url.pathname === '/' ? url.origin : url.origin + url.pathname.replace(/\/$/, ''))) {
    return 'must be written in its plain form: lower-case host, no default port, no slash at the end';
  }
  return undefined;
}

/** An image that pages may show: from elsewhere, and never in the clear. */
export function logoProblem(value: string): Problem {
  return value.startsWith('https://') && URL.canParse(value) ? undefined : 'must be an https URL';
}

export function colorProblem(value: string): Problem {
  return readColor(value) ? undefined : 'must be a colour such as #0a6 or #00aa66';
}

export function fileProblem(path: string): Problem {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile() ? undefined : 'must be the path of a file';
  } catch {
    return 'must be the path of a file that can be read';
  }
}

/** What Express accepts, which refuses only when the server is about to start. */
export function trustProxyProblem(value: string): Problem {
  if (/^(true|false|\d{1,3})$/.test(value)) return undefined;
  const isRange = (range: string) => {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
    if (['loopback', 'linklocal', 'uniquelocal'].includes(range)) return true;
    return isIP(address) > 0 && Number(bits ?? 0) <= (isIPv4(address) ? 32 : 128);
  };
  const isGood = value.split(',').every((range) => isRange(range.trim()));
  return isGood ? undefined : 'must be true, false, a number of hops, or addresses such as 10.0.0.0/8, loopback';
}

/** As Express's setting "trust proxy": true, a number of hops, or addresses. */
export function readTrustProxy(value: string): boolean | number | string {
  if (value === 'true' || value === 'false') return value === 'true';
  return /^\d+$/.test(value) ? Number(value) : value;
}

/** Rules about two variables; looked at even where one of them is wrong by itself, so that all is said at once. */
export function combinationProblems(env: Record<string, string | undefined>): string[] {
  const problems = [];
  if (env['DEMO'] === 'true' && env['NODE_ENV'] === 'production') {
    problems.push('DEMO: must not be true together with NODE_ENV=production: the demo has a well-known password');
  }
  if ((env['TLS_CERT_FILE'] === undefined) !== (env['TLS_KEY_FILE'] === undefined)) {
    problems.push('TLS_CERT_FILE, TLS_KEY_FILE: one is set without the other');
  }
  return problems;
}

/** Names that are all but one of the known ones, each with that one. */
export function similarNames(names: string[], known: string[]): [string, string][] {
  return names
    .filter((name) => !known.includes(name))
    .flatMap((name): [string, string][] => {
      const meant = known.find((one) => one.length > 5 && distance(name, one) <= 2);
      return meant === undefined ? [] : [[name, meant]];
    });
}

/** Levenshtein's: how many characters to insert, delete or replace. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, a] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, b] of [...other].entries()) {
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (a === b ? 0 : 1)));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
