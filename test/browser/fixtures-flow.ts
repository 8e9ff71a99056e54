import { languages } from '../../src/web/language.ts';
import type { Views } from '../../src/web/views/views.ts';

/** One page to look at: a view with data such as the endpoints would hand over. */
export type Fixture = {
  [View in keyof Views]: { name: string; view: View; data: Views[View]; status?: number; support_url?: string };
}[keyof Views];

export const client = {
  client_id: 'photo-printer',
  name: 'Photo Printer',
  site_domain: 'printer.example',
  homepage_uri: 'https://printer.example/',
  policy_uri: 'https://printer.example/privacy',
  tos_uri: 'https://printer.example/terms',
  created_at: new Date('2024-03-03T09:12:00Z'),
  vouched: true,
};
export const user = { username: 'alice', name: 'Alice Liddell', developer: true };

export const organizations: Views['consent']['choices'][number] = {
  name: 'organizations',
  scopes: ['org:read'],
  sentence: 'Which organizations may {application} see?',
  sentences: { de: 'Welche Organisationen darf {application} sehen?' },
  all_sentence: 'All my organizations, including future ones',
  all_sentences: {},
  many: true,
  all: false,
  is_empty: false,
  first: 1,
  chosen: [],
  values: [
    { value: '12', label: 'Acme Corporation', hint: 'free', checked: true },
    { value: '13', label: 'Bakery', hint: null, checked: false },
    { value: '14', label: 'Circus of the Sun', hint: 'paid, 300 members', checked: false },
  ],
};

const consent: Views['consent'] = {
  action: '/consent?client_id=photo-printer',
  csrf: 'csrf',
  ticket: 'ticket',
  made_from: 'made-from',
  languages: languages.map((one) => ({ ...one, action: `/consent?ui_locales=${one.language}` })),
  user,
  switch_action: '/logout?client_id=photo-printer',
  client,
  redirect_host: 'www.printer.example',
  remote_host: 'www.printer.example',
  new_hosts: [],
  is_public: false,
  gives_username: false,
  resources: [],
  more: 0,
  choices: [],
  is_choice_only: false,
  groups: [
    {
      name: 'user',
      permissions: [
        {
          scope: 'user:name',
          changes: false,
          sentence: 'See your name and username',
          required: true,
          reason: 'We print your name on the parcel.',
          checked: true,
          before: 'granted',
        },
        {
          scope: 'user:email',
          changes: false,
          sentence: 'See your email address',
          required: false,
          reason: 'We tell you when your prints are sent.',
          checked: true,
          before: 'granted',
        },
      ],
    },
    {
      name: 'repo',
      permissions: [
        { scope: 'repo:read', changes: false, sentence: 'Read', required: false, checked: true, before: 'granted' },
        {
          scope: 'repo:write',
          changes: true,
          sentence: 'Write',
          required: false,
          checked: false,
          before: 'refused',
        },
      ],
    },
  ],
};

/** A request of an application that the person does not know. */
const firstGroups = consent.groups.map(({ permissions, ...group }) => ({
  ...group,
  permissions: permissions.map((one) => ({ ...one, checked: true, before: undefined })),
}));
const withOrganizations: Views['consent']['groups'] = [
  ...firstGroups,
  {
    name: 'org',
    sentence: 'Your organizations',
    permissions: [
      { scope: 'org:read', changes: false, sentence: 'See your organizations', required: false, checked: true },
    ],
  },
];

const bidi = '\u202e';
const hostile = `<img src=x onerror=alert(1)>${bidi}elpmaxe.knab ${'Ω'.repeat(30)} 👩‍👩‍👧‍👦 Z${'\u0335\u0336\u0337'.repeat(40)} ${'x'.repeat(4000)}`;

const pieces = (...texts: string[]) => texts.map((text, at) => ({ text, differs: at % 2 === 1 }));
export const mismatch: Views['error']['mismatch'] & {} = {
  received: pieces('http', '', '://', 'www.', 'printer.example', ':8080', '/callback', '/'),
  registered: [
    { pieces: pieces('http', 's', '://printer.example/callback'), differs_in: ['scheme', 'host', 'port', 'slash'] },
    {
      pieces: pieces('http', 's', '://printer.example/', 'oauth/return'),
      differs_in: ['scheme', 'host', 'port', 'path'],
    },
  ],
};

const fivePermissions: Views['consent']['groups'] = [
  {
    name: 'user',
    permissions: [
      ...(consent.groups[0]?.permissions ?? []),
      { scope: 'user:write', changes: true, sentence: 'Change your name', required: false, checked: true },
    ],
  },
  ...consent.groups.slice(1),
];

export const flowFixtures: Fixture[] = [
  {
    name: 'login',
    view: 'login',
    data: {
      action: '/login',
      csrf: 'csrf',
      has_passwords: true,
      forgot: '/forgot-password',
      providers: [],
      username: '',
      client,
    },
  },
  {
    name: 'login-wrong',
    view: 'login',
    status: 401,
    data: {
      action: '/login',
      csrf: 'csrf',
      has_passwords: true,
      providers: [],
      username: 'alice',
      client,
      problem: 'wrong_credentials',
    },
  },
  {
    name: 'login-wait',
    view: 'login',
    status: 429,
    data: {
      action: '/login',
      csrf: 'csrf',
      has_passwords: true,
      providers: [],
      username: 'alice',
      problem: 'too_many_attempts',
      wait_minutes: 5,
    },
  },
  {
    name: 'login-again',
    view: 'login',
    data: {
      action: '/login',
      csrf: 'csrf',
      has_passwords: true,
      providers: [],
      username: 'alice',
      client,
      again: true,
    },
  },
  {
    name: 'login-step-up',
    view: 'login',
    data: {
      action: '/login',
      csrf: 'csrf',
      has_passwords: true,
      providers: [],
      username: 'alice',
      client,
      again: true,
      step_up: true,
    },
  },
  {
    name: 'login-choose',
    view: 'login',
    data: { action: '/login', csrf: 'csrf', has_passwords: true, providers: [], username: '', client, account: user },
  },
  {
    name: 'login-unknown',
    view: 'login',
    data: {
      action: '/login',
      csrf: 'csrf',
      has_passwords: true,
      providers: [],
      username: '',
      client: { ...client, vouched: false },
    },
  },
  {
    name: 'login-providers',
    view: 'login',
    data: {
      action: '/login',
      csrf: 'csrf',
      username: '',
      client,
      has_passwords: true,
      providers: [
        { name: 'acme', title: 'Acme & Söhne' },
        { name: 'github', title: 'GitHub' },
      ],
    },
  },
  {
    name: 'login-website',
    view: 'login',
    data: {
      ...{ action: '/login', csrf: 'csrf', username: '', client },
      ...{ has_passwords: true, website: 'www.provider.example', providers: [] },
    },
  },
  {
    name: 'demo-website',
    view: 'demo-website',
    data: {
      csrf: 'csrf',
      people: [
        { sub: 'demo-dora', name: 'Dora Marquez' },
        { sub: 'demo-emil', name: 'Emil Novak' },
      ],
      request: '{\n  "iss": "http://localhost:3000",\n  "client_name": "Photo Printer"\n}',
    },
  },
  {
    name: 'sign-in-elsewhere',
    view: 'message',
    status: 400,
    data: { message: 'elsewhere_unknown', signed_out: true, back: { href: '/', label: 'back.home' } },
  },
  {
    name: 'sign-in-stopped',
    view: 'sign-in-stopped',
    status: 403,
    data: {
      problem: 'no_account',
      provider: 'Acme & Söhne',
      retry: { href: '/login?again=1', label: 'stopped.back_to_sign_in' },
      request_id: '3f2a9c-1b',
    },
  },
  { name: 'consent', view: 'consent', data: consent },
  {
    name: 'consent-unknown',
    view: 'consent',
    data: {
      ...consent,
      client: { ...client, name: 'Photo Printer (verified by Latchkey)', vouched: false },
      is_public: true,
      redirect_host: 'accounts.printer.example.secure-sign-in-with-your-latchkey-account.evil.example',
      remote_host: 'accounts.printer.example.secure-sign-in-with-your-latchkey-account.evil.example',
      changed: { renamed_from: 'Free Wallpapers', has_new_address: true },
      new_hosts: ['accounts.printer.example.secure-sign-in-with-your-latchkey-account.evil.example'],
      more: 1,
      groups: [
        {
          name: 'repo',
          heading: 'consent.new_ones',
          permissions: [
            { scope: 'repo:write', changes: true, sentence: 'Write', required: false, checked: true, is_new: true },
          ],
        },
        ...consent.groups.map(({ permissions, ...group }, at) => ({
          ...group,
          ...(at === 0 && { heading: 'consent.decided' as const }),
          permissions: permissions
            .filter(({ scope }) => scope !== 'repo:write')
            .map((one) => ({ ...one, before: 'granted' as const })),
        })),
      ],
    },
  },
  {
    name: 'consent-document',
    view: 'consent',
    data: {
      ...consent,
      client: { ...client, vouched: false },
      is_public: true,
      redirect_host: '127.0.0.1:4711',
      remote_host: undefined,
      groups: firstGroups,
      document_host: 'accounts.printer.example.secure-sign-in-with-your-latchkey-account.evil.example',
    },
  },
  {
    name: 'consent-changed',
    view: 'consent',
    data: {
      ...consent,
      changed: { renamed_from: 'Foto Express', has_new_address: false },
      duration: '30d',
      groups: consent.groups.map(({ permissions, ...group }) => ({
        ...group,
        permissions: permissions.map((one) => ({
          ...one,
          before: one.checked ? ('granted' as const) : ('refused' as const),
        })),
      })),
    },
  },
  {
    name: 'consent-five',
    view: 'consent',
    data: {
      ...consent,
      groups: fivePermissions,
    },
  },
  {
    name: 'consent-choice',
    view: 'consent',
    data: { ...consent, groups: withOrganizations, choices: [organizations] },
  },
  {
    name: 'consent-choice-long',
    view: 'consent',
    data: {
      ...consent,
      groups: firstGroups,
      choices: [
        {
          ...organizations,
          chosen: [{ value: '900', label: 'Zebra Crossing Ltd', hint: null }],
          values: Array.from({ length: 20 }, (_, at) => ({
            value: `v${at}`,
            label: `Organization ${at + 51}`,
            hint: at % 3 === 0 ? 'free' : null,
            checked: at === 3,
          })),
          search: 'organization',
          first: 51,
          previous: 1,
          next: 3,
        },
      ],
    },
  },
  {
    name: 'consent-choice-kinds',
    view: 'consent',
    data: {
      ...consent,
      more: 3,
      groups: [
        {
          name: 'media',
          heading: 'consent.new_ones',
          sentence: 'Your calendars, albums and shops',
          permissions: [
            { scope: 'calendar:read', sentence: 'See one calendar', checked: true },
            { scope: 'album:read', sentence: 'See your albums', checked: true },
            { scope: 'shop:read', sentence: 'See your shops', checked: false },
          ].map((one) => ({ ...one, changes: false, required: false, is_new: true })),
        },
        ...consent.groups.map((group, at) => ({ ...group, ...(at === 0 && { heading: 'consent.decided' as const }) })),
      ],
      choices: [
        {
          ...organizations,
          name: 'calendar',
          scopes: ['calendar:read'],
          sentence: 'Which calendar may {application} see?',
          values: [
            { value: '1', label: 'Home', hint: null, checked: true },
            { value: '2', label: 'Work', hint: 'shared with 12 people', checked: false },
            { value: '3', label: 'Birthdays', hint: null, checked: false },
          ],
          many: false,
          all: undefined,
        },
        {
          ...organizations,
          name: 'albums',
          scopes: ['album:read'],
          sentence: 'Which albums may {application} see?',
          values: [],
          all: undefined,
          only: { value: '7', label: 'Summer in Wonderland', hint: '12 pictures' },
        },
        {
          ...organizations,
          name: 'shops',
          scopes: ['shop:read'],
          sentence: 'Which shops may {application} see?',
          values: [],
          all: undefined,
          is_empty: true,
        },
      ],
    },
  },
  {
    name: 'consent-choice-only',
    view: 'consent',
    data: {
      ...consent,
      groups: withOrganizations,
      is_choice_only: true,
      choices: [organizations],
    },
  },
  {
    name: 'consent-local',
    view: 'consent',
    data: {
      ...consent,
      client: { ...client, name: 'Notes', vouched: false },
      is_public: true,
      redirect_host: 'localhost:5173',
      remote_host: undefined,
      groups: fivePermissions,
    },
  },
  {
    name: 'consent-more',
    view: 'consent',
    data: {
      ...consent,
      is_public: true,
      redirect_host: undefined,
      remote_host: undefined,
      resources: ['https://photos.example/api/v1'],
      more: 2,
      duration: '30d',
      groups: [
        {
          heading: 'consent.new_ones',
          name: 'user:write',
          permissions: [
            { scope: 'user:write', changes: true, sentence: 'Change', required: false, checked: true, is_new: true },
          ],
        },
        {
          name: 'repo',
          permissions: [
            {
              scope: 'repo:write',
              changes: true,
              sentence: 'Write',
              required: false,
              checked: true,
              is_new: true,
              reason: 'We save the order of your prints.',
            },
          ],
        },
        {
          heading: 'consent.decided',
          name: 'repo',
          permissions: [
            {
              scope: 'repo:read',
              changes: false,
              sentence: 'Read',
              required: false,
              checked: true,
              before: 'granted',
            },
          ],
        },
      ],
    },
  },
  {
    name: 'consent-hostile',
    view: 'consent',
    data: {
      ...consent,
      user: { username: 'alice', name: `Alice ${hostile}` },
      client: { ...client, name: hostile, site_domain: `${'a'.repeat(60)}.${'b'.repeat(60)}.example` },
      is_public: true,
      changed: { renamed_from: '', has_new_address: false },
      problem: 'required_missing',
      redirect_host: `${'long-label-'.repeat(5)}.${'b'.repeat(60)}.printer.co.uk:8443`,
      resources: [`https://${'a'.repeat(60)}.${'b'.repeat(60)}.example/${'x'.repeat(350)}`, 'https://latchkey.example'],
      groups: [
        {
          name: 'user',
          permissions: [
            { scope: 'x:y', changes: false, sentence: `Do ${hostile}`, required: true, reason: hostile, checked: true },
          ],
        },
      ],
    },
  },
  {
    name: 'error',
    view: 'error',
    status: 400,
    data: {
      code: 'invalid_client',
      description: 'client_id names no application registered here',
      client_id: 'photo-printer-dev',
      request_id: 'f3a1c0de-77b2',
      not_redirected: true,
      is_passing: false,
      is_for_another: false,
      viewer: user,
      csrf: 'csrf',
    },
  },
  {
    name: 'error-own-disabled',
    view: 'error',
    status: 400,
    data: {
      code: 'invalid_client',
      description: 'The application is disabled.',
      request_id: 'f3a1c0de-77b2',
      not_redirected: true,
      is_passing: false,
      is_for_another: false,
      own_disabled: { name: 'Photo Printer', href: '/developer/applications/photo-printer', may_enable: true },
      viewer: user,
      csrf: 'csrf',
    },
  },
  {
    name: 'error-mismatch',
    view: 'error',
    status: 400,
    data: {
      code: 'invalid_request',
      description: 'The redirect_uri is not registered for this client.',
      request_id: 'f3a1c0de-77b2',
      not_redirected: true,
      is_passing: false,
      is_for_another: false,
      own_redirects_href: '/developer/applications/photo-printer/registration',
      mismatch,
    },
  },
  {
    name: 'error-server',
    view: 'error',
    status: 500,
    data: {
      code: 'server_error',
      description: 'an unexpected error occurred; search the server log for the request ID',
      request_id: 'f3a1c0de-77b2',
      not_redirected: false,
      is_passing: true,
      is_for_another: false,
    },
  },
  {
    name: 'leaving',
    view: 'leaving',
    status: 400,
    data: {
      signed_out: true,
      client,
      answer: { href: 'https://www.printer.example/callback?error=invalid_scope' },
      host: 'www.printer.example',
      code: 'invalid_scope',
      description: 'scope is not registered for this client: repo:write',
      request_id: 'f3a1c0de-77b2',
    },
  },
  {
    name: 'leaving-form',
    view: 'leaving',
    status: 400,
    data: {
      signed_out: true,
      client,
      answer: { action: 'https://www.printer.example/callback', fields: [{ name: 'error', value: 'invalid_scope' }] },
      host: 'www.printer.example',
      code: 'invalid_scope',
      description: 'scope is not registered for this client: repo:write',
      request_id: 'f3a1c0de-77b2',
    },
  },
  {
    name: 'form-post',
    view: 'form-post',
    data: {
      answer: { action: 'https://www.printer.example/callback', fields: [{ name: 'code', value: 'lk_ac_x' }] },
      host: 'www.printer.example',
    },
  },
  {
    name: 'home',
    view: 'home',
    support_url: 'https://help.example/',
    data: { signed_out: true, offers_sign_up: true },
  },
  {
    name: 'home-signed-in',
    view: 'home',
    data: {
      viewer: { ...user, admin: true },
      csrf: 'csrf',
      offers_sign_up: false,
      notice: 'passkey_saved',
      state: { second_factor: true, sessions: 3, applications: 2, has_more: false },
    },
  },
  {
    name: 'home-offer',
    view: 'home',
    data: {
      viewer: user,
      csrf: 'csrf',
      offers_sign_up: false,
      offer: {
        action: '/account/passkeys/offer',
        new_href: '/account/passkeys/new',
        options: { challenge: 'Y2hhbGxlbmdl', user: { id: 'aWQ' } },
      },
      state: { second_factor: false, sessions: 1, applications: 0, has_more: false },
    },
  },
  { name: 'signed-out', view: 'signed-out', data: {} },
  {
    name: 'session-ended',
    view: 'session-ended',
    data: { action: '/developer/applications/photo-printer', kept: 'c2VhbGVk', sign_in_href: '/login?to=/account' },
  },
  {
    name: 'message',
    view: 'message',
    data: {
      ...{ viewer: user, csrf: 'csrf', message: 'registration_off' },
      more: { href: '/developer/register', label: 'message.registration_off.how' },
      back: { href: '/account', label: 'back.account' },
    },
  },
  {
    name: 'error-explained',
    view: 'error-explained',
    data: { code: 'invalid_grant', codes: ['invalid_request', 'invalid_client', 'invalid_grant', 'invalid_scope'] },
  },
];
