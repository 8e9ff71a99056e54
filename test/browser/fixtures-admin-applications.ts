import { drawChart, ticksOf } from '../../src/admin/charts.ts';
import type { Views } from '../../src/web/views/views.ts';
import { adminPage as page } from './fixtures-admin.ts';
import { client, type Fixture, mismatch } from './fixtures-flow.ts';

const at = new Date('2026-11-20T18:03:00Z');
const bannedAt = new Date('2026-11-24T09:12:00Z');
const steps = Array.from({ length: 24 }, (_, step) => new Date(Date.UTC(2026, 10, 20, 18 + step)));

const application: Views['admin-application'] = {
  ...page('applications'),
  client,
  back_href: '/admin/applications',
  console_href: '/developer/applications/photo-printer',
  action: '/admin/applications/photo-printer',
  disabled: false,
  disabled_at: undefined,
  ban: undefined,
  other_ban: undefined,
  may_ban: true,
  owner: 'ada',
  owner_href: '/admin/people/3',
  grants_href: '/admin/grants?client=photo-printer',
  events_href: '/admin/events?client=photo-printer',
  redirect_uris: ['https://printer.example/callback', 'https://printer.example/oauth/return'],
  scopes: ['user:name', 'user:email', 'albums:read'],
  may_ask_for_more: false,
  origin: 'console',
  seeded: { origin: 'console', seed: null, drift: [] },
  people: 12,
  has_more_people: false,
  secrets: [
    { handle: '1f5f5b2a', created_at: at, last_used_at: undefined, is_in_use: false },
    { handle: 'c0ffee00', created_at: client.created_at, last_used_at: new Date(), is_in_use: true },
  ],
  ticket: 'a-ticket',
  last_used_at: new Date(),
  tokens_not_before: undefined,
  refusals: {
    action: '/admin/applications/photo-printer',
    request_id: undefined,
    paging: { next_href: '/admin/applications/photo-printer?after=7#refusals' },
    rows: [
      {
        at,
        client: undefined,
        request_id: 'f3a1c0de77b2-3k',
        times: 12,
        request: 'GET /authorize',
        error: 'invalid_request',
        is_explained: true,
        reason: 'redirect_uri not registered',
        mismatch: { ...mismatch, registered: mismatch.registered.slice(0, 1) },
      },
    ],
  },
  notice: 'tokens_revoked',
};

export const adminApplicationFixtures: Fixture[] = [
  {
    name: 'admin-applications',
    view: 'admin-applications',
    data: {
      ...page('applications'),
      action: '/admin/applications',
      typed: 'photo',
      new_href: '/developer/applications/new',
      applications: [
        { ...client, href: '/admin/applications/photo-printer', disabled: false, owner: 'ada', last_used_at: at },
        {
          ...client,
          client_id: 'photo-wall',
          name: 'Photo Wall',
          site_domain: 'wall.example',
          vouched: false,
          href: '/admin/applications/photo-wall',
          disabled: true,
          owner: undefined,
          last_used_at: undefined,
        },
      ],
      has_more: true,
      paging: {},
    },
  },
  {
    name: 'admin-applications-newest',
    view: 'admin-applications',
    data: {
      ...page('applications'),
      action: '/admin/applications',
      typed: '',
      new_href: '/developer/applications/new',
      applications: [
        { ...client, href: '/admin/applications/photo-printer', disabled: false, owner: 'ada', last_used_at: at },
      ],
      has_more: false,
      paging: { next_href: '/admin/applications?after=x' },
    },
  },
  { name: 'admin-application', view: 'admin-application', data: application },
  {
    name: 'admin-application-banned',
    view: 'admin-application',
    data: {
      ...application,
      client: { ...client, vouched: false },
      disabled: true,
      disabled_at: bannedAt,
      last_used_at: bannedAt,
      ban: {
        ...{ site: 'printer.example', at: bannedAt, by: 'ada', is_cause: true },
        event_href: '/admin/events?request=f3a1c0de77b2-9q',
      },
      notice: undefined,
      owner: undefined,
      may_ask_for_more: true,
      origin: 'application',
      seeded: { origin: 'application', seed: null, drift: [] },
      has_more_people: true,
      people: 10_000,
      tokens_not_before: at,
      secrets: [
        { handle: '1f5f5b2a', created_at: at, last_used_at: bannedAt, is_in_use: true },
        {
          handle: 'c0ffee00',
          created_at: client.created_at,
          last_used_at: new Date('2026-09-02T06:10:00Z'),
          is_in_use: false,
        },
      ],
      refusals: { rows: [], action: '/admin/applications/photo-printer', request_id: undefined, paging: {} },
    },
  },
  {
    name: 'admin-application-owner-refused',
    view: 'admin-application',
    status: 400,
    data: { ...application, notice: undefined, typed_owner: 'bobb', owner_problem: 'no_such_owner' },
  },
  {
    name: 'admin-application-secret',
    view: 'admin-application',
    data: {
      ...application,
      notice: undefined,
      new_secret: 'lk_cs_Zq3xT7bYk1Vd8RmPw5Ns0HcJu2Lf9Ge4',
      secrets: application.secrets.map((secret, nth) => (nth === 0 ? { ...secret, created_at: new Date() } : secret)),
    },
  },
  {
    name: 'admin-health',
    view: 'admin-health',
    data: {
      ...page('health'),
      checked_at: at,
      check_href: '/admin/health',
      findings: [
        {
          severity: 'error',
          check: 'database_fsync',
          what: 'a crash of the machine can destroy the whole database',
          value: 'fsync = off',
          change: 'alter system set fsync = on; select pg_reload_conf();',
        },
        {
          severity: 'warning',
          check: 'mail_waiting',
          what: 'emails are not being delivered; the server retries each one for a day',
          value: '3 emails are waiting, the oldest for 6 hours: the mail server did not answer',
          change:
            'correct SMTP_URL or the mail server, restart the server processes, then test: latchkey doctor --mail ADDRESS',
        },
        {
          severity: 'note',
          check: 'session_secret_missing',
          what: 'the secret that signs cookies is stored in the database, and so in every backup of it',
          value: 'SESSION_SECRET is not set',
          change:
            '1. print the stored secret, OLD: latchkey keys session-secret 2. make a new secret, NEW: openssl rand -hex 32 3. set SESSION_SECRET=NEW,OLD for every server process, then restart them 4. two hours later, set SESSION_SECRET=NEW and restart them again',
        },
      ],
      counts: { error: 1, warning: 1, note: 1 },
      instances: [
        { host: 'server-1', pid: 4711, version: '1.0.0', started_at: new Date('2026-11-18T06:31:00Z') },
        { host: 'server-2', pid: 892, version: '1.0.0', started_at: new Date('2026-11-18T06:30:00Z') },
      ],
      migration: '105_names_of_granted_clients.sql',
      keys: [
        { kid: 'pQ9vX2mT', state: 'next', signs_from: new Date('2026-11-20T18:09:00Z') },
        { kid: 'Zk41cNwe', state: 'current', signs_from: new Date('2026-11-20T09:12:00Z') },
        { kid: 'uB70sHfa', state: 'previous', signs_from: new Date('2026-08-22T09:02:00Z') },
      ],
      mails_waiting: 3,
      mails_since: new Date(Date.now() - 340 * 60_000),
    },
  },
  {
    name: 'admin-health-empty',
    view: 'admin-health',
    data: {
      ...page('health'),
      checked_at: at,
      check_href: '/admin/health',
      findings: [
        {
          severity: 'warning',
          check: 'no_process_reports',
          what: 'no server process has reported within the last minute',
          value:
            'The list of processes and the charts are incomplete; signing in does not depend on them. This page was answered, so a server process is running, but the table `instances` has no recent row for it.',
          change:
            '1. search the log of each server process for `what was counted could not be added`: the warning says why 2. open `/readyz` at each server process: if the status is 503, check that the database accepts writes (its address, the rights of the role, the free space)',
        },
      ],
      counts: { error: 0, warning: 1, note: 0 },
      instances: [],
      migration: '105_names_of_granted_clients.sql',
      keys: [],
      mails_waiting: 0,
      mails_since: undefined,
    },
  },
  {
    name: 'admin-charts',
    view: 'admin-charts',
    data: {
      ...page('charts'),
      periods: (['hour', 'day', 'week', 'month'] as const).map((period) => {
        return { period, href: `/admin/charts?period=${period}`, is_current: period === 'day' };
      }),
      charts: [
        drawChart('sign_ins', [
          { name: 'signed_in', values: steps.map((_, step) => (step * 7) % 31) },
          { name: 'sign_in_refused', values: steps.map((_, step) => step % 5) },
        ]),
        drawChart('refusals', [
          { name: { plain: 'code expired' }, values: steps.map((_, step) => step % 9) },
          { name: 'other_reasons', values: steps.map(() => 2) },
        ]),
        drawChart('latency', [
          {
            name: { plain: 'p50' },
            values: steps.map((_, step) => (step > 2 && step < 10 && step !== 7 ? undefined : 12.5)),
          },
          {
            name: { plain: 'p95' },
            values: steps.map((_, step) => (step > 2 && step < 10 && step !== 7 ? undefined : 40 + (step % 4))),
          },
          {
            name: { plain: 'p99' },
            values: steps.map((_, step) => (step > 2 && step < 10 && step !== 7 ? undefined : 80 + (step % 7))),
          },
        ]),
        drawChart('tokens', []),
      ],
      steps,
      ticks: ticksOf(steps, 'day'),
    },
  },
];
