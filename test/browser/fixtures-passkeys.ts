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
      name: 'Firefox · Linux',
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
