import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { createRefreshToken, readRefreshToken } from '../../src/lib/refresh-token.ts';
import { createCredential, credentialKey } from '../../src/lib/secrets.ts';
import type { Database } from '../../src/postgres/database.ts';
import type { Browser } from './browser.ts';
import { type authorizationQuery, obtainCode, redeem } from './flow.ts';

export interface RawAnswer {
  text: string;
  status: number;
  /** whether the server closed the connection */
  closed: boolean;
}

/** Sends exactly these bytes, and returns what was received until the server closed the connection, for which a minute must do. */
export function sendRaw(origin: string, pieces: string | string[]): Promise<RawAnswer> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => (text += chunk));
  socket.on('error', () => {});
  for (const piece of [pieces].flat()) socket.write(piece, 'latin1');
  return new Promise((resolve) => {
    const done = (closed: boolean) => {
      socket.destroy();
      resolve({ text, status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), closed });
    };
    const timer = setTimeout(() => done(false), 60_000);
    socket.on('close', () => {
      clearTimeout(timer);
      done(true);
    });
  });
}

/** Every row of every table as text: what a stolen copy of the database would show. */
export async function dumpDatabase(database: Database): Promise<string> {
  const { rows } = await database.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
  );
  const tables = await Promise.all(rows.map(({ name }) => database.query(`select t::text as line from ${name} t`)));
  return tables.flatMap((table) => table.rows.map(({ line }) => line)).join('\n');
}

/** The secrets that a text contains, in clear or in an easily reversed encoding. */
export function findSecrets(text: string, secrets: readonly string[]): string[] {
  const disguises = (secret: string) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    // half of one of our own secrets counts as a leak too
    ...(/^lk_/.test(secret) ? [secret.slice(6, 26), secret.slice(26, 46)] : []),
  ];
  return secrets.filter((secret) => disguises(secret).some((form) => text.includes(form)));
}

/** The audit events of one kind. */
export async function eventsOf(database: Database, event: string) {
  const { rows } = await database.query('select * from audit_trail where event = $1 order by happened_at', [event]);
  return rows;
}

export async function freshTokens(origin: string, browser: Browser, changes: Parameters<typeof authorizationQuery>[0]) {
  const { body } = await redeem(origin, await obtainCode(browser, changes));
  return { access_token: String(body['access_token']), refresh_token: String(body['refresh_token']) };
}

/** A refresh token that no server has issued. */
export function madeUpRefreshToken(): string {
  const family_key = credentialKey(createCredential('authorization_code'));
  return createRefreshToken('a made-up secret', { family_key, generation: 0 }).refresh_token;
}

/** The key of the family of a refresh token, which its text has. */
export function familyKeyOf(refreshToken: unknown): Buffer {
  const token = readRefreshToken(String(refreshToken));
  assert.ok(token);
  return token.family_key;
}

/** The number of usable refresh tokens in the family of this token. */
export async function liveSuccessors(database: Database, refreshToken: string): Promise<number> {
  const { rows } = await database.query(
    `select count(*)::integer as live
     from authorization_codes
     where code_sha256 = $1
       and refresh_expires_at > now()
       and revoked_at is null`,
    [familyKeyOf(refreshToken)],
  );
  return rows[0].live;
}
