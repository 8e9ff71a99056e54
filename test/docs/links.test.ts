import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { documents, repository } from './documents.ts';

const outsideBlocks = (text: string) => text.replaceAll(/^```[\s\S]*?^```$/gm, '');

/** As GitHub makes it from a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (path: string) =>
  [...outsideBlocks(readFileSync(path, 'utf8')).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

test('every link leads to a file that exists, and to a heading that it has', () => {
  let [checked, anchors] = [0, 0];
  for (const { path, folder, text } of documents) {
    const links = [...text.matchAll(/\]\(([^)]+)\)|src="([^"]+)"/g)].map(([, link, image]) => link ?? image ?? '');
    for (const link of links.filter((one) => !one.startsWith('https://'))) {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? join(repository, path) : join(repository, folder, file);
      assert.ok(existsSync(target), `${path}: ${link}`);
      checked += 1;
      if (anchor === undefined) continue;
      assert.ok(anchorsOf(target).includes(anchor), `${path}: ${link}`);
      anchors += 1;
    }
  }
  assert.ok(checked > 50 && anchors > 20, `${checked} links, ${anchors} with anchors`);
});

test('every file that a document names exists', () => {
  let checked = 0;
  for (const { path, folder, text } of documents) {
    const names = [...outsideBlocks(text).matchAll(/`([\w@./-]+\.(?:ts|sql|ejs|md|json|ya?ml|css|svg))`/g)];
    for (const [, name = ''] of names.filter(([, name = '']) => !isExample.test(name))) {
      const places = [folder, '', 'src'].map((place) => join(repository, place, name));
      assert.ok(places.some(existsSync), `${path}: ${name}`);
      checked += 1;
    }
  }
  assert.ok(checked > 100, `${checked}`);
});

test('what a document places in a file of the source is there', () => {
  let checked = 0;
  for (const { path, folder, text } of documents.filter((one) => one.path.startsWith('src/'))) {
    for (const [, word = '', name = ''] of text.matchAll(/`(\w+)` (?:in|of) `([\w./-]+\.(?:ts|sql))`/g)) {
      const file = [folder, '', 'src'].map((place) => join(repository, place, name)).find(existsSync) ?? '';
      assert.ok(new RegExp(`\\b${word}\\b`).test(readFileSync(file, 'utf8')), `${path}: ${word} in ${name}`);
      checked += 1;
    }
  }
  assert.ok(checked > 20, `${checked}`);
});

/** Files that the reader is asked to write. */
const isExample = /^(clients|NNN_name|functions\/name|006_phone_numbers|110_two_names_in_certificates)\.sql$/;

test('git keeps the pictures that a document shows, and no others', () => {
  const kept = [
    ...readFileSync(join(repository, '.gitignore'), 'utf8').matchAll(/^!(test\/browser\/screenshots\/.+)$/gm),
  ];
  const shown = documents.flatMap(({ text }) =>
    [...text.matchAll(/test\/browser\/screenshots\/[\w-]+\.png/g)].map(([name]) => name),
  );
  assert.deepEqual(kept.map(([, name]) => name).sort(), [...new Set(shown)].sort());
});
