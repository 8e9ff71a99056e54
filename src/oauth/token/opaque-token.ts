import { isSecret, keyOf } from '../../lib/secrets.ts';
import type { TokenFormat } from './token-format.ts';

/** The secret itself: only this server knows what it means. */
export const opaque: TokenFormat = {
  async write(_deps, { secret }) {
    return secret;
  },
  isLike: (text) => isSecret('access_token', text),
  async keyOf(_deps, text) {
    return keyOf('access_token', text);
  },
};
