import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { compileTemplates } from '../../src/web/templates.ts';

test('a page with its includes from all folders needs no file once it is compiled, and an include has the values of its page and those that are added', () => {
  const directory = mkdtempSync(join(tmpdir(), 'latchkey-templates-'));
  const directories = [join(directory, 'one'), join(directory, 'other')];
  for (const name of ['one', 'one/parts', 'other', 'other/parts']) mkdirSync(join(directory, name));
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text);
  write('one/page.ejs', "<%- include('parts/outer', { size: 2 }) %>|<%= locals.size %>|<%= name %>");
  write(
    'other/parts/outer.ejs',
    "<%= name %> <%= size %> <%- include('inner') %><%- include('inner', { name: '<b>' }) %>",
  );
  write('one/parts/inner.ejs', '[<%= name %> <%= locals.size %> <%= locals.none %>]');
  write('other/broken.ejs', '<%= data.none.name %>');
  const engine = compileTemplates(directories);
  rmSync(directory, { recursive: true });
  const render = (name: string) => {
    let answer: [unknown, string | undefined] = [undefined, undefined];
    engine(join(directory, 'one', `${name}.ejs`), { name: 'a', data: {} }, (error, text) => {
      answer = [error, text];
    });
    return answer;
  };
  assert.deepEqual(render('page'), [null, 'a 2 [a 2 ][&lt;b&gt; 2 ]||a']);
  assert.match(String(render('broken')[0]), /broken\.ejs/);
  assert.match(String(render('missing')[0]), /there is no template/);
});

test('two templates of one name are refused, since one would hide the other', () => {
  const directory = mkdtempSync(join(tmpdir(), 'latchkey-templates-'));
  writeFileSync(join(directory, 'page.ejs'), '');
  assert.throws(() => compileTemplates([directory, directory]), /there are two templates page\.ejs/);
  rmSync(directory, { recursive: true });
});
