import { appToSetUp } from '../../src/accounts/factors/change-factors.ts';
import { newRecoveryCodes } from '../../src/lib/recovery-codes.ts';
import type { Views } from '../../src/web/views/views.ts';
import { client, type Fixture, organizations, user } from './fixtures-flow.ts';

const signedIn = { viewer: user, csrf: 'csrf' };
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
const safari = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1';

const account: Views['account'] = {
  ...signedIn,
  profile: {
    made_from: 'made-from',
    action: '/account',
    is_new_address: false,
    is_unconfirmed: false,
    kept: [],
    verified_beside: 'alice@example.com',
    fields: [
      { name: 'name', value: 'Alice Liddell', type: 'text', maxlength: 200, autocomplete: 'name' },
      { name: 'email', value: 'alice@wonderland.example', type: 'email', maxlength: 254, autocomplete: 'email' },
    ],
  },
  notices: { made_from: 'made-from', wanted: true, action: '/account/notices' },
  unproved: { address: 'alice@wonderland.example', action: '/account/address', is_sent: true },
  proof: { by: 'password', code: true },
  delete_href: '/account/delete',
  export_href: '/account/export',
};

const security: Views['account-security'] = {
  ...signedIn,
  proof: { by: 'password', code: true },
  password: { action: '/account/password' },
  factor: {
    action: '/account/security',
    is_offered: true,
    is_on: true,
    has_app: true,
    is_demanded: false,
    recovery_codes: 8,
    proof: { by: 'session' },
  },
  passkeys: {
    is_elsewhere: false,
    is_full: false,
    rows: [
      {
        href: '/account/passkeys/p1',
        name: 'Firefox · Linux',
        created_at: new Date('2026-10-02T08:15:00Z'),
        last_used_at: minutesAgo(3000),
        last_used_agent: firefox,
        last_used_address: '192.0.2.7',
        user_verified: true,
        rp_id: 'id.example',
      },
      {
        href: '/account/passkeys/p2',
        name: 'The key on my ring',
        created_at: new Date('2025-10-02T08:15:00Z'),
        last_used_at: null,
        last_used_agent: null,
        last_used_address: null,
        user_verified: false,
        rp_id: 'old.example',
        other_host: 'old.example',
      },
    ],
    signals: { signalAllAcceptedCredentials: { rpId: 'localhost', userId: 'aWQ', allAcceptedCredentialIds: [] } },
    new_href: '/account/passkeys/new',
    new_key_href: '/account/passkeys/new-key',
    remove_password_href: '/account/password/remove',
  },
  identities: [
    {
      identity: 'i1',
      title: 'Acme & Söhne',
      works: true,
      label: 'alice@acme.example',
      linked_at: new Date('2026-10-02T08:15:00Z'),
      last_used_at: minutesAgo(3000),
    },
    {
      identity: 'i2',
      site: 'login.rabbit.example',
      works: false,
      label: 'alice',
      linked_at: new Date('2025-10-02T08:15:00Z'),
    },
  ],
  unlink_action: '/account/identities',
  connect: [{ title: 'GitHub', href: '/account/connect/github' }],
};

const sessions: Views['account-sessions'] = {
  ...signedIn,
  end_session_action: '/account/sessions',
  sessions: [
    {
      session: 's1',
      current: true,
      user_agent: firefox,
      address: '192.0.2.7',
      created_at: new Date('2026-11-02T08:15:00Z'),
      last_used_at: minutesAgo(0),
    },
    {
      session: 's2',
      current: false,
      user_agent: safari,
      address: '2001:db8::17',
      created_at: new Date('2026-10-28T19:40:00Z'),
      last_used_at: minutesAgo(190),
    },
  ],
};

const activity: Views['account-activity'] = {
  ...signedIn,
  has_password: true,
  paging: { next_href: '/account/activity?after=1763000000000000' },
  activity: [
    {
      at: new Date('2026-11-20T18:03:00Z'),
      activity: 'application_allowed',
      client,
      address: '192.0.2.7',
      not_me_href: '/account/not-me?event=1763000000000001',
    },
    {
      at: new Date('2026-11-20T17:59:00Z'),
      activity: 'passkey_added',
      passkey: 'Pixel 9',
      address: '192.0.2.7',
      not_me_href: '/account/not-me?event=1763000000000000',
    },
    {
      at: new Date('2026-11-19T07:31:00Z'),
      activity: 'sign_in_failed_code',
      address: '198.51.100.20',
      password_href: '/account/security#password',
    },
    {
      at: new Date('2026-11-14T21:10:00Z'),
      activity: 'refresh_token_reused',
      client: { name: 'Calendar Sync', vouched: true },
      client_href: '/account/applications/calendar-sync',
    },
    {
      at: new Date('2026-11-02T08:15:00Z'),
      activity: 'signed_in',
      methods: ['password', 'totp'],
      device: 'Firefox · Linux',
      address: '192.0.2.7',
    },
  ],
};

const deletion: Views['account-delete'] = {
  ...signedIn,
  action: '/account/delete',
  applications: ['Photo Printer', 'مطبعة'],
  more: true,
  audit_days: 400,
  is_last_administrator: false,
  proof: { by: 'password', code: true },
};

const brand = { name: 'Latchkey', logo_uri: undefined, color: undefined };
const ticketForm = { action: '/login', csrf: 'csrf', ticket: 'sealed' };

const grant = {
  client,
  once: false,
  silent: false,
  granted_at: new Date('2026-05-02T10:00:00Z'),
  last_used_at: minutesAgo(45),
};
const calendar = { ...client, client_id: 'calendar-sync', name: 'Calendar Sync', site_domain: 'calendar.example' };

const unvouched = { ...client, name: 'Web', site_domain: 'localhost', vouched: false };

const connected: Views['application'] = {
  ...signedIn,
  ...grant,
  action: '/account/applications/photo-printer',
  gives_username: false,
  resources: [],
  made_from: 'made-from',
  choices: [],
  revoke_action: '/account/applications/photo-printer/revoke',
  groups: [
    {
      name: 'user',
      permissions: [
        {
          scope: 'user:name',
          changes: false,
          sentence: '',
          required: true,
          granted: true,
          reason: 'We print your name on the parcel.',
        },
        { scope: 'user:email', changes: false, sentence: '', required: false, granted: false },
      ],
    },
    {
      name: 'repo',
      permissions: [
        {
          scope: 'repo:read',
          changes: false,
          sentence: '',
          required: false,
          granted: true,
          reason: 'We list your photo books.',
        },
      ],
    },
  ],
};

export const accountFixtures: Fixture[] = [
  { name: 'account', view: 'account', data: account },
  {
    name: 'account-new-address',
    view: 'account',
    status: 400,
    data: {
      ...account,
      profile: {
        ...account.profile,
        is_new_address: true,
        fields: account.profile.fields.map((field) =>
          field.name === 'email' ? { ...field, value: 'alice@rabbit.example' } : field,
        ),
      },
      problem: { name: 'wrong_old_password' },
    },
  },
  { name: 'account-security', view: 'account-security', data: security },
  {
    name: 'account-security-problem',
    view: 'account-security',
    status: 400,
    data: {
      ...security,
      passkeys: undefined,
      identities: [],
      connect: [],
      proof: { by: 'password', code: false },
      factor: { ...security.factor, is_on: false, proof: { by: 'password', code: false } },
      problem: { form: 'password', name: 'wrong_old_password' },
    },
  },
  { name: 'account-sessions', view: 'account-sessions', data: sessions },
  { name: 'account-activity', view: 'account-activity', data: activity },
  {
    name: 'account-connect',
    view: 'account-connect',
    data: {
      ...signedIn,
      action: '/account/connect/acme',
      title: 'Acme & Söhne',
      by_operator: false,
      proof: { by: 'password', code: true },
    },
  },
  {
    name: 'account-connect-operator',
    view: 'account-connect',
    data: {
      ...signedIn,
      action: '/account/connect/acme',
      title: 'Acme & Söhne',
      by_operator: true,
      proof: { by: 'password', code: false },
    },
  },
  {
    name: 'second-step',
    view: 'second-step',
    status: 401,
    data: {
      ...{
        ...ticketForm,
        username: 'alice',
        has_app: true,
        has_recovery_codes: true,
        trusted_days: 30,
        client: { name: 'Photo Printer', site_domain: 'printer.example', vouched: true },
        problem: { name: 'wrong_code' },
      },
      passkey: { challenge: 'c', allowCredentials: [] },
    },
  },
  {
    name: 'factor-setup',
    view: 'factor-setup',
    data: {
      ...ticketForm,
      ...appToSetUp({ deps: { config: { brand } } }, 'alice', Buffer.alloc(20, 7)),
      asked_by: 'application',
      client: { name: 'Photo Printer', site_domain: 'printer.example', vouched: true },
    },
  },
  {
    name: 'factor-setup-wrong',
    view: 'factor-setup',
    status: 400,
    data: {
      ...ticketForm,
      ...appToSetUp({ deps: { config: { brand } } }, 'alice', Buffer.alloc(20, 7)),
      asked_by: 'application',
      client: { name: 'Photo Printer', site_domain: 'printer.example', vouched: true },
      problem: { name: 'wrong_code' },
    },
  },
  {
    name: 'recovery-codes',
    view: 'recovery-codes',
    data: { ...signedIn, username: 'alice', codes: newRecoveryCodes(), next: ticketForm },
  },
  {
    name: 'account-export',
    view: 'account-export',
    status: 403,
    data: { ...signedIn, problem: 'sign_in_again', href: '/login?to=%2Faccount&fresh=1' },
  },
  {
    name: 'account-delete',
    view: 'account-delete',
    status: 400,
    data: { ...deletion, problem: { name: 'wrong_old_password' } },
  },
  {
    name: 'account-delete-elsewhere',
    view: 'account-delete',
    data: {
      ...deletion,
      proof: { by: 'sign_in', problem: 'sign_in_again', href: '/login?to=%2Faccount%2Fdelete&fresh=1' },
    },
  },
  {
    name: 'account-delete-last-administrator',
    view: 'account-delete',
    data: { ...deletion, applications: [], is_last_administrator: true },
  },
  {
    name: 'account-deleted',
    view: 'message',
    data: { signed_out: true, message: 'account_deleted', back: { href: '/', label: 'back.home' } },
  },
  {
    name: 'applications',
    view: 'applications',
    data: {
      ...signedIn,
      revoked: { name: 'Notes', vouched: true },
      paging: { next_href: '/account/applications?after=7' },
      applications: [
        {
          ...grant,
          revoke_action: '/account/applications/photo-printer/revoke',
          details_href: '/account/applications/photo-printer',
          permissions: [
            { scope: 'user:name', sentence: 'See your name and username' },
            { scope: 'repo:read', sentence: 'Read your repositories' },
          ],
        },
        {
          client: calendar,
          once: true,
          silent: false,
          granted_at: minutesAgo(10),
          expires_at: minutesAgo(-50),
          revoke_action: '/account/applications/calendar-sync/revoke',
          details_href: '/account/applications/calendar-sync',
          permissions: [{ scope: 'user:email', sentence: 'See your email address' }],
        },
        {
          ...grant,
          client: { ...client, client_id: 'intranet', name: 'Intranet', site_domain: 'intranet.example' },
          silent: true,
          revoke_action: '/account/applications/intranet/revoke',
          details_href: '/account/applications/intranet',
          permissions: [{ scope: 'user:name', sentence: 'See your name and username' }],
        },
      ],
    },
  },
  {
    name: 'applications-unvouched',
    view: 'applications',
    data: {
      ...signedIn,
      paging: {},
      applications: [{ ...grant, client: unvouched, revoke_action: '#', details_href: '#', permissions: [] }],
    },
  },
  { name: 'applications-none', view: 'applications', data: { ...signedIn, applications: [], paging: {} } },
  { name: 'application', view: 'application', data: connected },
  {
    name: 'application-choice',
    view: 'application',
    data: {
      ...connected,
      groups: [
        ...connected.groups,
        {
          name: 'org',
          sentence: 'Your organizations',
          permissions: [
            { scope: 'org:read', changes: false, sentence: 'See your organizations', required: false, granted: true },
          ],
        },
      ],
      choices: [organizations],
    },
  },
  { name: 'application-unvouched', view: 'application', data: { ...connected, client: unvouched } },
];
