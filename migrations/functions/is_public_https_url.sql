-- Whether this server would fetch a document from an address that a stranger names: https, a name of the public DNS, no port of another
-- protocol, and nothing that a URL parser would write in another way. src/lib/public-address.ts decides the same where it fetches.
create or replace function is_public_https_url(address text) returns boolean language sql immutable strict parallel safe as $$
  select address ~ concat(
    '^https://',
    -- one host that is no address, of at most 253 characters
    '(?=[^/:]{1,253}[/:])(?![^/:]*\.(local|internal|localhost)[/:])',
    '([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?',
    '(:(102[4-9]|10[3-9]\d|1[1-9]\d\d|[2-9]\d{3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5]))?',
    -- no segments of dots
    '(?![^?]*/(\.|%2[Ee]){1,2}([/?]|$))',
    '(/([A-Za-z0-9._~!$&''()*+,;=:@-]|%[0-9A-Fa-f]{2})*)+',
    '(\?([A-Za-z0-9._~!$&()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$')
$$;
