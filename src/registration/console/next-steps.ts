import { randomBytes } from 'node:crypto';
import type { RequestHandler } from 'express';
import { findResourcesOfClient, type Resource } from '../../catalogue/resources.sql.ts';
import { findScopeCatalogue } from '../../catalogue/scopes.sql.ts';
import { isPublic } from '../../clients/client.ts';
import type { DeveloperApplication } from '../../clients/clients.sql.ts';
import type { Deps } from '../../deps.ts';
import { noticeOf } from '../../identity/person.ts';
import { OAuthError } from '../../lib/errors.ts';
import { statedAs, writeScope } from '../../lib/scope.ts';
import { authorizationEndpoint, calledEndpoints } from '../../web/endpoints.ts';
import { renderView } from '../../web/render.ts';
import { shownClient } from '../../web/shown-client.ts';
import { fastapi, fetchInPage, libraries, mcpClient, passport } from '../programs/libraries.ts';
import { authorizationPath, type Connection, type Library, languageOf } from '../programs/library.ts';
import type { NextSteps } from './developer.view.ts';
import { consolePath } from './path.ts';
import { presets } from './presets.ts';
import { forApplication } from './registered-application.ts';
import { placeholder } from './source-text.ts';

const urisOfMcp = presets.find(({ name }) => name === 'mcp')?.redirect_uris.split('\n') ?? [];

/** Returns the library that is shown when none was chosen. Only the registration tells what kind an application is. */
function fittingLibrary(application: DeveloperApplication, hasResources: boolean): Library {
  const { redirect_uris, grant_types } = application;
  if (!isPublic(application)) {
    if (hasResources || !grant_types.includes('refresh_token')) return fastapi;
    // it answers at the redirection URI; the programs on the command line have one copy an address
    return redirect_uris.some((uri) => passport.answers_at?.accepts(uri)) ? passport : libraries[0];
  }
  if (urisOfMcp.every((uri) => redirect_uris.includes(uri))) return mcpClient;
  // a loopback URI without a port belongs to an app on the device
  const isInBrowser = redirect_uris.some((uri) => /^(https:|http:\/\/[^/]+:\d+)/.test(uri));
  return isInBrowser ? fetchInPage : libraries[0];
}

/** Returns what a developer needs after registering: the endpoints, a program that uses them, and a link to try the application. */
export async function nextSteps(deps: Deps, application: DeveloperApplication, chosen?: Library): Promise<NextSteps> {
  const { config, database } = deps;
  const resources = await findResourcesOfClient(database, application.client_id);
  const fitting = fittingLibrary(application, resources.length > 0);
  const library = chosen ?? fitting;
  const { issuer, base } = config;
  const { token_endpoint, userinfo_endpoint } = calledEndpoints(config);
  const { client_id, redirect_uris } = application;
  const connection = await connectionFor(deps, application, library, resources);
  const { redirect_uri, scope, is_public } = connection;
  const text = library.program(connection);
  const path = base + consolePath(client_id);
  const registeredUri = redirect_uris.includes(redirect_uri) ? redirect_uri : redirect_uris[0];
  const ordered = inOrder(fitting, application);
  const unusable = ordered.filter((one) => obstacleOf(one, application));
  return {
    endpoints: [
      { name: 'issuer', value: issuer },
      { name: 'authorization_endpoint', value: authorizationEndpoint(config) },
      { name: 'token_endpoint', value: token_endpoint },
      { name: 'userinfo_endpoint', value: userinfo_endpoint },
      { name: 'client_id', value: client_id },
      ...(registeredUri === undefined ? [] : [{ name: 'redirect_uri', value: registeredUri }]),
      { name: 'scope', value: scope },
    ],
    secrets_href: is_public ? undefined : `${path}/credentials`,
    purposes: byPurpose(
      ordered.filter((one) => !unusable.includes(one)),
      (one) => ({ name: one.name, href: `${path}/connect/${one.id}`, is_current: one === library }),
    ),
    unusable: {
      names: [...new Set(unusable.map(({ name }) => name))],
      // the registration of the application gives one reason for all of them
      reason: unusable.map((one) => obstacleOf(one, application)).find(Boolean),
    },
    program: {
      name: library.name,
      file: library.file,
      text,
      obstacle: obstacleOf(library, application),
      reads_secret: !is_public,
      placeholder: text.includes(placeholder) ? placeholder : undefined,
      unregistered: redirect_uris.includes(redirect_uri) ? undefined : redirect_uri,
    },
    try_href: base + tryPath({ ...connection, redirect_uri: redirect_uris[0] ?? redirect_uri }),
  };
}

/** Orders the libraries: the fitting one first, and those that the application cannot use last. */
function inOrder(fitting: Library, application: DeveloperApplication): Library[] {
  const rank = (one: Library) => (one === fitting ? 0 : obstacleOf(one, application) ? 2 : 1);
  return libraries.toSorted((one, other) => rank(one) - rank(other));
}

/** Groups libraries by what they are for, and by language; a group stands where its first library does. */
export function byPurpose(
  ordered: readonly Library[],
  shown: (one: Library) => NextSteps['purposes'][number]['languages'][number]['libraries'][number],
): NextSteps['purposes'] {
  // only a program that protects an API needs a secret
  return grouped(ordered, ({ needs_secret }) => (needs_secret ? 'protect_api' : 'sign_in')).map(
    ([name, ofPurpose]) => ({
      name,
      languages: grouped(ofPurpose, languageOf).map(([language, all]) => ({
        name: language,
        libraries: all.map(shown),
      })),
    }),
  );
}

function grouped<Key>(all: readonly Library[], keyOf: (one: Library) => Key): [key: Key, members: Library[]][] {
  return [...new Set(all.map(keyOf))].map((key) => [key, all.filter((one) => keyOf(one) === key)]);
}

/**
 * Returns what a program is filled in with. It demands a scope of the application's own resources, if the application is their server,
 * otherwise a scope that the application has registered.
 */
async function connectionFor(
  { config: { issuer, brand }, database }: Deps,
  application: DeveloperApplication,
  library: Library,
  resources: readonly Resource[],
): Promise<Connection> {
  const { client_id, scopes, required_scopes } = application;
  const catalogue = await findScopeCatalogue(database);
  return {
    ...{ issuer, client_id, brand: brand.name },
    redirect_uri: redirectUriFor(library, application),
    scope: writeScope(catalogue, scopes),
    needed: statedAs(catalogue, resources[0]?.scopes[0] ?? required_scopes[0] ?? scopes[0]),
    is_public: isPublic(application),
    audiences: resources.map(({ resource }) => resource),
  };
}

/** Says why the application cannot use the program: no library here proves keys, or sends requests that are pushed or signed. */
function obstacleOf(
  { needs_secret, is_in_browser }: Library,
  application: DeveloperApplication,
): NextSteps['program']['obstacle'] {
  const { secrets_sha256, token_binding } = application;
  const { require_pushed_authorization_requests: isPushed, require_signed_request_object: isSigned } = application;
  const is_public = isPublic(application);
  const provesKeys = (!is_public && secrets_sha256.length === 0) || token_binding !== 'any';
  if (provesKeys || isPushed || isSigned) return 'demands_more';
  if (is_public) return needs_secret ? 'needs_secret' : undefined;
  return is_in_browser ? 'needs_public' : undefined;
}

/** Returns the first registered redirection URI that the library can use; if there is none, a URI that the developer can register. */
function redirectUriFor({ answers_at }: Library, { redirect_uris, site_domain }: DeveloperApplication): string {
  const { accepts, path } = answers_at ?? { accepts: () => true, path: '/callback' };
  // a registered host may have a label that no browser can decode
  const known = [...redirect_uris, `https://${site_domain}/`].filter((uri) => URL.canParse(uri));
  const [origin = 'http://localhost:8080'] = known.flatMap((uri) => /^https?:\/\/[^/?]+/.exec(uri) ?? []);
  return redirect_uris.find((uri) => known.includes(uri) && accepts(uri)) ?? origin + path;
}

/**
 * Returns the path of a request to try the application. Nobody knows the verifier of its challenge, so the code that reaches the
 * application is of no use to anybody.
 */
function tryPath(connection: Parameters<typeof authorizationPath>[0]): string {
  return authorizationPath(connection, {
    state: 'try-it',
    prompt: 'consent',
    code_challenge: randomBytes(32).toString('base64url'),
  });
}

/**
 * Shows a program for the library in the path, with the registration of the application filled in; without a library, the program that
 * fits.
 */
export const showConnect = (deps: Deps): RequestHandler =>
  forApplication(deps, async (page) => {
    const { req, application, viewer, csrf } = page;
    const id = req.params['library'];
    const library = libraries.find((one) => one.id === id);
    if (id !== undefined && !library) throw new OAuthError('not_found', 'there is no program for this library');
    renderView(page, 'developer-connect', {
      viewer,
      csrf,
      client: shownClient(application),
      application_href: deps.config.base + consolePath(application.client_id),
      next: await nextSteps(deps, application, library),
      notice: noticeOf(req, ['application_registered'] as const),
    });
  });
