import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  inApache,
  inGo,
  inJavascript,
  inNginx,
  inPython,
  inShell,
  inSpringProperties,
  inWebPage,
  placeholder,
  type Quoting,
  shell,
} from '../../src/registration/console/source-text.ts';

const tagged: Quoting = (value) => shell`${String(value)}`.text;
const languages = { tagged, inShell, inJavascript, inPython, inGo, inSpringProperties, inApache, inNginx, inWebPage };

test('a value with a line end or with characters that a person does not see is left out in every language [A374]', () => {
  for (const [name, quoted] of Object.entries(languages)) {
    assert.match(quoted('a b/c?d=e'), /a b\/c\?d=e/, name);
    for (const hidden of ['\n', '\r', '\0', '\t', '\u001b[201~', '\u2028', '\u2029', '\u202e', '\u200b', '\ud800']) {
      const text = quoted(`a${hidden}b`);
      assert.ok(text.includes(placeholder) && !text.includes(hidden), `${name} ${JSON.stringify(hidden)}`);
    }
  }
});

test('what a language would replace, or could not quote, is left out [A374]', () => {
  const variable = `${'$'}{HOME}`;
  const unsafe: [Quoting, string[]][] = [
    [inSpringProperties, [variable, 'a+b', 'ä']],
    [inApache, [variable, 'a"b', 'a\\b']],
    [inNginx, [variable, '$http_host', 'a"b', 'a\\b']],
  ];
  for (const [quoted, values] of unsafe) {
    for (const value of values) {
      assert.match(quoted(value), new RegExp(`^"?${placeholder}"?$`), value);
      assert.ok(inShell(value).includes(value), value);
    }
  }
});

test('nothing in a value ends the script of a page [A374]', () => {
  const text = `<script>const name = ${inWebPage('</script><!-- <script>')};</script>`;
  assert.equal(text.match(/<\/?script|<!--/g)?.join(' '), '<script </script');
});

test('a program quotes every value that it shows, except an id of which every other character is percent-encoded [A374]', () => {
  const directory = new URL('../../views/registration/programs/', import.meta.url);
  const files = readdirSync(directory);
  assert.ok(files.length > 10);
  for (const file of files) {
    const raw = readFileSync(new URL(file, directory), 'utf8').match(/<%-.*?%>/g) ?? [];
    assert.deepEqual([...new Set(raw)], raw.length > 0 ? ['<%- encoded_id %>'] : [], file);
  }
});
