/** Why a hash is not accepted: the name of the rule and a sentence. migrations/functions/check_password_hash.sql has the same. */
export interface HashProblem {
  readonly rule: 'unknown' | 'cost' | 'malformed';
  readonly sentence: string;
}

/** A number in a hash that makes a comparison dear, as it is written there, and the least and the greatest that is accepted. */
export interface Cost {
  readonly name: string;
  readonly text: string;
  readonly range: readonly [min: number, max: number];
}

/** What is done again and again: equal amounts of it take equal time, whatever format the hash has. */
export interface Work {
  /** the function, and of its costs those that are not the amount */
  readonly family: string;
  /** how often, in the unit of the family */
  readonly amount: number;
  /** bytes that it takes while it runs */
  readonly memory: number;
  /** Does so much of it for nothing. */
  spend(password: Buffer, amount: number): Promise<unknown>;
}

/** A hash whose beginning, the part before its salt, has been read. */
export interface ReadHash {
  readonly costs: readonly Cost[];
  /** what is wrong with costs that are each accepted; called only if they are */
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
  /** as the log, `doctor` and refusals call it */
  readonly name: string;
  /** Undefined unless the text begins as hashes of this format do. */
  read(text: string): ReadHash | undefined;
}

/** A number as hashes write it; NaN for what is none, or has a zero before it. */
export function numberIn(text: string): number {
  return /^(0|[1-9][0-9]{0,9})$/.test(text) ? Number(text) : Number.NaN;
}

export const base64 = (text: string) => Buffer.from(text, 'base64');
