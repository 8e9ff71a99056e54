import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  apache,
  go,
  javascript,
  nginx,
  placeholder,
  python,
  type SourceText,
  shell,
  springProperties,
  webPage,
} from '../../src/registration/console/source-text.ts';

const languages = { shell, javascript, python, go, springProperties, apache, nginx, webPage };

test('a value with a line end or with characters that a person does not see is left out in every language [A374]', () => {
  for (const [name, language] of Object.entries(languages)) {
    assert.match(language`${'a b/c?d=e'}`.text, /a b\/c\?d=e/, name);
    for (const hidden of ['\n', '\r', '\0', '\t', '\u001b[201~', '\u2028', '\u2029', '\u202e', '\u200b', '\ud800']) {
      const { text } = language`${`a${hidden}b`}`;
      assert.ok(text.includes(placeholder) && !text.includes(hidden), `${name} ${JSON.stringify(hidden)}`);
    }
  }
});

test('what a language would replace, or could not quote, is left out [A374]', () => {
  const variable = `${'$'}{HOME}`;
  const unsafe: [(strings: TemplateStringsArray, value: string) => SourceText, string[]][] = [
    [springProperties, [variable, 'a+b', 'ä']],
    [apache, [variable, 'a"b', 'a\\b']],
    [nginx, [variable, '$http_host', 'a"b', 'a\\b']],
  ];
  for (const [language, values] of unsafe) {
    for (const value of values) {
      assert.match(language`${value}`.text, new RegExp(`^"?${placeholder}"?$`), value);
      assert.ok(shell`${value}`.text.includes(value), value);
    }
  }
});

test('nothing in a value ends the script of a page [A374]', () => {
  const { text } = webPage`<script>const name = ${'</script><!-- <script>'};</script>`;
  assert.equal(text.match(/<\/?script|<!--/g)?.join(' '), '<script </script');
});
