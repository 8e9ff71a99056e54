import { availableParallelism } from 'node:os';
import { isatty } from 'node:tty';
import { z } from 'zod';
import {
  colorProblem,
  combinationProblems,
  databaseUrlProblem,
  fileProblem,
  findExposure,
  issuerProblem,
  logoProblem,
  readTrustProxy,
  similarNames,
  trustProxyProblem,
} from './config-rules.ts';

/** An integer in a range; plain digits only, so that neither 1e3 nor 10m nor a blank is taken for a number. */
const integer = (least: number, most: number, fallback: number) =>
  z
    .string()
    .transform((value) => (/^\d+$/.test(value) ? Number(value) : Number.NaN))
    .refine((value) => value >= least && value <= most, `must be a whole number from ${least} to ${most}`)
    .default(fallback);

const text = (problemOf: (value: string) => string | undefined) =>
  z.string().superRefine((value, context) => {
    const message = problemOf(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

const flag = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true');

/** A supervisor has balancers that must notice first; a person at a terminal wants the prompt back. */
const drainDelay = isatty(0) || isatty(1) ? 0 : 2;

const environment = z.object({
  DATABASE_URL: text(databaseUrlProblem).optional(),
  DATA_DIR: z.string().default('./data'),
  PORT: integer(1, 65535, 3000),
  HOST: z.string().default('127.0.0.1'),
  ISSUER: text(issuerProblem).optional(),
  SESSION_SECRET: z
    .string()
    .transform((value) => value.split(',').map((secret) => secret.trim()))
    .refine((secrets) => secrets.every((secret) => secret.length >= 32), 'must have at least 32 characters each')
    .optional(),
  SEED_FILE: text(fileProblem).optional(),
  DEMO: flag.optional(),
  // a misspelt production would open the demo to the world
  NODE_ENV: z.enum(['production', 'development', 'test'], 'must be production, development or test').optional(),
  AUTHORIZATION_CODE_TTL: integer(1, 3600, 600),
  ACCESS_TOKEN_TTL: integer(1, 31_536_000, 3600),
  REFRESH_TOKEN_TTL: integer(1, 315_360_000, 2_592_000),
  REFRESH_GRACE: integer(0, 3600, 60),
  TRUST_PROXY: text(trustProxyProblem).transform(readTrustProxy).optional(),
  TLS_CERT_FILE: text(fileProblem).optional(),
  TLS_KEY_FILE: text(fileProblem).optional(),
  WEB_CONCURRENCY: z
    .string()
    .regex(/^(auto|[1-9]\d?)$/, 'must be auto or a number from 1 to 99')
    .default('1')
    .transform((value) => (value === 'auto' ? availableParallelism() : Number(value))),
  BRAND_NAME: z.string().trim().min(1, 'must be a name').max(40, 'must have at most 40 characters').default('Latchkey'),
  BRAND_LOGO_URI: text(logoProblem).optional(),
  BRAND_COLOR: text(colorProblem).optional(),
  REGISTRATION: z.enum(['open', 'admins', 'off'], 'must be open, admins or off').default('admins'),
  DRAIN_DELAY: integer(0, 60, drainDelay),
  AUDIT_RETENTION: integer(1, 36_500, 400),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'must be a level, as info or warn')
    .default('info'),
});

export type Config = Readonly<ReturnType<typeof shape>>;

/** Every problem of the environment, one a line, each naming its variable. */
export class ConfigError extends Error {}

export function loadConfig(env: Record<string, string | undefined>): Config {
  // an empty variable is how compose files and shells say "not set"
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  const issues = parsed.success ? [] : parsed.error.issues;
  // never with the value: it could be a secret in the wrong variable
  const problems = issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  problems.push(...combinationProblems(given));
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems.join('\n'));
  return Object.freeze(shape(parsed.data));
}

/** A misspelt variable is without effect, which nobody would notice. */
export function misspelledVariables(env: Record<string, string | undefined>): string[] {
  const known = Object.keys(environment.shape);
  return similarNames(Object.keys(env), known).map(([name, meant]) => `${name} is not known; is ${meant} meant?`);
}

type Environment = z.infer<typeof environment>;

function shape(env: Environment) {
  const production = env.NODE_ENV === 'production';
  const issuer = env.ISSUER ?? `${env.TLS_CERT_FILE ? 'https' : 'http'}://localhost:${env.PORT}`;
  const exposed_by = findExposure(issuer, env.HOST);
  return {
    database_url: env.DATABASE_URL,
    data_dir: env.DATA_DIR,
    port: env.PORT,
    host: env.HOST,
    issuer,
    /** the path below which everything is served, '' for most */
    base: new URL(issuer).pathname.replace(/\/$/, ''),
    secure: issuer.startsWith('https:'),
    session_secret: env.SESSION_SECRET,
    /** what opens this server to other machines, as ISSUER https://id.example */
    exposed_by,
    // by itself only where nobody else can sign in with the password that everybody knows
    demo: env.DEMO ?? (env.DATABASE_URL === undefined && !production && exposed_by === undefined),
    production,
    seed_file: env.SEED_FILE,
    authorization_code_ttl: env.AUTHORIZATION_CODE_TTL,
    access_token_ttl: env.ACCESS_TOKEN_TTL,
    refresh_token_ttl: env.REFRESH_TOKEN_TTL,
    refresh_grace: env.REFRESH_GRACE,
    trust_proxy: env.TRUST_PROXY ?? false,
    tls: env.TLS_CERT_FILE && env.TLS_KEY_FILE ? { cert: env.TLS_CERT_FILE, key: env.TLS_KEY_FILE } : undefined,
    workers: env.WEB_CONCURRENCY,
    drain_delay: env.DRAIN_DELAY,
    brand: { name: env.BRAND_NAME, logo_uri: env.BRAND_LOGO_URI, color: env.BRAND_COLOR },
    registration: env.REGISTRATION,
    audit_retention: env.AUDIT_RETENTION,
    log_level: env.LOG_LEVEL,
  };
}
