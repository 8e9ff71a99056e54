import { basename } from 'node:path';
import type pg from 'pg';
import { bcryptCost } from '../values/password-rules.ts';
import { publicSuffixProblem } from '../values/public-suffix.ts';
import { runSqlFile, SqlFileError } from './sql-file.ts';

export interface SeedSettings {
  /** whether people can have a password here */
  readonly passwords: boolean;
}

/** For the rest of the transaction, register_user keeps no password. */
export async function forgetPasswords(client: pg.ClientBase): Promise<void> {
  await client.query(`select set_config('latchkey.passwords', 'off', true)`);
}

/**
 * Runs the seed inside the caller's transaction, with one bcrypt comparison for the whole seed instead of one for each
 * person. register_user makes a digest of all usernames, passwords and hashes of a transaction, and the bcrypt hash of that
 * digest is stored: if it is unchanged, so are the passwords. (The digest itself would let a thief test passwords quickly.)
 */
export async function runSeed(client: pg.ClientBase, path: string): Promise<void> {
  const known = await findKnownPasswords(client);
  if (known !== undefined && (await runTrusting(client, path, known))) return;
  await runSqlFile(client, path);
  await client.query(
    `insert into settings (name, value)
     select 'seed_passwords', crypt(digest, gen_salt('bf', ${bcryptCost}))
     from nullif(current_setting('latchkey.passwords_digest', true), '') digest
     where digest is not null
     on conflict (name) do update
     set value = excluded.value`,
  );
}

async function findKnownPasswords(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query(`select value from settings where name = 'seed_passwords'`);
  return rows[0]?.value;
}

/** Runs the seed as if all passwords were unchanged, and rolls back if they were not. */
async function runTrusting(client: pg.ClientBase, path: string, known: string): Promise<boolean> {
  await client.query('savepoint trusting');
  await client.query(`select set_config('latchkey.passwords_are_known', 'yes', true)`);
  await runSqlFile(client, path);
  const { rows } = await client.query(
    `select digest is null or crypt(digest, $1) = $1 as are_known
     from nullif(current_setting('latchkey.passwords_digest', true), '') digest`,
    [known],
  );
  if (!rows[0].are_known) await client.query('rollback to savepoint trusting');
  return rows[0].are_known;
}

/** After a seed, in the same transaction: register_client has noted the sites, but the database has no list of public suffixes. */
export async function refusePublicSuffixes(client: pg.ClientBase, path: string): Promise<void> {
  const { rows } = await client.query(
    `select string_to_array(current_setting('latchkey.site_domains', true), ' ') as domains`,
  );
  const problems = new Set<string | undefined>(rows[0].domains?.map(publicSuffixProblem));
  problems.delete(undefined);
  if (problems.size > 0) throw new SqlFileError(`${basename(path)}: ${[...problems].join('; ')}`);
}
