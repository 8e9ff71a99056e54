/** What a client may demand to be shown, or not to be shown [OpenID Connect Core §3.1.2.1]; OAuth clients send it, too. */
export const promptValues = ['none', 'login', 'consent', 'select_account'] as const;

export type Prompt = ReadonlySet<(typeof promptValues)[number]>;

/** The values of the parameter; undefined when one of them is unknown, or when something is demanded beside none. */
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
