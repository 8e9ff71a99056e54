import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';

/** Not understood: nothing was done. */
export class UsageError extends Error {}

export interface Option {
  type: 'string' | 'boolean';
  multiple?: true;
  required?: true;
  /** what stands for the value in the help */
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

export interface Call<O extends Options> {
  /** one for each word in `takes` */
  words: string[];
  options: { [Name in keyof O]: Value<O[Name]> };
  config: () => Config;
}

/** The same for people and, with --json, for machines. */
export interface Answer {
  text: string;
  json: unknown;
}

interface Definition<O extends Options> {
  name: string;
  /** the words after the name, such as ID */
  takes?: string[];
  summary: string;
  /** what a person should know before using it */
  details?: string;
  options: O;
  run(call: Call<O>): Promise<Answer | undefined>;
}

export interface Command {
  name: string;
  usage: string;
  summary: string;
  help: string;
  run(args: string[], config: () => Config): Promise<{ answer: Answer | undefined; json: boolean }>;
}

const always = {
  json: { type: 'boolean', help: 'print JSON' },
} as const satisfies Options;

export function command<const O extends Options>(definition: Definition<O>): Command {
  const { name, takes = [], summary } = definition;
  const usage = ['latchkey', name, ...takes, ...Object.entries(definition.options).map(describeInUsage)].join(' ');
  return {
    name,
    usage,
    summary,
    help: describe(definition, usage),
    async run(args, config) {
      const { values, positionals: words } = parse(args, { ...definition.options, ...always }, name);
      checkWords(words, takes, name);
      // the values were just checked against the very options that the type is made of
      const options = fill(values, definition.options, name) as Call<O>['options'];
      return { answer: await definition.run({ words, options, config }), json: values['json'] === true };
    },
  };
}

function parse(args: string[], options: Options, name: string) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    const [problem = ''] = (error as Error).message.split(/\.(?: |\n|$)|\n/);
    const secret = /--(password|secret|client-secret)\b/.test(problem) ? ': secrets are never arguments' : '';
    throw new UsageError(`${name}: ${problem}${secret}`);
  }
}

/** Does not repeat what was too much: it may be a password. */
function checkWords(words: string[], takes: string[], name: string): void {
  const missing = takes[words.length];
  if (missing !== undefined) throw new UsageError(`${name}: ${missing} is missing`);
  if (words.length > takes.length) {
    throw new UsageError(
      `${name}: takes ${takes.join(' ') || 'options'} and nothing else; secrets are never arguments`,
    );
  }
}

function fill(values: Record<string, unknown>, options: Options, name: string): Record<string, unknown> {
  const filled = Object.entries(options).map(([option, { type, multiple, required }]) => {
    const value = values[option];
    if (required && value === undefined) throw new UsageError(`${name}: --${option} is missing`);
    return [option, value ?? (type === 'boolean' ? false : multiple ? [] : undefined)];
  });
  return Object.fromEntries(filled);
}

function describeInUsage([name, { value, required, multiple }]: [string, Option]): string {
  const option = `--${name}${value ? ` ${value}` : ''}`;
  return `${required ? option : `[${option}]`}${multiple ? '…' : ''}`;
}

function describe({ options, summary, details }: Definition<Options>, usage: string): string {
  const entries = Object.entries<Option>({ ...options, ...always });
  const width = Math.max(...entries.map(([name, { value }]) => `--${name} ${value ?? ''}`.length));
  const list = entries.map(([name, { value, help }]) => `  ${`--${name} ${value ?? ''}`.padEnd(width)}  ${help}`);
  return [`Usage: ${usage}`, summary, ...(details ? [details] : []), list.join('\n')].join('\n\n');
}
