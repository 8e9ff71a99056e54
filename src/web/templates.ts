import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import ejs from 'ejs';

interface Template {
  readonly run: (locals: object) => string;
  /** of its folder, with which the paths of its includes begin */
  readonly folder: string;
}

type Engine = (path: string, data: object, done: (error: unknown, text?: string) => void) => void;

/**
 * Reads and compiles all templates in a directory, and returns what Express calls to render one. Express by itself would load
 * ejs at the first page and each template at its first use: without a free descriptor at that moment, that page would be lost,
 * and all pages if ejs could not be loaded. And ejs by itself looks for the file of each include at each use, and copies all values
 * twice: with many includes, that is most of the time that a page takes. So templates find an `include` of ours among their values.
 */
export function compileTemplates(directory: string): Engine {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ejs'));
  const templates = new Map(files.map((name) => join(directory, name)).map((path) => [path, compile(path)]));
  const render = (path: string, data: object, more?: object): string => {
    const template = templates.get(path);
    if (!template) throw new Error(`there is no template ${path}`);
    const include = (name: string, added?: object) => render(`${template.folder}${name}.ejs`, values, added);
    const values = { ...data, ...more, include };
    return template.run(values);
  };
  return (path, data, done) => {
    let text: string;
    try {
      text = render(path, data);
    } catch (error) {
      return done(error);
    }
    done(null, text);
  };
}

function compile(filename: string): Template {
  // the values are an object of ours, which ejs would copy once more
  const options = { filename, unsafePrototypeLocals: true };
  return { run: ejs.compile(readFileSync(filename, 'utf8'), options), folder: dirname(filename) + sep };
}
