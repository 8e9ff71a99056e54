import express, { type Express, type RequestHandler } from 'express';
import type { Deps } from './deps.ts';
import { showAccount } from './endpoints/account/account.ts';
import { showApplication } from './endpoints/account/application.ts';
import { showApplications } from './endpoints/account/applications.ts';
import { changePermissions } from './endpoints/account/change-permissions.ts';
import { endSession } from './endpoints/account/end-session.ts';
import { changePassword } from './endpoints/account/password.ts';
import { changeProfile } from './endpoints/account/profile.ts';
import { revokeApplication } from './endpoints/account/revoke-application.ts';
import { authorize } from './endpoints/authorization/authorize.ts';
import { consent, nothingToDecide } from './endpoints/authorization/consent.ts';
import { login, showLogin } from './endpoints/authorization/login.ts';
import { logout, showSignedOut } from './endpoints/authorization/logout.ts';
import { showDeveloperApplication } from './endpoints/developer/application.ts';
import { showDeveloperApplications } from './endpoints/developer/applications.ts';
import { changeApplication, deleteForEver, disable, enable, vouch } from './endpoints/developer/change.ts';
import { registerNewApplication, showNewApplication } from './endpoints/developer/new-application.ts';
import { addSecret, deleteSecret, showNewSecret } from './endpoints/developer/secrets.ts';
import { tellTokenStory } from './endpoints/developer/token-story.ts';
import { resourceMetadata, serverMetadata } from './endpoints/discovery/metadata.ts';
import { healthz, readyz } from './endpoints/operations/health.ts';
import { resourceErrors } from './endpoints/resource/access-token.ts';
import { githubEmails, githubUser } from './endpoints/resource/github-user.ts';
import { changeUser, user } from './endpoints/resource/user.ts';
import { showBrandSheet } from './endpoints/site/brand-sheet.ts';
import { explainError, home } from './endpoints/site/home.ts';
import { refuseUnknownPath } from './endpoints/site/unknown-path.ts';
import { introspection } from './endpoints/token/introspection.ts';
import { reportLeakedToken } from './endpoints/token/leaked-token.ts';
import { revocation } from './endpoints/token/revocation.ts';
import { token } from './endpoints/token/token.ts';
import { withoutBase } from './http/base.ts';
import { body } from './http/body.ts';
import { cacheForever } from './http/cache-forever.ts';
import { anyOrigin, crossOrigin, preflight } from './http/cross-origin.ts';
import { flowPaths } from './http/dialect.ts';
import { jsonErrors } from './http/refusals.ts';
import { refuseRepeatedHeaders } from './http/repeated-headers.ts';
import { forwardedAddresses, requestLog } from './http/request-log.ts';
import { addRoute, type Methods, notForHead } from './http/route.ts';
import { toParent } from './pages/person.ts';
import { authorizationErrors, pageErrors, unknownPathErrors } from './pages/refusals.ts';
import { assetsDirectory, viewsDirectory } from './pages/render.ts';
import { sessions } from './pages/session.ts';
import { callback } from './playground/callback.ts';
import { breakIt, showFlow, showPlayground, showTried } from './playground/playground.ts';
import { halfOf } from './postgres/share.ts';

/** Every address of this server: its methods, the middleware of each from left to right, and who answers its refusals. */
export function createApp(deps: Deps): Express {
  // what one person can make slow must not keep a token waiting
  const pages = { ...deps, database: halfOf(deps.database) };
  const browser = sessions(pages);
  const cors = crossOrigin(deps);
  const app = express();
  app.enable('case sensitive routing').enable('strict routing');
  // whatever NODE_ENV says: Express would show a stack trace where an error page fails
  app.set('env', 'production');
  app.disable('x-powered-by').disable('etag').set('query parser', false).set('trust proxy', deps.config.trust_proxy);
  app.set('views', viewsDirectory).set('view engine', 'ejs').set('view cache', true);
  if (deps.config.trust_proxy) app.use(forwardedAddresses);
  app.use(requestLog(deps), refuseRepeatedHeaders, ...withoutBase(deps));
  const machine = (path: string, methods: Methods) => addRoute(app, path, methods, jsonErrors(deps));
  const resource = (path: string, methods: Methods) => addRoute(app, path, methods, resourceErrors(deps));
  const authorization = (path: string, methods: Methods) => addRoute(app, path, methods, authorizationErrors(pages));
  const page = (path: string, methods: Methods) => addRoute(app, path, methods, pageErrors(pages));

  const document = (path: string, show: RequestHandler) =>
    machine(path, { get: [anyOrigin, show], options: [anyOrigin, preflight('GET')] });

  /** a page, or the way back to the one that a form stands on, and what the form does */
  const form = (path: string, show: RequestHandler, change: RequestHandler) =>
    page(path, { get: [...browser, show], post: [...browser, body, change] });

  machine('/token', { post: [cors, body, token(deps, 'rfc')], options: [cors, preflight('POST')] });
  resource('/user', {
    get: [cors, user(deps)],
    post: [cors, body, user(deps)],
    patch: [cors, body, changeUser(deps)],
    options: [cors, preflight('GET, POST, PATCH')],
  });
  machine('/revoke', { post: [cors, body, revocation(deps)], options: [cors, preflight('POST')] });
  machine('/leaked', { post: [body, reportLeakedToken(deps)] });
  machine('/introspect', { post: [body, introspection(deps)] });

  // the second set of flowPaths, for software written for GitHub
  machine('/login/oauth/access_token', { post: [body, token(deps, 'github')] });
  resource('/api/v3/user', { get: [githubUser(deps)] });
  resource('/api/v3/user/emails', { get: [githubEmails(deps)] });

  for (const dialect of ['rfc', 'github'] as const) {
    authorization(flowPaths[dialect].authorize, { get: [...browser, notForHead, authorize(pages, dialect)] });
    page(flowPaths[dialect].login, {
      get: [...browser, showLogin(pages, dialect)],
      post: [...browser, body, login(pages, dialect)],
    });
    page(flowPaths[dialect].logout, { get: [showSignedOut(pages)], post: [...browser, body, logout(pages, dialect)] });
    authorization(flowPaths[dialect].consent, {
      get: [nothingToDecide],
      post: [...browser, body, consent(pages, dialect)],
    });
  }

  form('/account', showAccount(pages), changeProfile(pages));
  form('/account/password', toParent(pages), changePassword(pages));
  form('/account/sessions', toParent(pages), endSession(pages));
  page('/account/applications', { get: [...browser, showApplications(pages)] });
  form('/account/applications/:client_id', showApplication(pages), changePermissions(pages));
  form('/account/applications/:client_id/revoke', toParent(pages), revokeApplication(pages));

  const application = '/developer/applications/:client_id';
  page('/developer/applications', { get: [...browser, showDeveloperApplications(pages)] });
  form('/developer/applications/new', showNewApplication(pages), registerNewApplication(pages));
  form(application, showDeveloperApplication(pages), changeApplication(pages));
  form(`${application}/secrets`, toParent(pages), addSecret(pages));
  page(`${application}/secrets/new`, { get: [...browser, notForHead, showNewSecret(pages)] });
  form(`${application}/secrets/delete`, toParent(pages), deleteSecret(pages));
  form(`${application}/disable`, toParent(pages), disable(pages));
  form(`${application}/enable`, toParent(pages), enable(pages));
  form(`${application}/vouch`, toParent(pages), vouch(pages));
  form(`${application}/delete`, toParent(pages), deleteForEver(pages));
  form(`${application}/token`, toParent(pages), tellTokenStory(pages));

  page('/', { get: [...browser, home(pages)] });
  page('/brand.css', { get: [cacheForever, showBrandSheet(pages)] });
  page('/errors/:code', { get: [...browser, explainError(pages)] });

  if (deps.config.demo) {
    page('/playground', { get: [...browser, showPlayground(pages)] });
    page('/playground/callback', { get: [...browser, notForHead, callback(pages)] });
    page('/playground/flow', { get: [...browser, showFlow(pages)] });
    page('/playground/tried', { get: [...browser, showTried(pages)] });
    page('/playground/break', { post: [...browser, body, breakIt(pages)] });
  }

  machine('/healthz', { get: [healthz] });
  machine('/readyz', { get: [readyz(deps)] });
  // the name stands before the path of an issuer that has one [8414 §3.1; 9728 §3.1]
  for (const suffix of new Set(['', deps.config.base])) {
    document(`/.well-known/oauth-authorization-server${suffix}`, serverMetadata(deps));
    document(`/.well-known/oauth-protected-resource${suffix}`, resourceMetadata(deps));
  }

  app.use('/assets', cacheForever, express.static(assetsDirectory, { cacheControl: false, index: false }));
  app.use(...browser, refuseUnknownPath(pages), unknownPathErrors(pages));
  return app;
}
