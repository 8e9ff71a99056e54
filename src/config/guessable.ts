/** Fewer than a machine would use by chance: one in 60,000 secrets of 32 random decimal digits has less. */
const fewestCharacters = 7;
const madeUp = /secret|password|passwort|change.?me|example|latchkey|0123456789|abcdef.?ghij|qwert|\btest\b/i;

/** Whether a person made it up, so that somebody could guess it. */
export function isGuessable(secret: string): boolean {
  const isRepeated = /^(.{1,16}?)\1+$/.test(secret);
  return isRepeated || madeUp.test(secret) || new Set(secret).size < fewestCharacters;
}
