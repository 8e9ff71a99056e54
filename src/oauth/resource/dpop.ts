import { readDpopProof } from '../../clients/dpop-proof.ts';
import { dpopBinding } from '../../lib/binding.ts';
import { clientAlgorithms } from '../../lib/client-jwt.ts';
import { dpopRefusal, useFaults } from '../../lib/dpop.ts';
import { OAuthError } from '../../lib/errors.ts';
import { tokenAfter } from './bearer.ts';
import type { Presentation } from './presentation.ts';

/** RFC 9449 §7.1: the token, and in another header a proof of the key to which it is bound. */
export const dpop: Presentation = {
  headers: ['Authorization', 'DPoP'],
  metadata: { dpop_signing_alg_values_supported: clientAlgorithms, dpop_bound_access_tokens_required: false },
  challenge: { scheme: 'DPoP', attributes: { algs: clientAlgorithms.join(' ') } },
  tokensIn({ headers: { authorization = '' } }) {
    const [, rest] = /^DPoP(?![\w-])(.*)$/is.exec(authorization) ?? [];
    return rest === undefined ? [] : [tokenAfter(rest)];
  },
  async prove(deps, req, access_token) {
    const shown = await readDpopProof(deps, req, access_token);
    if (!shown) throw new OAuthError('invalid_dpop_proof', 'the header DPoP is missing', { status: 401 });
    const binding = dpopBinding(shown.thumbprint);
    return {
      opens: (bound) => bound === binding,
      proof: {
        ...shown.dpop_proof,
        binding,
        refusal: (fault) => dpopRefusal({ access_token }, useFaults[fault]),
      },
    };
  },
};
