import { createHmac, randomBytes } from 'node:crypto';

export interface MacToken {
  access_token: string;
  mac_key: string;
}

type Values = Record<string, string | number>;

/**
 * An Authorization header for GET /user that would be accepted [draft-ietf-oauth-v2-http-mac-02 §3.1]: `sent` changes what it
 * says, `signed` what the MAC is made of.
 */
export function macHeader({ access_token, mac_key }: MacToken, issuer: string, sent: Values = {}, signed: Values = {}) {
  const { hostname: host, port } = new URL(issuer);
  const attributes = {
    ...{ id: access_token, ts: Math.floor(Date.now() / 1000), nonce: randomBytes(12).toString('base64url') },
    ...sent,
  };
  const all: Values = { ext: '', method: 'GET', target: '/user', host, port, ...attributes, ...signed };
  const text = ['ts', 'nonce', 'method', 'target', 'host', 'port', 'ext'].map((name) => `${all[name]}\n`).join('');
  const mac = createHmac('sha256', String(all['key'] ?? mac_key))
    .update(text)
    .digest('base64');
  return `MAC ${Object.entries({ mac, ...attributes })
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`;
}
