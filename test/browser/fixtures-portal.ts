import type { Facts } from '../../src/portal/facts.ts';
import { chapters, portalPage, start } from '../../src/portal/portal.ts';
import { searchPages } from '../../src/portal/search.ts';
import type { Fixture } from './fixtures-flow.ts';

const permission = { group_sentence: null, group_sentences: {}, sentences: {}, acr: null, max_age: null };

/** A server on which everything is switched on. */
export const facts: Facts = {
  issuer: 'http://localhost:3000',
  base: '',
  mtls_url: 'https://mtls.wonder.example',
  registration: 'open',
  registration_endpoint: 'open',
  client_id_documents: true,
  authorization_code_ttl: 600,
  access_token_ttl: 3600,
  refresh_token_ttl: 2_592_000,
  refresh_grace: 60,
  dpop_nonce: true,
  acr_names: ['1', '2'],
  choices: [
    {
      name: 'albums',
      scopes: ['albums:read'],
      sentence: 'Which albums may {application} see?',
      sentences: { de: 'Welche Alben darf {application} sehen?' },
      ...{ may_be_all: true, all_sentence: null, all_sentences: {} },
    },
  ],
  claims: [{ name: 'groups', scope: 'user:groups' }],
  support_url: 'https://wonder.example/help',
  demo: true,
  brand_name: 'Wonderland',
  methods: [
    ...['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    ...['tls_client_auth', 'self_signed_tls_client_auth'],
  ],
  catalogue: [
    { ...permission, name: 'user:name', group_name: 'user', sentence: 'See your name', changes: false },
    { ...permission, name: 'user:email', group_name: 'user', sentence: 'See your address', changes: false },
    { ...permission, name: 'pay', group_name: 'pay', sentence: 'Pay', changes: true, acr: 2, max_age: 300 },
  ],
  resources: [{ resource: 'https://api.wonder.example/', scopes: ['pay'], token_format: 'jwt' }],
};

const pages = chapters.map((chapter) => ({ ...chapter, sections: portalPage(facts, chapter).sections }));
const search = (query: string) => {
  const found = searchPages(facts, pages, { query, language: 'en' });
  return { query, found: found.best, count: found.count };
};

export const portalFixtures: Fixture[] = [
  ...chapters.map(
    (chapter): Fixture => ({
      name: chapter.path.slice(1).replace('/', '-'),
      view: 'portal',
      data: { ...portalPage(facts, chapter), signed_out: true },
      ...(facts.support_url !== undefined && { support_url: facts.support_url }),
    }),
  ),
  ...['refresh token', 'kubernetes'].map(
    (query, at): Fixture => ({
      name: at === 0 ? 'developer-search' : 'developer-search-none',
      view: 'portal',
      data: { ...portalPage(facts, start), signed_out: true, search: search(query) },
    }),
  ),
];
