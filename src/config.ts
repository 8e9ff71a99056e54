import { z } from 'zod';

/** An integer in a range; plain digits only, so that neither 1e3 nor 10m nor a blank is taken for a number. */
const integer = (least: number, most: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be between ${least} and ${most}`)
    .default(fallback);

const flag = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true');

const environment = z.object({
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  DATA_DIR: z.string().default('./data'),
  PORT: integer(0, 65535, 3000),
  HOST: z.string().default('127.0.0.1'),
  ISSUER: z.string().superRefine(checkIssuer).optional(),
  SESSION_SECRET: z
    .string()
    .transform((value) => value.split(',').map((secret) => secret.trim()))
    .refine((secrets) => secrets.every((secret) => secret.length >= 32), 'must have at least 32 characters each')
    .optional(),
  SEED_FILE: z.string().optional(),
  DEMO: flag.optional(),
  NODE_ENV: z.string().optional(),
  AUTHORIZATION_CODE_TTL: integer(1, 3600, 600),
  ACCESS_TOKEN_TTL: integer(1, 31_536_000, 3600),
  REFRESH_TOKEN_TTL: integer(1, 315_360_000, 2_592_000),
  REFRESH_GRACE: integer(0, 3600, 60),
  TRUST_PROXY: z.string().transform(readTrustProxy).optional(),
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export type Config = Readonly<ReturnType<typeof shape>>;

/** Every problem of the environment, one a line, each naming its variable. */
export class ConfigError extends Error {}

export function loadConfig(env: Record<string, string | undefined>): Config {
  // an empty variable is how compose files and shells say "not set"
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  const problems = parsed.success ? combinationProblems(parsed.data) : parsed.error.issues.map(describeIssue);
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems.join('\n'));
  return Object.freeze(shape(parsed.data));
}

type Environment = z.infer<typeof environment>;

function shape(env: Environment) {
  const production = env.NODE_ENV === 'production';
  const issuer = env.ISSUER ?? `${env.TLS_CERT_FILE ? 'https' : 'http'}://localhost:${env.PORT}`;
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
    demo: env.DEMO ?? (env.DATABASE_URL === undefined && !production),
    production,
    seed_file: env.SEED_FILE,
    authorization_code_ttl: env.AUTHORIZATION_CODE_TTL,
    access_token_ttl: env.ACCESS_TOKEN_TTL,
    refresh_token_ttl: env.REFRESH_TOKEN_TTL,
    refresh_grace: env.REFRESH_GRACE,
    trust_proxy: env.TRUST_PROXY ?? false,
    tls: env.TLS_CERT_FILE && env.TLS_KEY_FILE ? { cert: env.TLS_CERT_FILE, key: env.TLS_KEY_FILE } : undefined,
    log_level: env.LOG_LEVEL,
  };
}

function combinationProblems(env: Environment): string[] {
  const problems = [];
  if (env.DEMO && env.NODE_ENV === 'production') {
    problems.push('DEMO: must not be true together with NODE_ENV=production: the demo has a well-known password');
  }
  if ((env.TLS_CERT_FILE === undefined) !== (env.TLS_KEY_FILE === undefined)) {
    problems.push('TLS_CERT_FILE, TLS_KEY_FILE: one is set without the other');
  }
  return problems;
}

/** An origin with an optional path; tokens must not travel in the clear except to this very machine [6749 §3.1, §3.2]. */
function checkIssuer(value: string, context: z.RefinementCtx): void {
  const problem = issuerProblem(value);
  if (problem) context.addIssue({ code: 'custom', message: problem });
}

function issuerProblem(value: string): string | undefined {
  if (!URL.canParse(value)) return 'must be a URL such as https://id.example';
  const url = new URL(value);
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback)) return 'must be https';
  if (url.search || url.hash || url.username || url.password) return 'must have no query, fragment or user name';
  if (value !== (url.pathname === '/' ? url.origin : url.origin + url.pathname.replace(/\/$/, ''))) {
    return 'must be written in its plain form: lower-case host, no default port, no slash at the end';
  }
  return undefined;
}

/** As Express's setting "trust proxy": true, a number of hops, or addresses. */
function readTrustProxy(value: string): boolean | number | string {
  if (value === 'true' || value === 'false') return value === 'true';
  return /^\d+$/.test(value) ? Number(value) : value;
}

/** Never echoes a value: it could be a secret in the wrong variable. */
function describeIssue(issue: z.core.$ZodIssue): string {
  return `${issue.path.join('.')}: ${issue.message}`;
}
