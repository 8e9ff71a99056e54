/**
 * Says why a hash is not accepted: the name of the rule and a sentence. migrations/functions/check_password_hash.sql has the same
 * rules.
 */
export interface HashProblem {
  readonly rule: 'unknown' | 'cost' | 'malformed';
  readonly sentence: string;
}

/** A number in a hash that makes a comparison dear: how the hash spells it, and the least and the greatest that is accepted. */
export interface Cost {
  readonly name: string;
  readonly text: string;
  readonly range: readonly [min: number, max: number];
}

/** The repeated step of a hash function: equal amounts of it take equal time, whatever format the hash has. */
export interface Work {
  /** the function, with those of its costs that are not the amount */
  readonly family: string;
  /** how often the step is done, in the unit of the family */
  readonly amount: number;
  /** bytes that the step takes while it runs */
  readonly memory: number;
  /** Does this amount of work and drops the result. */
  spend(password: Buffer, amount: number): Promise<unknown>;
}

/** A hash whose beginning, the part before its salt, has been read. */
export interface ReadHash {
  readonly costs: readonly Cost[];
  /** what is wrong with costs that are accepted one by one; called only if they are */
  problemTogether?(): string | undefined;
  work(): Work;
  /** undefined when salt or digest are malformed */
  readonly digest: Digest | undefined;
}

export interface Digest {
  readonly expected: Buffer;
  derive(password: Buffer): Promise<Buffer>;
}

/** One spelling of password hashes. */
export interface HashFormat {
  /** the name in the log, in the findings of `doctor` and in refusals */
  readonly name: string;
  /** Undefined unless the text begins as hashes of this format do. */
  read(text: string): ReadHash | undefined;
}

/** A number as hashes write it; NaN for another text, and for a number with a leading zero. */
export function numberIn(text: string): number {
  return /^(0|[1-9][0-9]{0,9})$/.test(text) ? Number(text) : Number.NaN;
}

export const base64 = (text: string) => Buffer.from(text, 'base64');
