import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { catalogues } from '../../src/pages/language.ts';

const { en } = catalogues;
const keys = Object.keys(en);
const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();

const views = new URL('../../views/', import.meta.url);
const templates = readdirSync(views, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ejs'))
  .map((name) => ({ name, source: readFileSync(new URL(name, views), 'utf8') }));
const sources = templates.map(({ source }) => source).join('\n');

for (const [language, catalogue] of Object.entries(catalogues)) {
  test(`${language} has every text, and no text that English does not have`, () => {
    assert.deepEqual(Object.keys(catalogue).sort(), keys.toSorted());
  });

  test(`${language} keeps the placeholders of every text`, () => {
    for (const [key, text] of Object.entries(catalogue)) {
      assert.deepEqual(placeholders(text), placeholders(en[key as keyof typeof en]), key);
    }
  });

  test(`${language} has no empty text, no stray space and no markup`, () => {
    for (const [key, text] of Object.entries(catalogue)) {
      assert.match(text, /\S/, key);
      assert.equal(text.trim(), text, key);
      assert.doesNotMatch(text, /[<>]|&\w+;| {2}|"/, key);
    }
  });
}

test('every other language says something else than English in nearly every text', () => {
  for (const [language, catalogue] of Object.entries(catalogues).filter(([language]) => language !== 'en')) {
    const same = keys.filter((key) => (catalogue as Record<string, string>)[key] === en[key as keyof typeof en]);
    assert.ok(same.length < 25, `${language} repeats the English of ${same.join(', ')}`);
  }
});

test('every text that a template names is in the catalogue', () => {
  for (const { name, source } of templates) {
    for (const [, key = ''] of source.matchAll(/(?:\bt\(|key: )'([\w.:]+)(?<![._])'/g))
      assert.ok(keys.includes(key), `${name}: ${key}`);
  }
});

test('every text in the catalogue is used by a template', () => {
  const whole = new Set([...sources.matchAll(/'([a-z_]+\.[\w.]+)'/g)].map(([, key]) => key));
  const prefixes = [...sources.matchAll(/['`]([a-z_]+\.(?:\w+_)?)(?:'|\$\{)/g)].map(([, prefix = '']) => prefix);
  const unused = keys.filter((key) => !whole.has(key) && !prefixes.some((prefix) => key.startsWith(prefix)));
  assert.deepEqual(unused, [
    'back.again',
    'back.sign_in',
    'back.account',
    'back.applications',
    'back.developer',
    'back.playground',
  ]);
});

test('templates escape everything: the raw tag is for our own partials only', () => {
  for (const { name, source } of templates) {
    for (const [tag] of source.matchAll(/<%-[^%]*/g)) assert.match(tag, /^<%- include\('/, `${name}: ${tag}`);
  }
});

test('templates carry no inline script, style or event handler, which the policy would block', () => {
  for (const { name, source } of templates) {
    assert.doesNotMatch(source, /<style|\sstyle=|\son\w+=|javascript:|<script(?! src=)/, name);
  }
});
