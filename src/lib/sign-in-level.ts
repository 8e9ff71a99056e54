import { hasProvenFactor } from './second-factors.ts';

/** How surely a sign-in proves who somebody is: 1 by one factor, 2 by two. */
export type Level = 1 | 2;

/** How another place at which people sign in says that it was proved [OpenID Connect Core §2]. */
export interface ProofElsewhere {
  /** `website`, or `provider:NAME` */
  source?: string | undefined;
  acr?: string | undefined;
  amr?: readonly string[] | undefined;
}

/**
 * The level of a sign-in, by the ways in which it was proved. What another place says counts only as the operator has written it
 * down, `website:amr=mfa` for instance; everything else from there is one factor.
 */
export function levelOf(
  methods: readonly string[],
  { source, acr, amr = [] }: ProofElsewhere = {},
  twoFactorsElsewhere: ReadonlySet<string> = new Set(),
): Level {
  if (hasProvenFactor(methods)) return 2;
  const said = [...(acr === undefined ? [] : [`acr=${acr}`]), ...amr.map((method) => `amr=${method}`)];
  return said.some((one) => twoFactorsElsewhere.has(`${source}:${one}`)) ? 2 : 1;
}
