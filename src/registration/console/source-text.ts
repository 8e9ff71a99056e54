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

/** A list becomes its members with commas between them; text that is already in the language stays as it is. */
type Value = string | number | readonly string[] | SourceText;

/** Replaces a value that the language cannot hold safely. */
export const placeholder = 'PUT-THE-VALUE-HERE';

/** Line ends and characters that a person does not see in what they paste. */
const invisible = /[\p{C}\p{Zl}\p{Zp}]/u;

/** The tag of the templates of one language: how it quotes a value, and what it cannot hold. */
function language(quote: (text: string) => string, unsafe = invisible) {
  const quoted = (text: string) => quote(invisible.test(text) || unsafe.test(text) ? placeholder : text);
  const written = (value: Value): string => {
    if (value instanceof SourceText) return value.text;
    if (typeof value === 'number') return String(value);
    return [value].flat().map(quoted).join(', ');
  };
  return (strings: TemplateStringsArray, ...values: Value[]) =>
    new SourceText(String.raw({ raw: strings }, ...values.map(written)));
}

/** In single quotes a shell changes nothing; a single quote ends them, is escaped, and opens them again. */
export const shell = language((text) => `'${text.replaceAll("'", "'\\''")}'`);

/** A string of JSON means the same in these three. */
export const javascript = language(JSON.stringify);
export const python = language(JSON.stringify);
export const go = language(JSON.stringify);

/** Spring replaces ${…} wherever it stands, reads files in Latin-1 or UTF-8, and sends + in a query without encoding it. */
export const springProperties = language((text) => text.replaceAll('\\', '\\\\'), /\$\{|\+|[^ -~]/);

/** Apache replaces ${…} before it reads quotes, so that one cannot be escaped; the others never stand in a URL. */
export const apache = language((text) => `"${text}"`, /["\\]|\$\{/);

/** In quotes nginx replaces $name, and has no way to write a $ itself. */
export const nginx = language((text) => `"${text}"`, /["\\$]/);

/** A page with scripts: inside them a string of JSON, in which nothing ends the script. */
export const webPage = language((text) => JSON.stringify(text).replaceAll('<', '\\u003c'));
