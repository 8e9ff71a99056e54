import { encode } from 'uqr';
import { keyUri, writtenSecret } from '../../lib/totp.ts';
import type { Brand } from '../../web/brand.ts';
import type { AppToSetUp } from './factors.view.ts';

/** Returns what the person scans or types into the app. It is in the page only, and in no address. */
export function appToSetUp(
  { deps }: { deps: { config: { brand: Brand } } },
  username: string,
  secret: Buffer,
): AppToSetUp {
  const { brand } = deps.config;
  const { data, size } = encode(keyUri(secret, { issuer: brand.name, account: username }), { border: 2 });
  const dark = data.flatMap((line, y) => line.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { secret: writtenSecret(secret), picture: { size, path: dark.join('') }, username };
}
