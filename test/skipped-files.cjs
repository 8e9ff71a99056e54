const { relative } = require('node:path');

/** A reporter of node:test, which cannot load TypeScript: the files of which a test was skipped. */
module.exports = async function* skippedFiles(events) {
  const files = new Set();
  for await (const { type, data } of events) {
    if (type === 'test:pass' && data.skip !== undefined) files.add(relative('', data.file));
  }
  for (const file of files) yield `${file}\n`;
};
