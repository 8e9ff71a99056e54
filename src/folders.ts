/** The folder of this file: `src`, or `dist`, where every file is compiled and `server.js` has all of them in one. */
export const program = new URL('./', import.meta.url);
/** The folder that has `views`, `migrations` and `package.json`. */
export const root = new URL('../', program);
export const isCompiled = import.meta.url.endsWith('.js');
