import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { exampleId, exampleOrigin } from '../../src/portal/examples.ts';
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
import {
  choicesApi,
  exampleMcpResource,
  libraries,
  passportAsksAgain,
  tokenForApi,
} from '../../src/registration/programs/libraries.ts';

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

/** The columns of a program that a wide page shows, with tabs of eight. */
const columns = 86;

test('no line of a program is longer than a wide page shows, with the values of the documentation', () => {
  const long: string[] = [];
  for (const library of [...libraries, choicesApi, passportAsksAgain, tokenForApi]) {
    const { id, answers_at, needs_secret, is_in_browser } = library;
    const isMcpServer = id.startsWith('mcp-server');
    for (const is_public of [true, false]) {
      if (is_public ? needs_secret : is_in_browser) continue;
      for (const origin of [exampleOrigin, 'http://127.0.0.1:8080', 'https://app.example']) {
        const program = library.program({
          issuer: 'http://localhost:3000',
          client_id: exampleId,
          redirect_uri: origin + (answers_at?.path ?? '/callback'),
          scope: 'user',
          needed: isMcpServer ? ['mcp:tools'] : ['user:name', 'user'],
          is_public,
          brand: 'Latchkey',
          audiences: [isMcpServer ? exampleMcpResource : 'http://localhost:8000/api'],
          choice: 'albums',
        });
        const lines = program.split('\n').map((line) => line.replaceAll('\t', ' '.repeat(8)));
        long.push(...lines.filter(({ length }) => length > columns).map((line) => `${id}: ${line}`));
      }
    }
  }
  assert.deepEqual(long, []);
});
