import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** The output of /metrics, read line by line. */
export class Scrape {
  readonly text: string;
  /** by the name of the family */
  readonly types = new Map<string, string>();
  readonly #values = new Map<string, number>();

  constructor(text: string) {
    this.text = text;
    for (const line of text.split('\n').slice(0, -1)) this.#read(line);
    assert.ok(text.endsWith('\n'), 'the last line ends');
  }

  #read(line: string): void {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) ([a-z_]+) (.+)$/.exec(line) ?? [];
    if (kind === 'TYPE') {
      assert.ok(!this.types.has(name), `${name} appears twice`);
      this.types.set(name, rest);
    }
    if (kind !== undefined) return;
    const [, series = '', value] =
      /^([a-z_]+(?:\{[a-z_]+="[^"\\\n]*"(?:,[a-z_]+="[^"\\\n]*")*\})?) (-?[\d.e+-]+)$/.exec(line) ?? [];
    assert.ok(series !== '' && !this.#values.has(series), `malformed or repeated: ${line}`);
    this.#values.set(series, Number(value));
  }

  /** The value of a series, as it is written; 0 before its first event. */
  value(series: string): number {
    return this.#values.get(series) ?? 0;
  }

  /** The names of all series with those of their labels: `latchkey_refusals_total` → error, reason. */
  labels(): Map<string, Set<string>> {
    const found = new Map<string, Set<string>>();
    for (const series of this.#values.keys()) {
      const [name = ''] = series.split('{', 1);
      const labels = [...series.matchAll(/[{,]([a-z_]+)="/g)].map(([, label = '']) => label);
      found.set(name, new Set([...(found.get(name) ?? []), ...labels]));
    }
    return found;
  }
}

export async function scrape(url: string): Promise<Scrape> {
  const response = await fetch(url);
  assert.equal(response.status, 200, url);
  assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  return new Scrape(await response.text());
}

/** Requests are counted when their connection has the answer, which may be after the client has it. */
export async function scrapeUntil(url: string, isReached: (found: Scrape) => boolean): Promise<Scrape> {
  let found = await scrape(url);
  for (let tries = 0; tries < 600 && !isReached(found); tries += 1) {
    await pause(50);
    found = await scrape(url);
  }
  assert.ok(isReached(found), found.text);
  return found;
}
