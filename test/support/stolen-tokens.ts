import { createRefreshToken } from '../../src/lib/refresh-token.ts';
import { createCredential, credentialKey, digestOf } from '../../src/lib/secrets.ts';
import { refresh } from '../../src/oauth/token/exchange.ts';
import { familyKeyOf } from './attack.ts';
import { type Latchkey, printer } from './latchkey.ts';
import { randomSource } from './random.ts';

export type Side = 'victim' | 'thief';
/** Seconds, for REFRESH_GRACE: the time that the test itself takes must not matter beside it. */
export const grace = 3600;

/** A refresh token held by its owner and by a thief, and what both did with it and its successors. */
export interface Theft {
  code_id: string;
  now: number;
  holds: Record<Side, string>;
  /** when each token was issued, when it was rotated and to what, and who presented it when */
  tokens: Map<string, { issued: number; rotated?: number; successor?: string; uses: [Side, number][] }>;
  isOver: boolean;
  /** a generator for each theft, so that a seed reproduces it in whatever order the thefts are processed */
  chance: ReturnType<typeof randomSource>;
}

/** Inserts token families as a code exchange would, in one statement. */
export async function stealTokens({ database, deps }: Latchkey, count: number, seed: number): Promise<Theft[]> {
  const values = Array.from({ length: count }, () =>
    createRefreshToken(deps.sessionSecrets[0] ?? '', {
      family_key: credentialKey(createCredential('authorization_code')),
      generation: 0,
    }),
  );
  const { rows } = await database.query<{ code_id: string }>(
    `insert into authorization_codes (code_sha256, grant_id, client_id, redirect_uri, redirect_uri_sent, scopes,
       expires_at, redeemed_at, refresh_token_sha256, refresh_issued_at, refresh_expires_at)
     select family_key, (select grant_id from grants where revoked_at is null limit 1), $3, $4, true, '{user:name}', now(), now(),
       digest, now(), now() + interval '30 days'
     from unnest($1::bytea[], $2::bytea[]) family (family_key, digest)
     returning code_id`,
    [
      values.map(({ refresh_token }) => familyKeyOf(refresh_token)),
      values.map(({ refresh_token_sha256 }) => refresh_token_sha256),
      printer.client_id,
      printer.redirect_uri,
    ],
  );
  const ids = rows.map(({ code_id }) => code_id);
  return values.map(({ refresh_token: value }, index) => ({
    code_id: ids[index] ?? '',
    now: 0,
    holds: { victim: value, thief: value },
    tokens: new Map([[value, { issued: 0, uses: [] }]]),
    isOver: false,
    chance: randomSource(seed + index),
  }));
}

/** Refreshes with the token that this side holds; returns its successor, or undefined when refused. */
export async function present({ deps }: Latchkey, theft: Theft, side: Side): Promise<string | undefined> {
  const token = theft.holds[side];
  theft.tokens.get(token)?.uses.push([side, theft.now]);
  const client = {
    client_id: printer.client_id,
    secret_sha256: digestOf(printer.client_secret),
    method: 'client_secret_basic',
  } as const;
  const trace = { request_id: side, address: null };
  const answer = await refresh(
    deps,
    client,
    { refresh_token: token, scopes: undefined, resource: undefined },
    trace,
  ).catch((error) => {
    if (error.code !== 'invalid_grant') throw error;
  });
  return answer?.refresh_token;
}

/** An independent model of the rotation rules: what presenting this token must lead to. */
export function expected(theft: Theft, token: string, lifetime: number): 'rotated' | 'repeated' | 'refused' | 'over' {
  const known = theft.tokens.get(token);
  if (theft.isOver || !known) return 'refused';
  if (known.rotated === undefined) return theft.now - known.issued < lifetime ? 'rotated' : 'refused';
  const isUnused = theft.tokens.get(known.successor ?? '')?.rotated === undefined;
  return theft.now - known.rotated <= grace && isUnused ? 'repeated' : 'over';
}

/** Makes each family older by its number of seconds, by moving its timestamps into the past. */
export async function makeOlder({ database }: Latchkey, thefts: readonly Theft[], seconds: readonly number[]) {
  thefts.forEach((theft, index) => {
    theft.now += seconds[index] ?? 0;
  });
  await database.query(
    `update authorization_codes code
     set refresh_issued_at = refresh_issued_at - make_interval(secs => age),
       refresh_expires_at = refresh_expires_at - make_interval(secs => age)
     from unnest($1::bigint[], $2::double precision[]) family (code_id, age)
     where code.code_id = family.code_id
       and age > 0`,
    [thefts.map(({ code_id }) => code_id), seconds],
  );
}
