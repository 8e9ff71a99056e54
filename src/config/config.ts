import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { isatty } from 'node:tty';
import { z } from 'zod';
import { afterIssuerPath } from '../lib/issuer-path.ts';
import { isVisible } from '../lib/one-line.ts';
import type { RelyingParty } from '../lib/webauthn.ts';
import type { Website } from '../lib/website.ts';
import { combinationProblems } from './combinations.ts';
import { databaseUrlProblem } from './database-url.ts';
import { fileVariable, readSecretFiles } from './secret-files.ts';
import { similarNames } from './similar-names.ts';
import {
  authoritiesProblem,
  collectorProblem,
  colorProblem,
  elsewhereProblem,
  fileProblem,
  flag,
  footerLinkProblem,
  headersProblem,
  integer,
  isLoopback,
  issuerProblem,
  keySetProblem,
  levelNamesProblem,
  listOf,
  logoProblem,
  ownAddressProblem,
  readCertificates,
  readHeaders,
  readKeySource,
  readLevelNames,
  readSender,
  readSmtp,
  readTrustProxy,
  senderProblem,
  sharedSecretProblem,
  shareProblem,
  smtpProblem,
  text,
  trustProxyProblem,
  wholeNumber,
} from './values.ts';

/** Seconds for load balancers to notice that the server stops; on a terminal there are none. */
const defaultDrainDelay = isatty(0) || isatty(1) ? 0 : 2;

/**
 * The most workers of `auto`: they use 74 connections (`operations/connections.ts`), and the embedded database has 80; a number may be
 * higher.
 */
const maxWorkersOfAuto = 24;

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
    .transform((value) => (value === 'auto' ? Math.min(availableParallelism(), maxWorkersOfAuto) : Number(value))),
  BRAND_NAME: z
    .string()
    .trim()
    .min(1, 'must be a name')
    .max(40, 'must have at most 40 characters')
    .refine(isVisible, 'must not contain line ends or invisible characters')
    .default('Latchkey'),
  BRAND_LOGO_URI: text(logoProblem).optional(),
  BRAND_COLOR: text(colorProblem).optional(),
  REGISTRATION: z.enum(['open', 'admins', 'off'], 'must be open, admins or off').default('admins'),
  REGISTRATION_ENDPOINT: z.enum(['off', 'token', 'open'], 'must be off, token or open').default('off'),
  CLIENT_ID_DOCUMENTS: z.enum(['off', 'on'], 'must be off or on').default('off'),
  DPOP_NONCE: z.enum(['off', 'on'], 'must be off or on').default('off'),
  ACR_VALUES: text(levelNamesProblem).transform(readLevelNames).default(['1', '2']),
  TWO_FACTORS_ELSEWHERE: text(elsewhereProblem)
    .transform((value) => new Set(listOf(value)))
    .default(new Set<string>()),
  PASSWORDS: z.enum(['on', 'off'], 'must be on or off').default('on'),
  SECOND_FACTOR: z
    .enum(['optional', 'admins', 'everybody'], 'must be optional, admins or everybody')
    .default('optional'),
  SECOND_FACTOR_GRACE: integer(0, 365, 7),
  SIGN_IN_URL: text(ownAddressProblem).optional(),
  SIGN_IN_SECRET: text(sharedSecretProblem).optional(),
  SIGN_IN_SECRET_FILE: z.string().optional(),
  SIGN_IN_JWKS: text(keySetProblem).optional(),
  SMTP_URL: text(smtpProblem).optional(),
  SMTP_URL_FILE: z.string().optional(),
  MAIL_FROM: text(senderProblem).optional(),
  IMPRINT_URL: text(footerLinkProblem).optional(),
  PRIVACY_URL: text(footerLinkProblem).optional(),
  SUPPORT_URL: text(footerLinkProblem).optional(),
  SIGN_UP: z.enum(['off', 'invited', 'open'], 'must be off, invited or open').default('off'),
  DRAIN_DELAY: integer(0, 60, defaultDrainDelay),
  AUDIT_RETENTION: integer(1, 36_500, 400),
  AUDIT_RETENTION_ROUTINE: integer(1, 36_500, 30),
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
  // leaves out the value, which may be a secret in the wrong variable
  const problems = issues.map(({ path, message }) => `${whereIs(path.join('.'))}: ${message}`);
  problems.push(...inFiles.problems, ...combinationProblems(given));
  if (parsed.success) problems.push(...ownAddressProblems(parsed.data));
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems.join('\n'));
  const config = toConfig(parsed.data);
  if (config.sign_up === 'open' && !config.smtp && !config.shows_mails) {
    throw new ConfigError(
      'SIGN_UP: open needs SMTP_URL and MAIL_FROM, since an email confirms the address of each new account; invited needs neither',
    );
  }
  return Object.freeze(config);
}

const inFile = (name: string, env: Record<string, string | undefined>) =>
  `${fileVariable(name)}: ${env[fileVariable(name)]}`;

/** Returns a warning for each variable whose name is almost a known one: a misspelt variable has no effect. */
export function misspelledVariables(env: Record<string, string | undefined>): string[] {
  const known = Object.keys(environment.shape);
  return similarNames(Object.keys(env), known).map(([name, meant]) => `${name} is unknown: did you mean ${meant}?`);
}

type Environment = z.infer<typeof environment>;

const issuerOf = ({ ISSUER, TLS_CERT_FILE, PORT }: Environment) =>
  ISSUER ?? `${TLS_CERT_FILE ? 'https' : 'http'}://localhost:${PORT}`;

/**
 * Refuses the server's own address as a login page: a browser that is sent from here to here would go round without end, and whatever
 * this server signs would be an answer of the website.
 */
function ownAddressProblems(env: Environment): string[] {
  const issuer = new URL(issuerOf(env));
  const base = issuer.pathname.replace(/\/$/, '');
  const isOwn = (value: string | undefined) => {
    if (value === undefined || !URL.canParse(value)) return false;
    const { hostname, port, pathname } = new URL(value);
    const isSameHost = hostname === issuer.hostname || (isLoopback(hostname) && isLoopback(issuer.hostname));
    return isSameHost && port === issuer.port && afterIssuerPath(base, pathname) !== undefined;
  };
  const sites = { SIGN_IN_URL: env.SIGN_IN_URL, SIGN_IN_JWKS: env.SIGN_IN_JWKS };
  return Object.entries(sites).flatMap(([name, value]) =>
    isOwn(value) ? [`${name}: must be an address of your website, and none of this server (ISSUER)`] : [],
  );
}

function toConfig(env: Environment) {
  const production = env.NODE_ENV === 'production';
  const issuer = issuerOf(env);
  const exposed_by = findExposure(issuer, env.HOST);
  // on by default only if other machines cannot reach the server, since the demo password is well known
  const demo = env.DEMO ?? (env.DATABASE_URL === undefined && !production && exposed_by === undefined);
  const from = readSender(env.MAIL_FROM ?? '');
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
    demo,
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
    /** whether people can have a password here */
    passwords: env.PASSWORDS === 'on',
    /** the people who must have a second factor */
    second_factor: env.SECOND_FACTOR,
    /** days after the first sign-in that finds none */
    second_factor_grace: env.SECOND_FACTOR_GRACE,
    /** what clients call a sign-in by one factor, and by two [9470] */
    acr_names: env.ACR_VALUES,
    /** what another place at which people sign in says of two factors, see levelOf */
    two_factors_elsewhere: env.TWO_FACTORS_ELSEWHERE as ReadonlySet<string>,
    passkeys: env.PASSWORDS === 'on' ? relyingPartyOf(issuer) : undefined,
    website: readWebsite(env),
    /** the server to which mails are handed over, and from whom they come */
    smtp: env.SMTP_URL && from ? { ...readSmtp(env.SMTP_URL), from } : undefined,
    /** whether a page of the demo shows the mails, whose links open accounts: not where other machines can see it */
    shows_mails: demo && exposed_by === undefined && env.SMTP_URL === undefined,
    /** who can make an account: nobody, who was invited, or everybody who proves an address */
    sign_up: env.SIGN_UP,
    /** whom people ask who cannot help themselves */
    support_url: env.SUPPORT_URL,
    imprint_url: env.IMPRINT_URL,
    privacy_url: env.PRIVACY_URL,
    audit_retention: env.AUDIT_RETENTION,
    /** days for which events of issued and refreshed tokens are kept */
    audit_retention_routine: env.AUDIT_RETENTION_ROUTINE,
    log_level: env.LOG_LEVEL,
  };
}

/** Browsers make no passkeys for IP addresses. */
function relyingPartyOf(issuer: string): RelyingParty | undefined {
  const { origin, hostname } = new URL(issuer);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { rp_id: hostname, origin } : undefined;
}

/** The provider's own login page. */
function readWebsite({ SIGN_IN_URL: url, SIGN_IN_SECRET: secret, SIGN_IN_JWKS }: Environment): Website | undefined {
  if (url === undefined) return undefined;
  return { url, ...(SIGN_IN_JWKS === undefined ? { secret: secret ?? '' } : readKeySource(SIGN_IN_JWKS)) };
}

/** Finds what exposes the server; undefined if only this machine can reach it. */
function findExposure(issuer: string, host: string): string | undefined {
  if (!isLoopback(new URL(issuer).hostname)) return `ISSUER ${issuer}`;
  return isLoopback(host) ? undefined : `HOST ${host}`;
}

function withPort(issuer: string, port: number): string {
  const url = new URL(issuer);
  url.port = String(port);
  return url.href.replace(/\/$/, '');
}
