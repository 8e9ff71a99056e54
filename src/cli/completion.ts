import { nearest } from '../config/similar-names.ts';
import { type Command, command, UsageError } from './command.ts';

/** The end of a sentence about an unknown word: the known word that looks like it, if there is one. */
export function didYouMean(words: string[], known: readonly string[]): string {
  const meant = words.map((word) => nearest(word, known)).find((name) => name !== undefined);
  return meant === undefined ? '' : `: did you mean "${meant}"?`;
}

/** The scripts are made from the table of commands, so they know what --help knows. */
export const completionFor = (commands: readonly Command[]): Command =>
  command({
    name: 'completion',
    needsSchema: false,
    takes: ['SHELL'],
    summary: 'Print a script that completes commands and options in bash, zsh or fish.',
    details: `bash and zsh: eval "$(latchkey completion bash)" in ~/.bashrc, or zsh in ~/.zshrc after compinit.
fish: latchkey completion fish > ~/.config/fish/completions/latchkey.fish`,
    async run({ args: [shell = ''] }) {
      const script = scripts.get(shell);
      if (!script) throw new UsageError(`completion: SHELL is one of ${[...scripts.keys()].join(', ')}`);
      const text = script(commands);
      return { text, json: { shell, script: text } };
    },
  });

type Commands = readonly Command[];
const scripts: ReadonlyMap<string, (commands: Commands) => string> = new Map([
  ['bash', bash],
  ['zsh', zsh],
  ['fish', fish],
]);

const first = ({ name }: Command) => name.split(' ')[0] ?? '';
const second = ({ name }: Command) => name.split(' ')[1];
const firstWords = (commands: Commands) => [...new Set(commands.map(first)), '--help', '--version'].join(' ');
const optionsOf = ({ options }: Command) => [...options.map(({ name }) => `--${name}`), '--help'].join(' ');

/** The first words of commands of two words, each with the words that can follow. */
function groupsOf(commands: Commands): [string, string][] {
  const groups = new Set(commands.filter(second).map(first));
  return [...groups].map((word) => [
    word,
    commands
      .filter((one) => first(one) === word)
      .map(second)
      .join(' '),
  ]);
}

/** The words of a command as a pattern of the shell; and its options after which a value is typed. */
const patternOf = (one: Command) => `${first(one)}:${second(one) ?? '*'}`;
const valuesOf = ({ options }: Command) => options.filter(({ value }) => value).map(({ name }) => `--${name}`);

/** Where a value or an argument stands, the shell completes the names of files, because nothing is offered. */
function cases(commands: Commands, offer: (words: string) => string): string {
  const lines = [
    `    1:*) ${offer(firstWords(commands))} ;;`,
    ...groupsOf(commands).map(([word, verbs]) => `    2:*:${word}:*) ${offer(`${verbs} --help`)} ;;`),
    ...commands
      .filter((one) => valuesOf(one).length > 0)
      .map(
        (one) =>
          `    ${valuesOf(one)
            .map((name) => `*:${name}:${patternOf(one)}`)
            .join('|')}) ;;`,
      ),
    ...commands.map((one) => `    *:*:${patternOf(one)}) ${offer(optionsOf(one))} ;;`),
  ];
  return lines.join('\n');
}

function bash(commands: Commands): string {
  return `_latchkey() {
  local words=
  case "$COMP_CWORD:\${COMP_WORDS[COMP_CWORD-1]}:\${COMP_WORDS[1]}:\${COMP_WORDS[2]}" in
${cases(commands, (words) => `words='${words}'`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _latchkey latchkey`;
}

function zsh(commands: Commands): string {
  return `#compdef latchkey
_latchkey() {
  local offered=
  case "$((CURRENT - 1)):\${words[CURRENT-1]}:\${words[2]}:\${words[3]}" in
${cases(commands, (words) => `offered='${words}'`)}
  esac
  if [[ -n $offered && ( $CURRENT -le 3 || \${words[CURRENT]} == -* ) ]]; then compadd -- \${=offered}; else _files; fi
}
compdef _latchkey latchkey`;
}

function fish(commands: Commands): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const words = (condition: string, word: string, summary: string) =>
    `complete -c latchkey -f -n ${quoted(condition)} -a ${word} -d ${quoted(summary)}`;
  const seen = '__fish_seen_subcommand_from';
  const lines = commands.flatMap((one) => {
    const [word, verb] = [first(one), second(one)];
    const verbs = groupsOf(commands).find(([group]) => group === word)?.[1];
    const isTyped = verb === undefined ? `${seen} ${word}` : `${seen} ${word}; and ${seen} ${verb}`;
    const options = one.options.map(
      ({ name, value, help }) =>
        `complete -c latchkey -n ${quoted(isTyped)} -l ${name}${value ? ' -r' : ''} -d ${quoted(help)}`,
    );
    if (verb === undefined) return [words('__fish_use_subcommand', word, one.summary), ...options];
    return [words(`${seen} ${word}; and not ${seen} ${verbs}`, verb, one.summary), ...options];
  });
  const groups = groupsOf(commands).map(([word, verbs]) => words('__fish_use_subcommand', word, verbs));
  return [...groups, ...lines].join('\n');
}
