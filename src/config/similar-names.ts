/** Unknown names that differ from a known one by at most two characters, each with the known one. */
export function similarNames(names: string[], known: string[]): [string, string][] {
  return names
    .filter((name) => !known.includes(name))
    .flatMap((name): [string, string][] => {
      const meant = known.find((one) => one.length > 5 && isSimilarlyLong(name, one) && distance(name, one) <= 2);
      return meant === undefined ? [] : [[name, meant]];
    });
}

/** The known name that differs least from a word, if only a typing error lies between them. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const near = known
    .filter((name) => isSimilarlyLong(word, name))
    .map((name) => ({ name, distance: distance(word, name) }))
    .filter(({ name, distance }) => distance > 0 && distance <= (name.length < 5 ? 1 : 2));
  return near.sort((one, other) => one.distance - other.distance)[0]?.name;
}

const isSimilarlyLong = (one: string, other: string) => Math.abs(one.length - other.length) <= 2;

/** The Levenshtein distance: how many characters to insert, delete or replace. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, a] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, b] of [...other].entries()) {
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (a === b ? 0 : 1)));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
