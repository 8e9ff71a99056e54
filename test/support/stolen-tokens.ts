import { refresh } from '../../src/grants/refresh-token.ts';
import { createCredential, credentialKey, digestOf } from '../../src/protocol/secrets.ts';
import { type Latchkey, printer } from './latchkey.ts';
import { randomSource } from './random.ts';

export type Side = 'victim' | 'thief';
export const grace = 60;

/** One refresh token that two parties hold, and what both have done with it and its successors. */
export interface Story {
  code_id: string;
  now: number;
  holds: Record<Side, string>;
  /** of each token: when it was issued, when and by whom it was presented, and what it became */
  tokens: Map<string, { issued: number; rotated?: number; successor?: string; uses: [Side, number][] }>;
  isOver: boolean;
  /** its own, so that a seed tells the same story however the machine takes turns */
  chance: ReturnType<typeof randomSource>;
}

/** Families as the code exchange leaves them, a thousand in two statements. */
export async function stealTokens({ database }: Latchkey, count: number, seed: number): Promise<Story[]> {
  // for `grow`: nothing in the product looks for the tokens of a family
  await database.query('create index on refresh_tokens (code_id)');
  const values = Array.from({ length: count }, () => createCredential('refresh_token'));
  const { rows } = await database.query<{ code_id: string }>(
    `insert into authorization_codes (code_sha256, grant_id, client_id, redirect_uri, redirect_uri_sent, scopes,
       expires_at, redeemed_at)
     select digest, (select grant_id from grants where revoked_at is null limit 1), $2, $3, true, '{user:name}', now(), now()
     from unnest($1::bytea[]) digest
     returning code_id`,
    [values.map((value) => digestOf(`code of ${value}`)), printer.client_id, printer.redirect_uri],
  );
  const ids = rows.map(({ code_id }) => code_id);
  await database.query(
    `insert into refresh_tokens (refresh_token_sha256, code_id, scopes, expires_at)
     select digest, code_id, '{user:name}', now() + interval '30 days'
     from unnest($1::bytea[], $2::bigint[]) family (digest, code_id)`,
    [values.map(credentialKey), ids],
  );
  return values.map((value, index) => ({
    code_id: ids[index] ?? '',
    now: 0,
    holds: { victim: value, thief: value },
    tokens: new Map([[value, { issued: 0, uses: [] }]]),
    isOver: false,
    chance: randomSource(seed + index),
  }));
}

/** Presents what this side holds; its successor, or undefined when it was refused. */
export async function present({ deps }: Latchkey, story: Story, side: Side): Promise<string | undefined> {
  const token = story.holds[side];
  story.tokens.get(token)?.uses.push([side, story.now]);
  const client = {
    client_id: printer.client_id,
    secret_sha256: digestOf(printer.client_secret),
    method: 'client_secret_basic',
  } as const;
  const trace = { request_id: side, address: null };
  const answer = await refresh(deps, client, { refresh_token: token, scopes: undefined }, trace).catch((error) => {
    if (error.code !== 'invalid_grant') throw error;
  });
  return answer?.refresh_token;
}

/** What the rules of the contract say must happen, told once more in other words. */
export function expected(story: Story, token: string, lifetime: number): 'rotated' | 'repeated' | 'refused' | 'over' {
  const known = story.tokens.get(token);
  if (story.isOver || !known) return 'refused';
  if (known.rotated === undefined) return story.now - known.issued < lifetime ? 'rotated' : 'refused';
  const isUnused = story.tokens.get(known.successor ?? '')?.rotated === undefined;
  return story.now - known.rotated <= grace && isUnused ? 'repeated' : 'over';
}

/** Moves what Postgres compares: these families become so many seconds older. */
export async function grow({ database }: Latchkey, stories: readonly Story[], seconds: readonly number[]) {
  stories.forEach((story, index) => {
    story.now += seconds[index] ?? 0;
  });
  await database.query(
    `update refresh_tokens token
     set rotated_at = rotated_at - make_interval(secs => age), expires_at = expires_at - make_interval(secs => age)
     from unnest($1::bigint[], $2::double precision[]) family (code_id, age)
     where token.code_id = family.code_id
       and age > 0`,
    [stories.map(({ code_id }) => code_id), seconds],
  );
}
