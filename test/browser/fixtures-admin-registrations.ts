import { sqlCall } from '../../src/postgres/sql-text.ts';
import type { Views } from '../../src/web/views/views.ts';
import { adminPage as page } from './fixtures-admin.ts';
import type { Fixture } from './fixtures-flow.ts';

const fields = (values: string[]) =>
  [undefined, 'English', 'Deutsch', 'Français', 'Español', '简体中文'].map((language, index) => ({
    name: language === undefined ? 'sentence' : `sentence:${language.slice(0, 2).toLowerCase()}`,
    language,
    value: values[index] ?? '',
  }));

const longName = `photos:${'x'.repeat(57)}`;
const longUrl =
  'https://photos.example/tenants/0f8fad5bd9cb469fa16570867728950e7c9e6679742540de944be07fc1f90ae7/regions/eu-central-1/api/v2';

const scopes: Views['admin-scopes'] = {
  ...page('scopes'),
  action: '/admin/scopes',
  scopes: [
    {
      name: 'photos:read',
      href: '/admin/scopes/photos%3Aread',
      group: 'photos',
      sentence: 'See your photos',
      sentences: { de: 'Ihre Fotos sehen', fr: 'Voir vos photos' },
      changes: false,
      seed: 'production.sql',
      used_by: ['album', 'https://photos.example/api'],
    },
    {
      name: longName,
      href: '/admin/scopes/long',
      group: undefined,
      sentence: 'Delete your photos for ever, also those that you have shared with others'.repeat(2),
      sentences: {},
      changes: true,
      seed: undefined,
      used_by: [],
    },
    {
      name: 'user:name',
      href: '/admin/scopes/user%3Aname',
      group: 'user',
      sentence: 'See your name and username',
      sentences: {},
      changes: false,
      seed: undefined,
      used_by: ['a'.repeat(200), 'https://photos.example/api', 'team'],
    },
  ],
  paging: { next_href: '/admin/scopes?after=user%3Aname' },
  form: { made_from: 'mark', name: '', sentence: '', group_name: '', changes: false, problems: [] },
  notice: 'scope_deleted',
};

const scope: Views['admin-scope'] = {
  ...page('scopes'),
  action: '/admin/scopes/photos%3Awrite',
  back_href: '/admin/scopes',
  name: 'photos:write',
  changes: true,
  is_own: false,
  origin: { origin: null, seed: 'production.sql', drift: ['sentence', 'sentences'] },
  uses: [
    { kind: 'client', name: 'album', href: '/admin/applications/album', seed: null },
    { kind: 'client', name: 'photo-printer', href: '/admin/applications/photo-printer', seed: null },
    { kind: 'resource', name: 'https://photos.example/api', href: '/admin/resources/x', seed: null },
    { kind: 'claim', name: 'team', href: undefined, seed: 'production.sql' },
    { kind: 'choice', name: 'organizations', href: undefined, seed: 'production.sql' },
  ],
  runs: ['latchkey seed production.sql'],
  allowed_by: { people: 1000, has_more: true },
  form: {
    made_from: 'mark',
    action: 'describe',
    fields: fields(['Add and delete photos', '', 'Fotos hinzufügen und löschen']),
  },
  group: {
    name: 'photos',
    origin: { origin: null, seed: 'production.sql', drift: [] },
    form: { made_from: 'mark', action: 'describe_group', fields: fields(['Your photos', '', 'Ihre Fotos']) },
  },
  made_from: 'mark',
  problem: 'scope_in_use',
};

const resources: Views['admin-resources'] = {
  ...page('resources'),
  action: '/admin/resources',
  resources: [
    {
      resource: 'https://photos.example/api',
      href: '/admin/resources/https%3A%2F%2Fphotos.example%2Fapi',
      format: 'jwt',
      scopes: ['photos:read', 'photos:write', 'albums:read', 'albums:write', 'albums:share', 'albums:print'],
      disabled: false,
    },
    {
      resource: longUrl,
      href: '/admin/resources/long',
      format: 'opaque',
      scopes: ['photos:read'],
      disabled: true,
    },
  ],
  paging: {},
  form: { made_from: 'mark', resource: '', scopes: '', client_id: '', token_format: 'opaque', problems: [] },
};

const resource: Views['admin-resource'] = {
  ...page('resources'),
  action: '/admin/resources/x',
  back_href: '/admin/resources',
  resource: 'https://photos.example/api',
  scopes: ['photos:read', 'photos:write'].map((name) => ({ name, href: `/admin/scopes/${encodeURIComponent(name)}` })),
  format: 'jwt',
  client_id: 'photos-api',
  client_href: '/admin/applications/photos-api',
  disabled_at: undefined,
  jwts_until: undefined,
  origin: { origin: null, seed: null, drift: [] },
  statement: '',
  run: undefined,
  form: {
    ...{ made_from: 'mark', scopes: 'photos:read photos:write', client_id: 'photos-api', token_format: 'jwt' },
    problems: [],
  },
  made_from: 'mark',
};

export const adminRegistrationFixtures: Fixture[] = [
  { name: 'admin-scopes', view: 'admin-scopes', data: scopes },
  {
    name: 'admin-scopes-refused',
    view: 'admin-scopes',
    status: 400,
    data: {
      ...scopes,
      notice: undefined,
      form: {
        ...{ made_from: 'mark', name: 'A B', sentence: '', group_name: 'user:name', changes: true },
        problems: [
          { field: 'name', name: 'malformed_name', value: 'A B' },
          { field: 'sentence', name: 'missing' },
          { field: 'group_name', name: 'is_scope', value: 'user:name' },
        ],
      },
    },
  },
  { name: 'admin-scope', view: 'admin-scope', data: scope },
  {
    name: 'admin-scope-changed',
    view: 'admin-scope',
    data: {
      ...scope,
      problem: undefined,
      uses: [],
      origin: { origin: null, seed: null, drift: [] },
      form: {
        ...scope.form,
        changed_meanwhile: [
          { field: 'sentence:de', yours: 'Fotos hinzufügen und löschen', now: 'Bilder hinzufügen und löschen' },
        ],
      },
    },
  },
  {
    name: 'admin-scope-built-in',
    view: 'admin-scope',
    data: {
      ...scope,
      ...{ name: 'repo:write', uses: [], problem: undefined },
      origin: { origin: null, seed: null, drift: [] },
      group: scope.group && { ...scope.group, name: 'repo' },
    },
  },
  {
    name: 'admin-scope-own',
    view: 'admin-scope',
    data: {
      ...scope,
      ...{ name: 'user:name', changes: false, is_own: true, uses: [], problem: undefined },
      group: scope.group && { ...scope.group, name: 'user' },
    },
  },
  { name: 'admin-resources', view: 'admin-resources', data: resources },
  {
    name: 'admin-resources-refused',
    view: 'admin-resources',
    status: 400,
    data: {
      ...resources,
      form: {
        ...{
          made_from: 'mark',
          resource: 'http://api.example',
          scopes: 'nope',
          client_id: 'nobody',
          token_format: 'jwt',
        },
        problems: [
          { field: 'resource', name: 'not_https', value: 'http://api.example' },
          { field: 'scopes', name: 'unknown_scope', value: 'nope' },
          { field: 'client_id', name: 'unknown_client', value: 'nobody' },
        ],
      },
    },
  },
  { name: 'admin-resource', view: 'admin-resource', data: resource },
  { name: 'admin-resource-long', view: 'admin-resource', data: { ...resource, resource: longUrl } },
  {
    name: 'admin-resource-changed',
    view: 'admin-resource',
    status: 409,
    data: {
      ...resource,
      origin: { origin: null, seed: 'production.sql', drift: ['scopes', 'token_format'] },
      form: resource.form && {
        ...{ ...resource.form, scopes: 'photos:read albums:read', token_format: 'opaque' },
        changed_meanwhile: [
          { field: 'scopes', yours: 'photos:read albums:read', now: 'photos:read photos:write' },
          { field: 'token_format', yours: 'opaque', now: 'jwt' },
        ],
      },
    },
  },
  {
    name: 'admin-resource-disabled',
    view: 'admin-resource',
    data: {
      ...resource,
      ...{
        disabled_at: new Date('2026-11-20T18:03:00Z'),
        jwts_until: new Date('2026-11-20T18:13:00Z'),
        form: undefined,
        client_id: undefined,
        client_href: undefined,
        problem: 'disabled_since',
      },
      entered: { scopes: 'photos:read photos:write albums:read' },
      statement: sqlCall('register_resource', {
        ...{ resource: resource.resource, scopes: ['photos:read', 'photos:write', 'albums:read'], token_format: 'jwt' },
      }),
      origin: { origin: null, seed: 'production.sql', drift: ['scopes'] },
      run: 'latchkey seed production.sql',
    },
  },
];
