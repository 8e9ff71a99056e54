/**
 * Text in the language of a program, for people to paste. Every value is quoted when it is put in, so that nothing which a
 * developer registered can end its quotes and run on the machine of whoever pastes it [CWE-78, CWE-94].
 */
export class SourceText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Replaces a value that the language cannot hold safely. */
export const placeholder = 'PUT-THE-VALUE-HERE';

/** Line ends and characters that a person does not see in what they paste. */
const invisible = /[\p{C}\p{Zl}\p{Zp}]/u;

/** Writes a value in a language; a list becomes its members with commas between them. */
export type Quoting = (value: string | number | readonly string[]) => string;

/** How a language quotes a text, and what it cannot hold. */
function language(quote: (text: string) => string, unsafe = invisible): Quoting {
  const quoted = (text: string) => quote(invisible.test(text) || unsafe.test(text) ? placeholder : text);
  return (value) => (typeof value === 'number' ? String(value) : [value].flat().map(quoted).join(', '));
}

/** In single quotes a shell changes nothing; a single quote ends them, is escaped, and opens them again. */
export const inShell = language((text) => `'${text.replaceAll("'", "'\\''")}'`);

/** Text for a shell, with its values; text that is already in the language stays as it is. */
export function shell(strings: TemplateStringsArray, ...values: (string | SourceText)[]): SourceText {
  const written = values.map((value) => (value instanceof SourceText ? value.text : inShell(value)));
  return new SourceText(String.raw({ raw: strings }, ...written));
}

/** A string of JSON means the same in JavaScript, Python and Go. */
export const inJavascript = language(JSON.stringify);
export const inPython = inJavascript;
export const inGo = inJavascript;

/** Spring replaces ${…} wherever it stands, reads files in Latin-1 or UTF-8, and sends + in a query without encoding it. */
export const inSpringProperties = language((text) => text.replaceAll('\\', '\\\\'), /\$\{|\+|[^ -~]/);

/** Apache replaces ${…} before it reads quotes, so that one cannot be escaped; the others never stand in a URL. */
export const inApache = language((text) => `"${text}"`, /["\\]|\$\{/);

/** In quotes nginx replaces $name, and has no way to write a $ itself. */
export const inNginx = language((text) => `"${text}"`, /["\\$]/);

/** A page with scripts: inside them a string of JSON, in which nothing ends the script. */
export const inWebPage = language((text) => JSON.stringify(text).replaceAll('<', '\\u003c'));
