import { client, type Fixture, user } from './fixtures-flow.ts';

const proving = { viewer: user, csrf: 'csrf', proof: { by: 'password', code: false } as const };
const challenge = 'Y2hhbGxlbmdl';

export const passkeyFixtures: Fixture[] = [
  {
    name: 'login-passkey',
    view: 'login',
    status: 401,
    data: {
      action: '/login',
      csrf: 'csrf',
      has_passwords: true,
      providers: [],
      username: '',
      client,
      problem: 'passkey_refused',
      passkey: { challenge, rpId: 'localhost' },
      signals: { signalUnknownCredential: { rpId: 'localhost', credentialId: 'aWQ' } },
    },
  },
  {
    name: 'passkey-new',
    view: 'passkey-new',
    data: { ...proving, action: '/account/passkeys/new', is_key: false, suggested_name: 'Firefox · Linux' },
  },
  {
    name: 'passkey-new-proven',
    view: 'passkey-new',
    data: {
      ...proving,
      action: '/account/passkeys/new-key',
      is_key: true,
      suggested_name: 'Firefox · Linux',
      options: { challenge, user: { id: 'aWQ' } },
    },
  },
  {
    name: 'passkey',
    view: 'passkey',
    status: 409,
    data: {
      ...proving,
      action: '/account/passkeys/p1',
      href: '/account/passkeys/p1',
      name: 'Firefox · Linux',
      created_at: new Date('2026-10-02T08:15:00Z'),
      last_used_at: new Date(Date.now() - 50 * 3600_000),
      last_used_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
      last_used_address: '192.0.2.7',
      user_verified: true,
      rp_id: 'id.example',
      problem: { name: 'only_factor' },
    },
  },
  {
    name: 'password-remove',
    view: 'password-remove',
    status: 400,
    data: { ...proving, action: '/account/password/remove', problem: { name: 'wrong_old_password' } },
  },
  {
    name: 'password-set',
    view: 'password-set',
    status: 400,
    data: {
      ...proving,
      proof: { by: 'session' },
      action: '/account/password/set',
      problem: { name: 'password_too_short' },
    },
  },
];
