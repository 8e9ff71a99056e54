import { type PlainMember, plainMembers } from '../../src/lib/client-members.ts';
import type { ApplicationForm, NextSteps, RecentRefusals } from '../../src/registration/console/developer.view.ts';
import type { Figures } from '../../src/registration/console/figures.sql.ts';
import { byPurpose } from '../../src/registration/console/next-steps.ts';
import type { SecurityForm } from '../../src/registration/console/security.view.ts';
import type { DocumentForm } from '../../src/registration/documents/documents.view.ts';
import { libraries, passport } from '../../src/registration/programs/libraries.ts';
import type { Library } from '../../src/registration/programs/library.ts';
import type { Views } from '../../src/web/views/views.ts';
import { client, type Fixture, mismatch, user } from './fixtures-flow.ts';

const signedIn = { viewer: user, csrf: 'csrf', ticket: 'ticket' };
const refusals: RecentRefusals = {
  action: '/developer/applications/photo-printer',
  request_id: undefined,
  paging: { next_href: '/developer/applications/photo-printer?older=7#refusals' },
  rows: [
    {
      at: new Date('2026-11-20T18:03:00Z'),
      client,
      request_id: 'f3a1c0de77b2-3k',
      times: 12,
      request: 'GET /authorize',
      error: 'invalid_request',
      is_explained: true,
      reason: 'redirect_uri not registered',
      mismatch: { ...mismatch, registered: mismatch.registered.slice(0, 1) },
    },
    {
      at: new Date('2026-11-20T17:58:00Z'),
      client,
      request_id: 'f3a1c0de77b2-2z',
      times: 1,
      request: 'POST /token',
      error: 'invalid_grant',
      is_explained: true,
      reason: 'code expired',
      mismatch: undefined,
    },
  ],
};

const figures: Figures = {
  people: { count: 1000, is_least: true },
  tokens: { count: 48_305, is_least: false },
  refusals: { count: 14, is_least: false },
};

const nobody = { count: 0, is_least: false };

const form: ApplicationForm = {
  action: '/developer/applications/photo-printer',
  name: 'Photo Printer',
  site_domain: 'printer.example',
  homepage_uri: 'https://printer.example/',
  logo_uri: '',
  policy_uri: 'https://printer.example/privacy',
  tos_uri: '',
  redirect_uris: 'https://printer.example/callback\nhttps://printer.example/oauth/return',
  groups: [
    {
      name: 'user',
      permissions: [
        { scope: 'user:name', sentence: '', use: 'required', reason: 'We print your name on the parcel.' },
        {
          scope: 'user:email',
          sentence: '',
          use: 'optional',
          reason: 'We tell you when your prints are sent.',
        },
      ],
    },
    { name: 'repo', permissions: [{ scope: 'repo:read', sentence: '', use: 'no', reason: '' }] },
  ],
};

const application: Views['developer-application'] = {
  ...signedIn,
  made_from: 'made-from',
  part: 'overview',
  application_href: '/developer/applications/photo-printer',
  redirect_uris: ['https://printer.example/callback', 'https://printer.example/oauth/return'],
  client,
  owner: 'alice',
  confidential: true,
  refreshes: true,
  disabled: false,
  may_enable: false,
  may_block: false,
  vouched: false,
  origin: { origin: 'console', seed: 'production.sql', drift: ['name', 'redirect_uris'] },
  choice: { offered: ['client_secret_basic', 'client_secret_post'], chosen: 'client_secret_basic' },
  may_vouch: true,
  form,
  keys: [],
  proof: { by: 'password', code: true } as const,
  secrets: [
    {
      ...{ handle: '3fa9c1d0', created_at: new Date('2025-01-12T09:00:00Z') },
      ...{ last_used_at: new Date('2026-11-20T16:31:00Z'), is_in_use: true },
    },
    { handle: 'b27e0457', created_at: new Date('2026-11-20T09:00:00Z'), last_used_at: undefined, is_in_use: false },
  ],
  connect_href: '/developer/applications/photo-printer/connect',
  actions: {
    credentials: '#',
    add_secret: '#',
    delete_secret: '#',
    disable: '#',
    enable: '#',
    vouch: '#',
    delete: '#',
    token_history: '#',
  },
  figures,
  refusals: { ...refusals, rows: refusals.rows.map((row) => ({ ...row, client: undefined })) },
  token_history: {
    kind: 'refresh_token',
    alive: false,
    ends_at: new Date('2026-12-02T08:15:00Z'),
    events: [
      { at: new Date('2026-11-19T10:02:00Z'), event: 'issued' },
      { at: new Date('2026-11-20T10:05:00Z'), event: 'replaced' },
      { at: new Date('2026-11-20T16:31:00Z'), event: 'reused' },
    ],
  },
};

const security: Views['developer-security'] = {
  ...signedIn,
  made_from: 'made-from',
  proof: { by: 'session' },
  client,
  application_href: '/developer/applications/photo-printer',
  action: '#',
  form: {
    profile: 'fapi2',
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: '{\n  "keys": [\n    {\n      "kty": "EC",\n      "crv": "P-256",\n      "kid": "2026-11"\n    }\n  ]\n}',
    token_binding: 'dpop',
    ...(Object.fromEntries(plainMembers.map((name) => [name, ''])) as unknown as Pick<SecurityForm, PlainMember>),
    require_pushed_authorization_requests: true,
    request_object_signing_alg: 'any',
    token_endpoint_auth_signing_alg: 'any',
  },
  methods: ['client_secret_basic', 'private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth'],
  needs: {
    private_key_jwt: 'jwks',
    tls_client_auth: 'tls_client_auth_subject_dn',
    self_signed_tls_client_auth: 'jwks',
  },
  bindings: ['any', 'dpop', 'certificate', 'mac'],
  texts: ['jwks_uri', 'tls_client_auth_subject_dn', 'tls_client_auth_san_dns'],
  boxes: ['require_pushed_authorization_requests', 'require_signed_request_object'],
  choices: [
    { name: 'token_endpoint_auth_signing_alg', values: ['any', 'ES256', 'PS256', 'EdDSA', 'Ed25519', 'RS256'] },
    { name: 'request_object_signing_alg', values: ['any', 'ES256', 'PS256', 'EdDSA', 'Ed25519'] },
  ],
  takes_rs256: false,
  problems: [],
};

const nextSteps = (library: Library): NextSteps => ({
  endpoints: [
    { name: 'issuer', value: 'http://localhost:3000' },
    { name: 'authorization_endpoint', value: 'http://localhost:3000/authorize' },
    { name: 'token_endpoint', value: 'http://localhost:3000/token' },
    { name: 'userinfo_endpoint', value: 'http://localhost:3000/user' },
    { name: 'client_id', value: client.client_id },
    { name: 'redirect_uri', value: 'https://printer.example/callback' },
    { name: 'scope', value: 'user repo:read' },
  ],
  secrets_href: '/developer/applications/photo-printer/credentials',
  purposes: byPurpose([library, ...libraries.filter((one) => one !== library && !one.is_in_browser)], ({ name }) => ({
    name,
    href: '#',
    is_current: name === library.name,
  })),
  unusable: { names: ['fetch', 'oidc-client-ts'], reason: 'needs_public' },
  program: {
    name: library.name,
    file: library.file,
    text: library.program({
      issuer: 'http://localhost:3000',
      client_id: client.client_id,
      redirect_uri: 'https://printer.example/callback',
      scope: 'user repo:read',
      needed: ['user:name', 'user'],
      is_public: false,
      brand: 'Latchkey',
      audiences: [],
    }),
    obstacle: undefined,
    reads_secret: true,
    placeholder: undefined,
    unregistered: undefined,
  },
  try_href: '#',
});

const documentsAt = 'https://id.example/developer/documents';

const developerDocument: DocumentForm = {
  action: '#',
  made_from: 'made-from',
  name: 'Inspector',
  redirect_uris: 'http://127.0.0.1/callback\nhttps://app.example/callback',
  scope: 'user:name',
};

export const developerFixtures: Fixture[] = [
  {
    name: 'developer-applications',
    view: 'developer-applications',
    data: {
      ...signedIn,
      may_register: true,
      new_href: '/developer/applications/new',
      documents_href: '/developer/documents',
      paging: {},
      applications: [
        {
          ...client,
          href: '/developer/applications/photo-printer',
          confidential: true,
          disabled: false,
          last_used_at: new Date(Date.now() - 600_000),
          figures,
        },
        {
          ...client,
          client_id: 'pocket',
          name: 'Pocket Printer',
          vouched: false,
          href: '/developer/applications/pocket',
          confidential: false,
          figures: { people: nobody, tokens: nobody, refusals: nobody },
          disabled: true,
        },
      ],
      refusals,
    },
  },
  { name: 'developer-application', view: 'developer-application', data: application },
  ...(['credentials', 'registration', 'activity'] as const).map((part): Fixture => {
    return { name: `developer-application-${part}`, view: 'developer-application', data: { ...application, part } };
  }),
  {
    name: 'developer-application-one-secret',
    view: 'developer-application',
    data: { ...application, part: 'credentials', secrets: application.secrets.slice(0, 1) },
  },
  {
    name: 'developer-application-secret',
    view: 'developer-application',
    data: { ...application, part: 'credentials', deleting: application.secrets[0] },
  },
  {
    name: 'developer-application-new',
    view: 'developer-application-new',
    status: 400,
    data: {
      ...signedIn,
      made_from: 'made-from',
      proof: { by: 'password', code: false },
      confidential: true,
      refreshes: true,
      presets: (['web', 'spa', 'native', 'api', 'mcp'] as const).map((name) => {
        const confidential = name === 'web' || name === 'api';
        return { name, confidential, is_current: name === 'web' };
      }),
      preset: { name: 'web', example: 'https://printer.example/callback', page_href: '/developer/web-application' },
      is_usual: true,
      form: {
        ...form,
        redirect_uris: 'https://printer.test/callback',
        problems: [{ field: 'redirect_uris', name: 'outside_domain', value: 'https://printer.test/callback' }],
      },
    },
  },
  {
    name: 'developer-documents',
    view: 'developer-documents',
    data: {
      ...{ ...signedIn, ...developerDocument, notice: 'document_made', action: '/developer/documents' },
      ...{ name: '', redirect_uris: 'http://127.0.0.1/callback', scope: '' },
      documents: [
        { name: 'Inspector', client_id: `${documentsAt}/kZ3qv0c1mXWbT8yR5uJ2eA`, change_href: '#' },
        { name: 'Probe', client_id: `${documentsAt}/W9dQ2nLr7sVfK4hG6tB1pQ`, change_href: '#' },
      ],
    },
  },
  {
    name: 'developer-document',
    view: 'developer-document',
    status: 400,
    data: {
      ...{ ...signedIn, ...developerDocument, delete_action: '#' },
      client_id: `${documentsAt}/kZ3qv0c1mXWbT8yR5uJ2eA`,
      problems: [{ field: 'redirect_uris', name: 'not_loopback', value: 'https://app.example/callback' }],
    },
  },
  { name: 'developer-security', view: 'developer-security', data: security },
  {
    name: 'developer-security-refused',
    view: 'developer-security',
    status: 400,
    data: {
      ...security,
      form: {
        ...security.form,
        token_endpoint_auth_method: 'client_secret_basic',
        require_signed_request_object: true,
        jwks: '',
      },
      problems: [
        { field: 'token_endpoint_auth_method', name: 'token_endpoint_auth_method_too_weak' },
        { field: 'jwks', name: 'jwks_secret' },
        { field: 'require_signed_request_object', name: 'require_signed_request_object_no_key' },
      ],
    },
  },
  {
    name: 'developer-security-secret',
    view: 'developer-security',
    data: {
      ...security,
      form: {
        ...security.form,
        profile: 'standard',
        token_endpoint_auth_method: 'client_secret_basic',
        require_signed_request_object: false,
        jwks: '',
      },
    },
  },
  {
    name: 'developer-connect',
    view: 'developer-connect',
    data: {
      ...signedIn,
      client,
      application_href: '/developer/applications/photo-printer',
      next: nextSteps(passport),
    },
  },
  {
    name: 'secret-shown-once',
    view: 'secret-shown-once',
    data: {
      ...signedIn,
      client,
      client_secret: 'lk_cs_EXAMPLEonlyJ8s0bq3mXvT1cYw5hRk2uNf7pZd9aLgQx',
      has_other: true,
      next_href: '/developer/applications/photo-printer/credentials',
    },
  },
];
