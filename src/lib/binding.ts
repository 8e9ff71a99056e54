/**
 * What a token is bound to, so that nobody else can use it: `dpop` or `certificate` with the thumbprint of the key or the
 * certificate, or `mac`; null for a bearer token.
 */
export type Binding = string | null;

export const dpopBinding = (thumbprint: string): string => `dpop ${thumbprint}`;

export const certificateBinding = (thumbprint: string): string => `certificate ${thumbprint}`;

export const isCertificateBinding = (binding: Binding): boolean => binding?.startsWith('certificate ') ?? false;

/** The member `cnf`, by which introspection and JWTs name the key [7800 §3; 9449 §6; 8705 §3]. */
export function confirmationOf(binding: Binding): { jkt: string } | { 'x5t#S256': string } | undefined {
  const [way, thumbprint] = binding?.split(' ') ?? [];
  if (thumbprint === undefined) return undefined;
  return way === 'dpop' ? { jkt: thumbprint } : { 'x5t#S256': thumbprint };
}

/** The member `token_type`: how the token is presented. A token bound to a certificate is sent as bearer [8705 §3]. */
export function tokenTypeOf(binding: Binding): 'Bearer' | 'DPoP' | 'mac' {
  if (binding === 'mac') return 'mac';
  return binding?.startsWith('dpop ') ? 'DPoP' : 'Bearer';
}
