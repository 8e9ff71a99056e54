import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { runSqlFile } from './sql-file.ts';

/** A file that defines one SQL function; applied again whenever its text changes. */
export interface FunctionFile {
  name: string;
  path: string;
  sha256: string;
  /** the digests of the texts that it had in earlier releases */
  earlier: string[];
}

/** `functions/<name>.sql` defines the function of that name. */
export async function listFunctions(directory: string): Promise<FunctionFile[]> {
  const folder = join(directory, 'functions');
  const names = existsSync(folder) ? (await readdir(folder)).filter((name) => /^[a-z_]+\.sql$/.test(name)).sort() : [];
  const earlierTexts = await readEarlierTexts(folder);
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const sha256 = createHash('sha256')
        .update(await readFile(path))
        .digest('hex');
      const earlier = earlierTexts.filter((text) => text.name === name).map((text) => text.sha256);
      return { name: name.replace('.sql', ''), path, sha256, earlier };
    }),
  );
}

async function readEarlierTexts(folder: string): Promise<{ sha256: string; name: string }[]> {
  const path = join(folder, 'earlier-texts.txt');
  const text = existsSync(path) ? await readFile(path, 'utf8') : '';
  return [...text.matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)].map(([, sha256 = '', name = '']) => ({ sha256, name }));
}

/**
 * Remembers every text that was ever applied, and the texts of earlier releases as if they had been applied: an older version that
 * starts beside a newer version finds its text there and leaves the newer definition alone. To bring an old text back, change it (a
 * comment will do).
 */
export async function defineFunctions(client: pg.Client, functions: FunctionFile[]): Promise<FunctionFile[]> {
  await client.query(`create table if not exists sql_functions (
    name text not null, sha256 text not null, applied_at timestamptz not null default now(), primary key (name, sha256))`);
  const defined: FunctionFile[] = [];
  for (const file of functions) {
    const { rowCount } = await client.query(
      'insert into sql_functions (name, sha256) values ($1, $2) on conflict do nothing',
      [file.name, file.sha256],
    );
    if (rowCount === 0) continue;
    await client.query(
      'insert into sql_functions (name, sha256) select $1, unnest($2::text[]) on conflict do nothing',
      [file.name, file.earlier],
    );
    await runSqlFile(client, file.path);
    await dropEarlierSignatures(client, file.name);
    defined.push(file);
  }
  return defined;
}

/** Drops what has other parameters: `create or replace` would add a second function, and calls would be ambiguous. */
async function dropEarlierSignatures(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query(
    `select oid::regprocedure::text as signature
     from pg_proc
     where proname = $1
       and pronamespace = current_schema()::regnamespace
       and xmin <> pg_current_xact_id()::xid`,
    [name],
  );
  for (const { signature } of rows) await client.query(`drop function ${signature}`);
}
