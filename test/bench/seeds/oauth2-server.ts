import { randomBytes } from 'node:crypto';
import { challenge, client, scopes, sha256 } from '../servers/terms.ts';
import { array, literal, people, type Seed, usersTable } from './seed.ts';

const given = 'unnest($1::text[]) with ordinality as given (value, n)';
const columns = `value, ${literal(client.client_id)}, 1 + n % ${people}, ${array(scopes)}, now() + interval '1 hour'`;

export const oauth2ServerSeed: Seed = {
  secret: () => randomBytes(32).toString('hex'),
  schema: `${usersTable}
    create table clients (
      client_id text primary key,
      secret_sha256 bytea not null,
      redirect_uris text[] not null,
      grants text[] not null
    );
    insert into clients values (${literal(client.client_id)}, '\\x${sha256(client.client_secret).toString('hex')}',
      ${array([client.redirect_uri])}, array['authorization_code', 'refresh_token']);
    create table codes (
      code text primary key,
      client_id text not null,
      user_id integer not null,
      scope text[] not null,
      expires_at timestamptz not null,
      redirect_uri text not null,
      code_challenge text not null
    );
    create table access_tokens (
      access_token text primary key,
      client_id text not null,
      user_id integer not null,
      scope text[] not null,
      expires_at timestamptz not null
    );
    create table refresh_tokens (
      refresh_token text primary key,
      client_id text not null,
      user_id integer not null,
      scope text[] not null,
      expires_at timestamptz not null
    );`,
  insert: {
    exchange: `insert into codes
      select ${columns}, ${literal(client.redirect_uri)}, ${literal(challenge)}
      from ${given}`,
    refresh: `insert into refresh_tokens select ${columns} from ${given}`,
    resource: `insert into access_tokens select ${columns} from ${given}`,
  },
};
