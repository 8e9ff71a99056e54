import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fixtures } from '../browser/fixtures.ts';
import { openGallery } from '../browser/gallery.ts';

const { origin, close } = await openGallery();
after(close);

test('a page with boxes or radio buttons loads their style, and no other page does', async () => {
  const styled = new Map<string, boolean>();
  const having = new Map<string, boolean>();
  for (const { name, view, data } of fixtures) {
    // one view can have several pages, some without the boxes that another state of the same page shows
    const page = 'part' in data ? `${view}-${data.part}` : view;
    for (const query of ['', '?status=400']) {
      const html = await (await fetch(`${origin}/${name}${query}`)).text();
      styled.set(page, html.includes('/assets/boxes.css?'));
      having.set(page, having.get(page) === true || /<input type="(checkbox|radio)"/.test(html));
    }
  }
  assert.ok([...having.values()].filter(Boolean).length > 10);
  assert.deepEqual(styled, having);
});
