import { X509Certificate } from 'node:crypto';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { isIP, isIPv4 } from 'node:net';
import { availableParallelism } from 'node:os';
import { isatty } from 'node:tty';
import { z } from 'zod';
import { databaseUrlProblem } from './protocol/database-url.ts';
import { fileVariable, readSecretFiles } from './secret-files.ts';

/** An integer in a range, written in digits: 1e3, 10m and a blank are refused. */
const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .transform((value) => (/^\d+$/.test(value) ? Number(value) : Number.NaN))
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

const integer = (min: number, max: number, defaultValue: number) => wholeNumber(min, max).default(defaultValue);

const text = (problemOf: (value: string) => string | undefined) =>
  z.string().superRefine((value, context) => {
    const message = problemOf(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

const flag = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true');

/** Seconds for load balancers to notice that the server stops; on a terminal there are none. */
const defaultDrainDelay = isatty(0) || isatty(1) ? 0 : 2;

const environment = z.object({
  DATABASE_URL: text(databaseUrlProblem).optional(),
  DATABASE_URL_FILE: z.string().optional(),
  DATA_DIR: z.string().default('./data'),
  PORT: integer(1, 65535, 3000),
  HOST: z.string().default('127.0.0.1'),
  ISSUER: text(issuerProblem).optional(),
  SESSION_SECRET: z
    .string()
    .transform((value) => value.split(',').map((secret) => secret.trim()))
    .refine((secrets) => secrets.every((secret) => secret.length >= 32), 'must have at least 32 characters each')
    .optional(),
  SESSION_SECRET_FILE: z.string().optional(),
  SEED_FILE: text(fileProblem).optional(),
  DEMO: flag.optional(),
  // other values are refused, since a misspelt `production` would enable the demo
  NODE_ENV: z.enum(['production', 'development', 'test'], 'must be production, development or test').optional(),
  AUTHORIZATION_CODE_TTL: integer(1, 3600, 600),
  ACCESS_TOKEN_TTL: integer(1, 31_536_000, 3600),
  REFRESH_TOKEN_TTL: integer(1, 315_360_000, 2_592_000),
  REFRESH_GRACE: integer(0, 3600, 60),
  TRUST_PROXY: text(trustProxyProblem).transform(readTrustProxy).optional(),
  TLS_CERT_FILE: text(fileProblem).optional(),
  TLS_KEY_FILE: text(fileProblem).optional(),
  MTLS_PORT: wholeNumber(1, 65535).optional(),
  MTLS_URL: text(issuerProblem).optional(),
  METRICS_PORT: wholeNumber(1, 65535).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: text(collectorProblem).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: text(headersProblem).transform(readHeaders).optional(),
  OTEL_EXPORTER_OTLP_HEADERS_FILE: z.string().optional(),
  OTEL_SERVICE_NAME: z.string().trim().min(1).max(100).default('latchkey'),
  OTEL_TRACES_SAMPLER_ARG: text(shareProblem).transform(Number).default(1),
  CLIENT_CERT_HEADER: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'must be the name of a header')
    .toLowerCase()
    .optional(),
  CLIENT_CA_FILE: text(authoritiesProblem).transform(readCertificates).optional(),
  WEB_CONCURRENCY: z
    .string()
    .regex(/^(auto|[1-9]\d?)$/, 'must be auto or a number from 1 to 99')
    .default('1')
    .transform((value) => (value === 'auto' ? availableParallelism() : Number(value))),
  BRAND_NAME: z.string().trim().min(1, 'must be a name').max(40, 'must have at most 40 characters').default('Latchkey'),
  BRAND_LOGO_URI: text(logoProblem).optional(),
  BRAND_COLOR: text(colorProblem).optional(),
  REGISTRATION: z.enum(['open', 'admins', 'off'], 'must be open, admins or off').default('admins'),
  REGISTRATION_ENDPOINT: z.enum(['off', 'token', 'open'], 'must be off, token or open').default('off'),
  CLIENT_ID_DOCUMENTS: z.enum(['off', 'on'], 'must be off or on').default('off'),
  DPOP_NONCE: z.enum(['off', 'on'], 'must be off or on').default('off'),
  DRAIN_DELAY: integer(0, 60, defaultDrainDelay),
  AUDIT_RETENTION: integer(1, 36_500, 400),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'must be a log level such as info or warn')
    .default('info'),
});

export type Config = Readonly<ReturnType<typeof toConfig>>;

/** Its message has one line for each problem, which begins with the name of the variable. */
export class ConfigError extends Error {}

export function loadConfig(env: Record<string, string | undefined>): Config {
  // compose files and shells often set a variable to '' instead of leaving it out
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const inFiles = readSecretFiles(given);
  const parsed = environment.safeParse({ ...given, ...inFiles.values });
  const issues = parsed.success ? [] : parsed.error.issues;
  const whereIs = (name: string) => (name in inFiles.values ? inFile(name, given) : name);
  // without the value, which may be a secret in the wrong variable
  const problems = issues.map(({ path, message }) => `${whereIs(path.join('.'))}: ${message}`);
  problems.push(...inFiles.problems, ...combinationProblems(given));
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems.join('\n'));
  return Object.freeze(toConfig(parsed.data));
}

const inFile = (name: string, env: Record<string, string | undefined>) =>
  `${fileVariable(name)}: ${env[fileVariable(name)]}`;

/** A warning for each variable whose name is almost a known one: a misspelt variable has no effect. */
export function misspelledVariables(env: Record<string, string | undefined>): string[] {
  const known = Object.keys(environment.shape);
  return similarNames(Object.keys(env), known).map(([name, meant]) => `${name} is unknown: did you mean ${meant}?`);
}

type Environment = z.infer<typeof environment>;

function toConfig(env: Environment) {
  const production = env.NODE_ENV === 'production';
  const issuer = env.ISSUER ?? `${env.TLS_CERT_FILE ? 'https' : 'http'}://localhost:${env.PORT}`;
  const exposed_by = findExposure(issuer, env.HOST);
  return {
    database_url: env.DATABASE_URL,
    data_dir: env.DATA_DIR,
    port: env.PORT,
    host: env.HOST,
    issuer,
    /** the path of the issuer, which every route also has as a prefix; usually '' */
    base: new URL(issuer).pathname.replace(/\/$/, ''),
    secure: issuer.startsWith('https:'),
    session_secret: env.SESSION_SECRET,
    /** the variable that exposes this server to other machines, with its value: ISSUER https://id.example */
    exposed_by,
    // on by default only if other machines cannot reach the server, since the demo password is well known
    demo: env.DEMO ?? (env.DATABASE_URL === undefined && !production && exposed_by === undefined),
    production,
    seed_file: env.SEED_FILE,
    authorization_code_ttl: env.AUTHORIZATION_CODE_TTL,
    access_token_ttl: env.ACCESS_TOKEN_TTL,
    refresh_token_ttl: env.REFRESH_TOKEN_TTL,
    refresh_grace: env.REFRESH_GRACE,
    trust_proxy: env.TRUST_PROXY ?? false,
    tls: env.TLS_CERT_FILE && env.TLS_KEY_FILE ? { cert: env.TLS_CERT_FILE, key: env.TLS_KEY_FILE } : undefined,
    /** the port where clients present certificates */
    mtls_port: env.MTLS_PORT,
    /** what the addresses begin with where clients present certificates [8705 §5] */
    mtls_url: env.MTLS_URL ?? (env.MTLS_PORT === undefined ? undefined : withPort(issuer, env.MTLS_PORT)),
    /** the header in which a proxy passes the certificate on; in lower case */
    client_cert_header: env.CLIENT_CERT_HEADER,
    /** whether certificates authenticate clients and bind tokens */
    takes_certificates: (env.MTLS_PORT ?? env.CLIENT_CERT_HEADER) !== undefined,
    client_authorities: env.CLIENT_CA_FILE ?? [],
    workers: env.WEB_CONCURRENCY,
    metrics_port: env.METRICS_PORT,
    /** where traces go, undefined for nowhere; with the share of requests that are traced */
    tracing:
      env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? undefined
        : {
            url: `${env.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/$/, '')}/v1/traces`,
            headers: env.OTEL_EXPORTER_OTLP_HEADERS ?? {},
            service: env.OTEL_SERVICE_NAME,
            rate: env.OTEL_TRACES_SAMPLER_ARG,
          },
    drain_delay: env.DRAIN_DELAY,
    brand: { name: env.BRAND_NAME, logo_uri: env.BRAND_LOGO_URI, color: env.BRAND_COLOR },
    registration: env.REGISTRATION,
    registration_endpoint: env.REGISTRATION_ENDPOINT,
    client_id_documents: env.CLIENT_ID_DOCUMENTS === 'on',
    /** whether a DPoP proof must contain a nonce of this server */
    dpop_nonce: env.DPOP_NONCE === 'on',
    audit_retention: env.AUDIT_RETENTION,
    log_level: env.LOG_LEVEL,
  };
}

/** Why a value is refused; undefined if it is accepted. */
type Problem = string | undefined;

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}

/** Undefined if only this machine can reach the server. */
function findExposure(issuer: string, host: string): string | undefined {
  if (!isLoopback(new URL(issuer).hostname)) return `ISSUER ${issuer}`;
  return isLoopback(host) ? undefined : `HOST ${host}`;
}

/** An origin with an optional path; https unless it is loopback [6749 §3.1, §3.2]. */
function issuerProblem(value: string): Problem {
  if (!URL.canParse(value)) return 'must be a URL such as https://id.example';
  const url = new URL(value);
  const isLoopbackHttp = url.protocol === 'http:' && isLoopback(url.hostname);
  if (url.protocol !== 'https:' && !isLoopbackHttp) return 'must be https';
  if (url.search || url.hash || url.username || url.password) return 'must have no query, fragment or user name';
  if (value !== (url.pathname === '/' ? url.origin : url.origin + url.pathname.replace(/\/$/, ''))) {
    return 'must be normalised: lower-case host, no default port, no trailing slash';
  }
  return undefined;
}

/** Without a password, because `fetch` refuses a URL that has one, with an error that quotes it. */
function collectorProblem(value: string): Problem {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
    return 'must be the URL of a collector that takes OTLP over HTTP, such as http://localhost:4318';
  }
  const { username, password } = new URL(value);
  if (username || password) return 'must have no user name or password: use OTEL_EXPORTER_OTLP_HEADERS';
  return /[?#]/.test(value) ? 'must have no query or fragment' : undefined;
}

/** `name=value` pairs, separated by commas, with percent-encoded values, as the specification of OpenTelemetry has them. */
function readHeaders(value: string): Record<string, string> {
  const pairs = value.split(',').map((pair) => /^\s*([\w-]+)\s*=\s*([\x21-\x7e]*)\s*$/.exec(pair));
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', decodeURIComponent(pair?.[2] ?? '')]));
}

/** The reverse of readHeaders. */
export const writeHeaders = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join(',');

function headersProblem(value: string): Problem {
  try {
    new Headers(readHeaders(value));
    return undefined;
  } catch {
    return 'must be name=value, several separated by commas, with percent-encoded values';
  }
}

function shareProblem(value: string): Problem {
  return /^(0(\.\d+)?|1(\.0+)?)$/.test(value) ? undefined : 'must be a share from 0 to 1, such as 0.1';
}

function logoProblem(value: string): Problem {
  return value.startsWith('https://') && URL.canParse(value) ? undefined : 'must be an https URL';
}

function colorProblem(value: string): Problem {
  return readColor(value) ? undefined : 'must be a colour such as #0a6 or #00aa66';
}

function fileProblem(path: string): Problem {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile() ? undefined : 'must be the path of a file';
  } catch {
    return 'must be the path of a file that can be read';
  }
}

function withPort(issuer: string, port: number): string {
  const url = new URL(issuer);
  url.port = String(port);
  return url.href.replace(/\/$/, '');
}

function readCertificates(path: string): readonly X509Certificate[] {
  const blocks = readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new X509Certificate(block));
}

function authoritiesProblem(path: string): Problem {
  const problem = fileProblem(path);
  if (problem !== undefined) return problem;
  try {
    const authorities = readCertificates(path);
    return authorities.length > 0 && authorities.every(({ ca }) => ca)
      ? undefined
      : 'must have certificates of CAs only';
  } catch {
    return 'must have certificates in PEM';
  }
}

/** Accepts what Express accepts. Express itself would refuse a value only after the database was prepared. */
function trustProxyProblem(value: string): Problem {
  if (/^(true|false|\d{1,3})$/.test(value)) return undefined;
  const isRange = (range: string) => {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
    if (['loopback', 'linklocal', 'uniquelocal'].includes(range)) return true;
    return isIP(address) > 0 && Number(bits ?? 0) <= (isIPv4(address) ? 32 : 128);
  };
  const areValid = value.split(',').every((range) => isRange(range.trim()));
  return areValid ? undefined : 'must be true, false, a number of hops, or addresses such as 10.0.0.0/8, loopback';
}

/** Values of the Express setting `trust proxy`: a boolean, a number of hops, or addresses. */
function readTrustProxy(value: string): boolean | number | string {
  if (value === 'true' || value === 'false') return value === 'true';
  return /^\d+$/.test(value) ? Number(value) : value;
}

/** Rules about two variables, which are checked even if one is invalid by itself, so that all problems are reported at once. */
function combinationProblems(env: Record<string, string | undefined>): string[] {
  const problems = [];
  if (env['DEMO'] === 'true' && env['NODE_ENV'] === 'production') {
    problems.push('DEMO: must not be true together with NODE_ENV=production: the password of the demo is well known');
  }
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0' && env['NODE_ENV'] === 'production') {
    problems.push('NODE_TLS_REJECT_UNAUTHORIZED: must not be 0 together with NODE_ENV=production');
  }
  if ((env['TLS_CERT_FILE'] === undefined) !== (env['TLS_KEY_FILE'] === undefined)) {
    problems.push('TLS_CERT_FILE, TLS_KEY_FILE: one is set without the other');
  }
  if (env['METRICS_PORT'] !== undefined && [env['PORT'] ?? '3000', env['MTLS_PORT']].includes(env['METRICS_PORT'])) {
    problems.push('METRICS_PORT: must not be PORT or MTLS_PORT, which strangers reach');
  }
  return [...problems, ...certificateProblems(env)];
}

/** What is missing where clients present certificates. */
function certificateProblems(env: Record<string, string | undefined>): string[] {
  const problems = [];
  const isSet = (name: string) => env[name] !== undefined;
  if (isSet('MTLS_PORT') && !isSet('TLS_CERT_FILE')) problems.push('MTLS_PORT: needs TLS_CERT_FILE');
  if (isSet('MTLS_PORT') && env['MTLS_PORT'] === (env['PORT'] ?? '3000')) {
    problems.push('MTLS_PORT: must not be PORT, where browsers connect');
  }
  if (isSet('CLIENT_CERT_HEADER') && !isSet('TRUST_PROXY')) {
    problems.push('CLIENT_CERT_HEADER: needs TRUST_PROXY, or else anybody could send it');
  }
  if (isSet('CLIENT_CERT_HEADER') && isSet('MTLS_PORT')) {
    problems.push('CLIENT_CERT_HEADER, MTLS_PORT: only one of them can be set');
  }
  for (const name of ['MTLS_URL', 'CLIENT_CA_FILE']) {
    if (isSet(name) && !isSet('MTLS_PORT') && !isSet('CLIENT_CERT_HEADER')) {
      problems.push(`${name}: needs MTLS_PORT or CLIENT_CERT_HEADER`);
    }
  }
  return problems;
}

/** Unknown names that differ from a known one by at most two characters, each with the known one. */
function similarNames(names: string[], known: string[]): [string, string][] {
  return names
    .filter((name) => !known.includes(name))
    .flatMap((name): [string, string][] => {
      const meant = known.find((one) => one.length > 5 && distance(name, one) <= 2);
      return meant === undefined ? [] : [[name, meant]];
    });
}

/** The Levenshtein distance: how many characters to insert, delete or replace. */
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

export type Rgb = readonly [number, number, number];

/** `#rgb` or `#rrggbb`; undefined when the text is neither. */
export function readColor(text: string): Rgb | undefined {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const pairs = digits.length === 3 ? Array.from(digits, (digit) => digit + digit) : (digits.match(/../g) ?? []);
  const [r = 0, g = 0, b = 0] = pairs.map((pair) => Number.parseInt(pair, 16));
  return [r, g, b];
}
