import { randomBytes } from 'node:crypto';
import { scopes } from '../servers/terms.ts';
import { array, people, type Seed, usersTable } from './seed.ts';

const digest = "sha256(convert_to(value, 'UTF8'))";
const given = 'unnest($1::text[]) with ordinality as given (value, n)';
const columns = `1 + n % ${people}, ${array(scopes)}, now() + interval '1 hour'`;

/** A family per token, as in life. */
const withFamily = (table: string, column: string) => `
  with code as (
    insert into codes (code_sha256, user_id, scopes, expires_at, redeemed_at)
    select sha256(convert_to('family of ' || value, 'UTF8')), ${columns}, now()
    from ${given}
    returning code_id, code_sha256
  )
  insert into ${table} (${column}, code_id, scopes, expires_at)
  select ${digest}, code_id, ${array(scopes)}, now() + interval '1 hour'
  from ${given}
  join code on code.code_sha256 = sha256(convert_to('family of ' || value, 'UTF8'))`;

export const floorSeed: Seed = {
  secret: () => randomBytes(32).toString('base64url'),
  schema: `${usersTable}
    create table codes (
      code_id bigint generated always as identity primary key,
      code_sha256 bytea not null unique,
      user_id integer not null,
      scopes text[] not null,
      expires_at timestamptz not null,
      redeemed_at timestamptz
    ) with (fillfactor = 80);
    create table access_tokens (
      access_token_sha256 bytea primary key,
      code_id bigint not null,
      scopes text[] not null,
      expires_at timestamptz not null
    );
    create table refresh_tokens (
      refresh_token_sha256 bytea primary key,
      code_id bigint not null,
      scopes text[] not null,
      expires_at timestamptz not null,
      rotated_at timestamptz
    ) with (fillfactor = 80);`,
  insert: {
    exchange: `insert into codes (code_sha256, user_id, scopes, expires_at) select ${digest}, ${columns} from ${given}`,
    refresh: withFamily('refresh_tokens', 'refresh_token_sha256'),
    resource: withFamily('access_tokens', 'access_token_sha256'),
  },
};
