import type { AdminEvent, AdminGrant, AdminNavigation, AdminPart } from '../../src/admin/admin.view.ts';
import { searchedEvents } from '../../src/audit/audit-restrictions.ts';
import { type PeopleList, peopleLists } from '../../src/identity/people-lists.sql.ts';
import type { Views } from '../../src/web/views/views.ts';
import { type Fixture, user } from './fixtures-flow.ts';

const partsOf = (current: AdminPart): AdminNavigation =>
  (['people', 'applications', 'scopes', 'resources', 'grants', 'events', 'health', 'charts'] as const).map((part) => {
    return { part, href: `/admin/${part}`, is_current: part === current };
  });

export const adminPage = (part: AdminPart) => ({
  viewer: { ...user, admin: true },
  csrf: 'csrf',
  parts: partsOf(part),
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

const grants: AdminGrant[] = [
  {
    user_id: 7,
    username: 'bob',
    person_href: '/admin/people/7',
    client_id: 'photo-printer',
    name: 'Photo Printer',
    vouched: true,
    client_href: '/admin/applications/photo-printer',
    scopes: ['user:name', 'user:email'],
    granted_at: new Date('2026-10-02T08:15:00Z'),
    last_used_at: new Date('2026-11-02T08:15:00Z'),
  },
  {
    user_id: 7,
    username: 'bob',
    person_href: '/admin/people/7',
    client_id: 'lk_c_7Yw0aVd2Rk4',
    name: 'Holiday Album',
    vouched: false,
    client_href: '/admin/applications/lk_c_7Yw0aVd2Rk4',
    scopes: ['user:name', 'albums:read', 'albums:write'],
    granted_at: new Date('2026-09-14T11:02:00Z'),
  },
];

const periodLinks = (chosen?: string) =>
  ([undefined, 'day', 'week', 'month'] as const).map((period) => {
    return { period, href: `/admin/events?since=${period ?? ''}`, is_current: period === chosen };
  });

const events: AdminEvent[] = [
  {
    at: new Date('2026-11-02T08:15:00Z'),
    event: 'user_disabled',
    username: 'bob',
    person_href: '/admin/people/7',
    request_id: '4f1d2b1a',
    address: '192.0.2.7',
    by: 'root',
  },
  {
    at: new Date('2026-11-01T08:15:00Z'),
    event: 'sign_in_refused',
    username: '12',
    client_id: 'photo-printer',
    client_href: '/admin/applications/photo-printer',
    request_id: '4f1d2b1b',
    address: '2001:db8::17',
    detail: 'wrong password',
  },
];

const eventsOfBob: AdminEvent[] = [
  ...events.slice(0, 1),
  ...(
    [
      ['sessions_ended', '4f1d2b1a', { by: 'root' }],
      ['sign_in_refused', '7c02a9e4', { address: '2001:db8::17', detail: 'wrong password' }],
      ['consent_given', '51ab80c3', { client_id: 'photo-printer', client_href: '/admin/applications/photo-printer' }],
      ['signed_in', '51ab80c2', {}],
      ['passkey_added', '0b7de155', { detail: 'Phone' }],
    ] as const
  ).map(([event, request_id, more], at) => {
    const time = new Date(Date.UTC(2026, 10, 2 - at, 8, 14, 31 - 7 * at));
    return {
      at: time,
      event,
      username: 'bob',
      person_href: '/admin/people/7',
      address: '192.0.2.7',
      request_id,
      ...more,
    };
  }),
];

const filter = {
  q: '',
  user: 'bob',
  by: '',
  client: '',
  event: '',
  address: '',
  request: '',
  since: '2026-11-01',
  until: '',
};

const lists = (current?: PeopleList) =>
  peopleLists.map((name) => ({ name, href: `/admin/people?list=${name}`, is_current: name === current }));

const newPerson = {
  ...adminPage('people'),
  action: '/admin/people/new',
  made_from: 'made-from',
  invites: true,
  is_mailed: true,
  typed: { address: '', username: '', name: '', email: '' },
};

const person: Views['admin-person'] = {
  ...adminPage('people'),
  action: '/admin/people/7',
  username: 'bob',
  sub: '7',
  source: 'here',
  created_at: new Date('2025-10-02T08:15:00Z'),
  known: 'Bob Liddell · bob@example.com',
  stored_email: 'bob@example.com',
  name: 'Bob Liddell',
  email: 'bob@example.com',
  email_verified: true,
  vouched: true,
  kept: [],
  made_from: 'made-from',
  is_admin: true,
  disabled: false,
  has_password: true,
  second_factor: 'app',
  passkeys: [
    { name: 'Phone', created_at: new Date('2026-03-12T08:15:00Z'), last_used_at: minutesAgo(4000), only_second: false },
    { name: 'Key ring', created_at: new Date('2026-10-05T08:15:00Z'), only_second: true },
  ],
  last_seen: { used_at: minutesAgo(2) },
  identities: [
    {
      issuer: 'https://accounts.example',
      subject: '1234',
      title: 'Example',
      label: 'bob@accounts.example',
      linked_at: new Date('2026-10-02T08:15:00Z'),
      last_used_at: undefined,
    },
  ],
  lock: { attempts: 7, until: minutesAgo(-11) },
  sessions: [
    {
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
      session: '1f5f5b2a00112233',
      address: '192.0.2.7',
      created_at: minutesAgo(95),
      last_used_at: minutesAgo(2),
    },
    {
      user_agent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
      session: 'c0ffee0044556677',
      address: '2001:db8:85a3::8a2e:370:7334',
      created_at: minutesAgo(310),
      last_used_at: minutesAgo(21),
    },
  ],
  grants: grants.slice(0, 1),
  grants_href: '/admin/grants?user=bob',
  looks_after: [
    {
      client_id: 'photo-wall',
      name: 'Photo Wall',
      vouched: true,
      href: '/admin/applications/photo-wall',
      disabled: true,
    },
  ],
  looks_after_href: '/admin/applications?find=bob',
  events: [
    {
      at: minutesAgo(95),
      event: 'signed_in',
      username: 'bob',
      person_href: '/admin/people/7',
      request_id: '4f1d2b1a',
      address: '192.0.2.7',
    },
  ],
  events_href: '/admin/events?user=bob',
  links_when_enabled: false,
  asks: ['make_admin', 'unmake_admin', 'reset_factors', 'revoke_grants', 'disable'],
  actions: [
    'unlock',
    'mail_link',
    'show_link',
    'end_sessions',
    'revoke_grants',
    'reset_factors',
    'unmake_admin',
    'disable',
    'change',
  ],
};

export const adminFixtures: Fixture[] = [
  {
    name: 'admin-events-words',
    view: 'admin-events',
    status: 400,
    data: {
      ...adminPage('events'),
      action: '/admin/events',
      export_action: '/admin/events/export',
      typed: { ...filter, q: 'adda revoked yesterday', user: '', since: '' },
      filters: [],
      periods: [],
      leaves_out_routine: false,
      event_names: searchedEvents,
      events: [],
      paging: {},
      follow_href: '/admin/events?follow=1',
      follows: false,
      unknown_word: 'adda',
    },
  },
  {
    name: 'admin-people-newest',
    view: 'admin-people',
    data: {
      ...adminPage('people'),
      action: '/admin/people',
      add_href: '/admin/people/new',
      typed: '',
      lists: lists('newest'),
      more: false,
      paging: { next_href: '/admin/people?after=7' },
      people: ['Ada Lovelace', 'Bob Liddell', 'Carol', 'Dan', 'Eve'].map((name, at) => ({
        href: `/admin/people/${at}`,
        username: name.split(' ')[0]?.toLowerCase() ?? '',
        name,
        email: at === 3 ? undefined : `${name[0]}@example.com`.toLowerCase(),
        email_verified: at !== 2,
        is_admin: at === 0,
        created_at: new Date(Date.UTC(2026, 10, 20 - at)),
        seen_on: new Date(Date.UTC(2026, 10, 27 - 2 * at)),
        disabled: at === 4,
      })),
    },
  },
  { name: 'admin-person-new', view: 'admin-person-new', data: newPerson },
  {
    name: 'admin-person-new-link',
    view: 'admin-person-new',
    data: {
      ...newPerson,
      is_mailed: false,
      invited: 'ada@example.com',
      url: 'https://id.example/sign-up/finish?token=lk_ml_0123456789',
    },
  },
  {
    name: 'admin-person-new-refused',
    view: 'admin-person-new',
    status: 409,
    data: {
      ...newPerson,
      invites: false,
      problem: 'name_taken',
      typed: { address: '', username: 'ada', name: 'Ada', email: 'ada@example.com' },
    },
  },
  {
    name: 'admin-people',
    view: 'admin-people',
    data: {
      ...adminPage('people'),
      action: '/admin/people',
      add_href: '/admin/people/new',
      typed: 'bo',
      lists: lists(),
      more: false,
      paging: { next_href: '/admin/people?find=bo&show=100' },
      people: ['Bob Liddell', 'Bo Andersson', 'Bonnie Clark', 'Deborah Bo'].map((name, at) => ({
        href: `/admin/people/${7 + at}`,
        username: name.split(' ')[0]?.toLowerCase() ?? '',
        name,
        email: `${name.split(' ')[0]}@example.com`.toLowerCase(),
        email_verified: at !== 0,
        is_admin: at === 0,
        created_at: new Date(Date.UTC(2025, 9 + at, 2 + 5 * at)),
        seen_on: new Date(Date.UTC(2026, 10 - at, 26 - 4 * at)),
        disabled: at === 0 || at === 2,
      })),
    },
  },
  {
    name: 'admin-people-none',
    view: 'admin-people',
    data: {
      ...adminPage('people'),
      action: '/admin/people',
      add_href: '/admin/people/new',
      typed: 'x',
      lists: lists(),
      more: false,
      paging: {},
      people: [],
    },
  },
  {
    name: 'admin-person',
    view: 'admin-person',
    data: person,
  },
  {
    name: 'admin-person-link',
    view: 'admin-person',
    data: {
      ...person,
      ...{ is_admin: false, has_password: false, second_factor: 'none', passkeys: [], identities: [] },
      ...{
        lock: { attempts: 0 },
        sessions: [],
        last_seen: { seen_on: new Date('2026-10-30') },
        grants: [],
        looks_after: [],
      },
      actions: ['show_link', 'make_admin', 'disable', 'change'],
      reset_url: 'https://id.example/reset-password?token=lk_ml_9mKc2Vt0xQy7Rb4Zs1Ue8Hd3Lw6Pn5',
    },
  },
  {
    name: 'admin-person-refused',
    view: 'admin-person',
    status: 400,
    data: {
      ...person,
      pending_email: 'bob@new.example',
      disabled: true,
      disabled_at: new Date('2026-11-02T08:15:00Z'),
      links_when_enabled: true,
      actions: ['change', 'revoke_grants', 'reset_factors', 'unmake_admin', 'enable'],
      sessions: [],
      last_seen: { seen_on: new Date('2026-10-30') },
      lock: { attempts: 0 },
      events: events.slice(0, 1),
      email: 'ada@example.com',
      problem: 'address_in_use',
      other: { href: '/admin/people/3', username: 'ada' },
    },
  },
  {
    name: 'admin-grants',
    view: 'admin-grants',
    data: {
      ...adminPage('grants'),
      action: '/admin/grants',
      typed: { user: 'bob', client: '' },
      grants,
      paging: { next_href: '/admin/grants?user=bob&after=7' },
      revoked: { username: 'bob', client: { name: 'Photo Wall', vouched: true } },
    },
  },
  {
    name: 'admin-grants-token',
    view: 'admin-grants',
    data: {
      ...adminPage('grants'),
      action: '/admin/grants',
      typed: { user: '', client: '' },
      grants: grants.slice(0, 1),
      paging: {},
      of: {
        username: 'bob',
        person_href: '/admin/people/7',
        client_id: 'photo-printer',
        client: { name: 'Photo Printer', vouched: true },
        client_href: '/admin/applications/photo-printer',
        scopes: ['user:name', 'user:email'],
        resources: ['https://id.example'],
      },
      history: {
        kind: 'access_token',
        alive: true,
        ends_at: new Date('2026-12-02T08:15:00Z'),
        events: [{ at: new Date('2026-11-02T08:15:00Z'), event: 'issued' }],
      },
      key: 'a1'.repeat(39),
    },
  },
  {
    name: 'admin-events',
    view: 'admin-events',
    data: {
      ...adminPage('events'),
      action: '/admin/events',
      export_action: '/admin/events/export',
      typed: { ...filter, since: '30d' },
      filters: [
        { name: 'user', value: 'bob', href: '/admin/events?since=30d' },
        { name: 'since', value: '30d', period: 'month', href: '/admin/events?user=bob' },
      ],
      periods: periodLinks('month'),
      leaves_out_routine: true,
      event_names: searchedEvents,
      events: eventsOfBob,
      paging: {},
      follow_href: '/admin/events?user=bob&since=30d&follow=1',
      follows: false,
    },
  },
];
