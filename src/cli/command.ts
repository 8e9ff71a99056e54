import { parseArgs } from 'node:util';
import { nearest } from '../config/similar-names.ts';
import type { Shell } from './shell.ts';

/** The command line is wrong: exit status 2. */
export class UsageError extends Error {}

export interface Option {
  type: 'string' | 'boolean';
  multiple?: true;
  required?: true;
  /** the placeholder of the value in the help text */
  value?: string;
  help: string;
}
type Options = Record<string, Option>;

type Value<O extends Option> = O['type'] extends 'boolean'
  ? boolean
  : O extends { multiple: true }
    ? string[]
    : O extends { required: true }
      ? string
      : string | undefined;

export interface Invocation<O extends Options> {
  /** one for each name in `takes` */
  args: string[];
  options: { [Name in keyof O]: Value<O[Name]> };
  /** whether --json was given; for a command that prints while it runs */
  isJson: boolean;
  shell: Shell;
}

/** What a command prints: `text`, or with --json `json`. */
export interface Output {
  text: string;
  json: unknown;
  /** exit status 1, although there is something to print */
  isFailure?: boolean;
  /** if it has a secret that is shown once: what to do when nobody could read it */
  ifUnread?: string;
}

interface Definition<O extends Options> {
  name: string;
  /** names of the arguments, such as ID */
  takes?: string[];
  /** the secret that it asks for on a terminal, or reads from standard input */
  asksFor?: string;
  summary: string;
  /** the rest of the help text */
  details?: string;
  /** false for a command that also works without a migrated database */
  needsSchema?: false;
  options?: O;
  /** undefined: it has printed everything itself */
  run(call: Invocation<O>): Promise<Output | undefined>;
}

export interface Command {
  name: string;
  usage: string;
  summary: string;
  help: string;
  /** the options, --json among them; `value` is the placeholder of the option's value, if it has one */
  options: { name: string; value: string | undefined; help: string }[];
  run(args: string[], shell: Shell): Promise<{ output: Output | undefined; isJson: boolean }>;
}

const commonOptions = {
  json: { type: 'boolean', help: 'print JSON' },
} as const satisfies Options;

const migrationNote = `Fails if the database of DATABASE_URL has pending migrations: run latchkey migrate first.
The embedded database in DATA_DIR is migrated automatically.`;

export function command<const O extends Options = Record<never, Option>>(definition: Definition<O>): Command {
  const { name, takes = [], summary } = definition;
  const own: Options = definition.options ?? {};
  const usage = ['latchkey', name, ...takes, ...Object.entries(own).map(usageOfOption)].join(' ');
  return {
    name,
    usage,
    summary,
    help: helpText(definition, usage),
    options: Object.entries<Option>({ ...own, ...commonOptions }).map(([option, { value, help }]) => {
      return { name: option, value, help };
    }),
    async run(args, shell) {
      const { values, positionals } = parse(args, { ...own, ...commonOptions }, name);
      checkArguments(positionals, takes, definition);
      // parse has checked the values against the options that the type is derived from
      const options = withDefaults(values, own, name) as Invocation<O>['options'];
      const isJson = values['json'] === true;
      return { output: await definition.run({ args: positionals, options, isJson, shell }), isJson };
    },
  };
}

function parse(args: string[], options: Options, name: string) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    const [problem = ''] = (error as Error).message.split(/\.(?: |\n|$)|\n/);
    const secret = /--(password|secret|client-secret)\b/.test(problem) ? ': secrets are never arguments' : '';
    const [, unknown = ''] = /^Unknown option '--([\w-]+)'/.exec(problem) ?? [];
    const meant = nearest(unknown, Object.keys(options));
    throw new UsageError(`${name}: ${problem}${secret || (meant ? `: did you mean --${meant}?` : '')}`);
  }
}

/** Does not print a superfluous argument: it may be a password. */
function checkArguments(
  args: string[],
  takes: string[],
  { name, asksFor }: Pick<Definition<Options>, 'name' | 'asksFor'>,
): void {
  const missing = takes[args.length];
  if (missing !== undefined) throw new UsageError(`${name}: ${missing} is missing`);
  if (args.length > takes.length) {
    const where = asksFor
      ? `, which the history of your shell keeps: type the ${asksFor} when asked, or pipe it to standard input`
      : '';
    throw new UsageError(
      `${name}: takes ${takes.join(' ') || 'options'} and nothing else; secrets are never arguments${where}`,
    );
  }
}

function withDefaults(values: Record<string, unknown>, options: Options, name: string): Record<string, unknown> {
  const filled = Object.entries(options).map(([option, { type, multiple, required }]) => {
    const value = values[option];
    if (required && value === undefined) throw new UsageError(`${name}: --${option} is missing`);
    return [option, value ?? (type === 'boolean' ? false : multiple ? [] : undefined)];
  });
  return Object.fromEntries(filled);
}

function usageOfOption([name, { value, required, multiple }]: [string, Option]): string {
  const option = `--${name}${value ? ` ${value}` : ''}`;
  return `${required ? option : `[${option}]`}${multiple ? '…' : ''}`;
}

function helpText({ options, summary, details, needsSchema }: Definition<Options>, usage: string): string {
  const entries = Object.entries<Option>({ ...options, ...commonOptions });
  const width = Math.max(...entries.map(([name, { value }]) => `--${name} ${value ?? ''}`.length));
  const list = entries.map(([name, { value, help }]) => `  ${`--${name} ${value ?? ''}`.padEnd(width)}  ${help}`);
  const more = [details, needsSchema === false ? undefined : migrationNote].filter((text) => text !== undefined);
  return [`Usage: ${usage}`, summary, ...(more.length > 0 ? [more.join('\n')] : []), list.join('\n')].join('\n\n');
}
