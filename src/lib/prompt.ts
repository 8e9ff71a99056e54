/** The values of `prompt` [OpenID Connect Core §3.1.2.1], which OAuth clients send, too. */
export const promptValues = ['none', 'login', 'consent', 'select_account'] as const;

export type Prompt = ReadonlySet<(typeof promptValues)[number]>;

/** Reads `prompt`; undefined if a value is unknown, or if `none` is combined with another value. */
export function readPrompt(prompt: string): Prompt | undefined {
  const names = new Set(prompt.split(' '));
  const known = new Set(promptValues.filter((value) => names.has(value)));
  if (known.size !== names.size || (known.has('none') && known.size > 1)) return undefined;
  return known;
}

/** Whether a signed-in person may have to prove again who they are, or to choose an account. */
export function asksForNewSignIn({ prompt, max_age }: { prompt: Prompt; max_age: number | undefined }): boolean {
  return prompt.has('login') || prompt.has('select_account') || max_age !== undefined;
}

/** Seconds by which a proof may be older: clocks count in seconds, and the redirect takes time [OpenID Connect Core §3.1.2.1]. */
const tolerance = 1;

/** Whether a proof of so many seconds ago, or of an unknown time, is too old for an application. */
export function isTooOld(age: number | null, max_age: number | undefined): boolean {
  if (max_age === undefined) return false;
  // no proof is young enough for 0, which asks for another one [OpenID Connect Core §3.1.2.1]
  return max_age === 0 || age === null || !(age <= max_age + tolerance);
}

/** Reads the seconds of a parameter max_age; undefined for a malformed one, which readAuthorizationRequest refuses. */
export function readMaxAge(max_age: unknown): number | undefined {
  return typeof max_age === 'string' && /^\d{1,9}$/.test(max_age) ? Number(max_age) : undefined;
}
