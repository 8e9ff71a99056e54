/** The methods of a session that has more than a first factor. A passkey is both at once, since it verifies the person. */
export const secondFactors = ['passkey', 'security_key', 'totp', 'recovery_code', 'trusted_browser'] as const;

export type SecondFactor = (typeof secondFactors)[number];

/** Whether one was proved in this sign-in: that the browser is trusted is no proof. */
export const hasProvenFactor = (methods: readonly string[]): boolean =>
  secondFactors.some((factor) => factor !== 'trusted_browser' && methods.includes(factor));

export const isSecondFactor = (method: string): method is SecondFactor =>
  (secondFactors as readonly string[]).includes(method);

export const hasSecondFactor = (methods: readonly string[]): boolean =>
  secondFactors.some((factor) => methods.includes(factor));
