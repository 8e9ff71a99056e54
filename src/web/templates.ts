import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import ejs from 'ejs';

interface Template {
  readonly run: (locals: object) => string;
  /** what the names of its includes begin with */
  readonly folder: string;
}

type Engine = (path: string, data: object, done: (error: unknown, text?: string) => void) => void;

/**
 * Reads and compiles all templates in the directories, which share their names, and returns what Express calls to render a page. Express
 * by itself would load ejs at the first page and each template at its first use: without a free descriptor at that moment, that page would
 * be lost, and all pages if ejs could not be loaded. And ejs by itself looks for the file of each include at each use, and copies all values
 * twice: with many includes, that is most of the time that a page takes. So templates find an `include` of ours among their values.
 */
export function compileTemplates(directories: readonly string[]): Engine {
  const templates = new Map<string, Template>();
  for (const directory of directories) {
    const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ejs'));
    for (const file of files) {
      const name = file.replaceAll(sep, '/');
      if (templates.has(name)) throw new Error(`there are two templates ${name}`);
      const folder = name.slice(0, name.lastIndexOf('/') + 1);
      templates.set(name, { run: compile(join(directory, file)), folder });
    }
  }
  const render = (name: string, data: object, more?: object): string => {
    const template = templates.get(name);
    if (!template) throw new Error(`there is no template ${name}`);
    const include = (included: string, added?: object) => render(`${template.folder}${included}.ejs`, values, added);
    const values = { ...data, ...more, include };
    return template.run(values);
  };
  return (path, data, done) => {
    let text: string;
    try {
      // a page stands at the top of its directory
      text = render(basename(path), data);
    } catch (error) {
      return done(error);
    }
    done(null, text);
  };
}

function compile(filename: string): Template['run'] {
  // the values are an object of ours, which ejs would copy once more
  const options = { filename, unsafePrototypeLocals: true };
  return ejs.compile(readFileSync(filename, 'utf8'), options);
}
