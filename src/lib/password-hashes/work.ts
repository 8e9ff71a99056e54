import type { Work } from './hash-format.ts';

// A wrong password shows by its time neither what kind of hash the account has nor whether there is an account: for every name the
// same is done in each family that is in use. Between functions as different as these nothing else can be equal on every machine.

/** The most that one comparison takes, for each family. */
export function dearestOfEach(works: readonly Work[]): Work[] {
  const dearest = new Map<string, Work>();
  for (const work of works) {
    if (work.amount > (dearest.get(work.family)?.amount ?? 0)) dearest.set(work.family, work);
  }
  return [...dearest.values()];
}

/** What is left of `all` after the comparison with the account's own hash, if it has one. */
export function remaining(all: readonly Work[], own: Work | undefined): Work[] {
  return all
    .map((work) => ({ ...work, amount: work.amount - (work.family === own?.family ? own.amount : 0) }))
    .filter(({ amount }) => amount > 0);
}
