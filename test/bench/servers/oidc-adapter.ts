import type { Adapter, AdapterPayload } from 'oidc-provider';
import { database, row } from './pool.ts';

const tables: Record<string, string> = {
  AuthorizationCode: 'authorization_code',
  AccessToken: 'access_token',
  RefreshToken: 'refresh_token',
  Grant: 'oidc_grant',
  Client: 'oidc_client',
  PushedAuthorizationRequest: 'pushed_request',
  ReplayDetection: 'used_jti',
};

/**
 * What this library asks of a database: one table per model, one prepared statement per call, `json` because nothing
 * looks inside. Models that this benchmark never touches have no table.
 */
export class PostgresAdapter implements Adapter {
  readonly #table: string;

  constructor(model: string) {
    this.#table = tables[model] ?? model;
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await row<{ payload: AdapterPayload; consumed: number | null }>(
      `find_${this.#table}`,
      `select payload, extract(epoch from consumed_at)::integer as consumed from ${this.#table} where id = $1`,
      [id],
    );
    return found && (found.consumed === null ? found.payload : { ...found.payload, consumed: found.consumed });
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    await row(
      `upsert_${this.#table}`,
      `insert into ${this.#table} (id, payload, grant_id, expires_at)
       values ($1, $2, $3, now() + make_interval(secs => $4))
       on conflict (id) do update
       set payload = excluded.payload, expires_at = excluded.expires_at`,
      [id, JSON.stringify(payload), payload.grantId ?? null, expiresIn],
    );
  }

  async consume(id: string): Promise<void> {
    await row(`consume_${this.#table}`, `update ${this.#table} set consumed_at = now() where id = $1`, [id]);
  }

  async destroy(id: string): Promise<void> {
    await database.query(`delete from ${this.#table} where id = $1`, [id]);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await database.query(`delete from ${this.#table} where grant_id = $1`, [grantId]);
  }

  async findByUid(): Promise<undefined> {}

  async findByUserCode(): Promise<undefined> {}
}
