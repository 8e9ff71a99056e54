import type pg from 'pg';
import { latchkeySeed } from '../bench/seeds/latchkey.ts';
import { array, literal } from '../bench/seeds/seed.ts';
import { scopes } from '../bench/servers/terms.ts';
import { createClientKey } from '../support/client-assertion.ts';
import { createDpopKey } from '../support/dpop.ts';
import { Bank } from '../support/fapi2.ts';
import { printer } from '../support/latchkey.ts';

/** A thousand people who have allowed the photo printer and the bank, a client of the profile fapi2. */
export async function seed(database: pg.Pool): Promise<(origin: string) => Bank> {
  const key = createClientKey('key of the bank');
  const dpop = await createDpopKey();
  const jwks = JSON.stringify({ keys: [key.jwk] });
  await database.query(latchkeySeed.schema);
  await database.query(`
    select register_client(client_id => 'bank', name => 'Bank', site_domain => ${literal(printer.site_domain)},
      redirect_uris => ${array([printer.redirect_uri])}, scopes => array['user', 'repo'],
      token_endpoint_auth_method => 'private_key_jwt', jwks => ${literal(jwks)}, profile => 'fapi2');
    insert into grants (user_id, client_id, scopes, decided, redirect_uris, duration)
    select user_id, 'bank', ${array(scopes)}, ${array(scopes)}, ${array([printer.redirect_uri])}, 'always'
    from users;`);
  return (origin) => new Bank(origin, 'bank', { key, dpop });
}
