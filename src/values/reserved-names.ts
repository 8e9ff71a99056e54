/** Names under which a stranger could speak for the provider, or that programs take for something else. */
const reserved: ReadonlySet<string> = new Set([
  ...['admin', 'administrator', 'root', 'system', 'sysadmin', 'operator', 'moderator', 'staff', 'owner', 'superuser'],
  ...['support', 'help', 'helpdesk', 'security', 'abuse', 'privacy', 'legal', 'billing', 'info', 'contact', 'team'],
  ...['postmaster', 'hostmaster', 'webmaster', 'mailer-daemon', 'noreply', 'no-reply', 'mail', 'www', 'ftp', 'api'],
  ...['me', 'self', 'new', 'null', 'undefined', 'none', 'nil', 'true', 'false', 'nan', 'anonymous', 'guest', 'nobody'],
  ...['everybody', 'everyone', 'all', 'user', 'users', 'account', 'accounts', 'login', 'logout', 'signup', 'sign-up'],
  ...['oauth', 'developer', 'playground', 'latchkey'],
]);

/** ASCII, so that no letter only looks like another one, and with a letter, so that none looks like the number of a person. */
const grammar = /^(?=[\d._-]*[a-z])[a-z\d](?:[a-z\d._-]{0,38}[a-z\d])$/i;

/** Why somebody who signs up cannot have this name; undefined if they can, unless it is taken. */
export function usernameProblem(
  name: string,
  { brand, issuer }: { brand: { name: string }; issuer: string },
): 'username_malformed' | 'username_reserved' | undefined {
  if (name.length > 40 || !grammar.test(name)) return 'username_malformed';
  const { hostname } = new URL(issuer);
  const ours = [brand.name.toLowerCase(), hostname, ...hostname.split('.')];
  const folded = name.toLowerCase();
  // admin-1 and a.d.m.i.n are no better than admin
  const plain = folded.replace(/[._-]/g, '');
  const isReserved = [folded, plain, plain.replace(/\d+$/, '')].some(
    (form) => reserved.has(form) || ours.includes(form),
  );
  return isReserved ? 'username_reserved' : undefined;
}
