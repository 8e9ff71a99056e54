import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { compileTemplates } from '../../src/web/templates.ts';

test('a page with its includes needs no file once it is compiled, and an include has the values of its page and those that are added', () => {
  const directory = mkdtempSync(join(tmpdir(), 'latchkey-templates-'));
  mkdirSync(join(directory, 'parts'));
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text);
  write('page.ejs', "<%- include('parts/outer', { size: 2 }) %>|<%= locals.size %>|<%= name %>");
  write('parts/outer.ejs', "<%= name %> <%= size %> <%- include('inner') %><%- include('inner', { name: '<b>' }) %>");
  write('parts/inner.ejs', '[<%= name %> <%= locals.size %> <%= locals.none %>]');
  write('broken.ejs', '<%= data.none.name %>');
  const engine = compileTemplates(directory);
  rmSync(directory, { recursive: true });
  const render = (name: string) => {
    let answer: [unknown, string | undefined] = [undefined, undefined];
    engine(join(directory, `${name}.ejs`), { name: 'a', data: {} }, (error, text) => {
      answer = [error, text];
    });
    return answer;
  };
  assert.deepEqual(render('page'), [null, 'a 2 [a 2 ][&lt;b&gt; 2 ]||a']);
  assert.match(String(render('broken')[0]), /broken\.ejs/);
  assert.match(String(render('missing')[0]), /there is no template/);
});
