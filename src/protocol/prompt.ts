/** The values of `prompt` [OpenID Connect Core §3.1.2.1], which OAuth clients send, too. */
export const promptValues = ['none', 'login', 'consent', 'select_account'] as const;

export type Prompt = ReadonlySet<(typeof promptValues)[number]>;

/** Undefined if a value is unknown, or if `none` is combined with another value. */
export function readPrompt(prompt: string): Prompt | undefined {
  const names = new Set(prompt.split(' '));
  const known = new Set(promptValues.filter((value) => names.has(value)));
  if (known.size !== names.size || (known.has('none') && known.size > 1)) return undefined;
  return known;
}

/** Whether a signed-in person has to enter the password again or to choose an account. */
export function demandsSignIn(prompt: Prompt): boolean {
  return prompt.has('login') || prompt.has('select_account');
}
