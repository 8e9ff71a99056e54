import { existsSync, readFileSync, statSync } from 'node:fs';

// A secret may stand in a file, so that neither the environment nor a compose file has to contain it: X_FILE names the file
// that contains the value of X, as for the official images of Postgres and others.

/** The variables whose value is a secret, or contains one. */
export const secretVariables = [
  'DATABASE_URL',
  'SESSION_SECRET',
  'SIGN_IN_SECRET',
  'SMTP_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const;

export const fileVariable = (name: string) => `${name}_FILE`;

type Variables = Readonly<Record<string, string | undefined>>;

export interface SecretsInFiles {
  /** by variable, such as SESSION_SECRET */
  readonly values: Readonly<Record<string, string>>;
  /** one line for each file that cannot be used: the variable, the path if there is something, and never the content */
  readonly problems: readonly string[];
}

/** Reads the file of each secret variable that has one. */
export function readSecretFiles(env: Variables): SecretsInFiles {
  const values: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of secretVariables) {
    const path = env[fileVariable(name)];
    if (path === undefined) continue;
    const content = env[name] === undefined ? readSecret(path) : { problem: `${name} is set, too: remove one of them` };
    // a text that names no file may be the secret itself
    const place = existsSync(path) ? `${fileVariable(name)}: ${path}` : fileVariable(name);
    if ('problem' in content) problems.push(`${place}: ${content.problem}`);
    else values[name] = content.value;
  }
  return { values, problems };
}

const maxBytes = 65_536;

type Content = { value: string } | { problem: string };

/** Reads a secret and drops the line feed at its end, which editors and `echo` add. All else belongs to the secret, spaces too. */
function readSecret(path: string): Content {
  try {
    const { size } = requireFile(path);
    if (size > maxBytes) return { problem: `must not have more than ${maxBytes} bytes` };
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
    const value = text.replace(/\r?\n$/, '');
    const problem = contentProblem(value);
    return problem === undefined ? { value } : { problem };
  } catch (error) {
    return { problem: reasonOf(error) };
  }
}

/** Requires a file; a pipe is refused, too: it would block the start, and only one of the workers could read it. */
function requireFile(path: string): { size: number } {
  const found = statSync(path);
  if (found.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
  if (!found.isFile()) throw new Error('must be a file');
  return found;
}

function contentProblem(value: string): string | undefined {
  if (value === '') return 'is empty';
  if (value.startsWith('\ufeff')) return 'begins with a byte order mark: save it without one';
  if (/[\r\n]/.test(value)) return 'must have one line';
  return value.includes('\0') ? 'contains a NUL character' : undefined;
}

function reasonOf(error: unknown): string {
  if (error instanceof TypeError) return 'must be UTF-8';
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT')
    return 'must be the path of a file, and there is none (not shown: it could be the secret itself)';
  if (code === 'EISDIR') return 'is a directory, and must be a file';
  return code === undefined ? message : `cannot be read (${code})`;
}
