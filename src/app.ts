import express, { type Express, type RequestHandler } from 'express';
import type { Deps } from './deps.ts';
import { showAccount } from './endpoints/account/account.ts';
import { showActivity } from './endpoints/account/activity.ts';
import { showApplication } from './endpoints/account/application.ts';
import { showApplications } from './endpoints/account/applications.ts';
import { changeNotices } from './endpoints/account/change-notices.ts';
import { changePassword } from './endpoints/account/change-password.ts';
import { changePermissions } from './endpoints/account/change-permissions.ts';
import { changeProfile } from './endpoints/account/change-profile.ts';
import { confirm, sendConfirmation, showConfirmation } from './endpoints/account/confirm-address.ts';
import { connectProvider, showConnect as showConnectProvider } from './endpoints/account/connect.ts';
import { deleteAccount, showDeletion } from './endpoints/account/delete-account.ts';
import { endSession } from './endpoints/account/end-session.ts';
import { exportAccount } from './endpoints/account/export.ts';
import { unlink } from './endpoints/account/identities.ts';
import { addPasskey, showNewPasskey } from './endpoints/account/new-passkey.ts';
import { showNotMe, showUndoing, undo, undoActivity } from './endpoints/account/not-me.ts';
import { changePasskey, showPasskey } from './endpoints/account/passkey.ts';
import { showPasswordForm } from './endpoints/account/password-address.ts';
import { revokeApplication } from './endpoints/account/revoke-application.ts';
import { changeSecondFactor } from './endpoints/account/second-factor.ts';
import { showAccountSecurity } from './endpoints/account/security.ts';
import { showSessions } from './endpoints/account/sessions.ts';
import {
  removePassword,
  setPassword,
  showNewPassword,
  showPasswordRemoval,
} from './endpoints/account/without-password.ts';
import { administratorsOnly } from './endpoints/admin/administrator.ts';
import { administer, showAdministered } from './endpoints/admin/application.ts';
import { findApplications } from './endpoints/admin/applications.ts';
import { changePerson } from './endpoints/admin/change-person.ts';
import { showCharts } from './endpoints/admin/charts.ts';
import { exportAudit, showEvents } from './endpoints/admin/events.ts';
import { changeGrants, showGrants } from './endpoints/admin/grants.ts';
import { showHealth } from './endpoints/admin/health.ts';
import { showPeople } from './endpoints/admin/people.ts';
import { showPerson } from './endpoints/admin/person.ts';
import { deleteResource, showResource } from './endpoints/admin/resource.ts';
import { registerResource, showResources } from './endpoints/admin/resources.ts';
import { changeScope, showScope } from './endpoints/admin/scope.ts';
import { registerScope, showScopes } from './endpoints/admin/scopes.ts';
import { authorize, authorizeByForm } from './endpoints/authorization/authorize.ts';
import { consent, refuseWithoutForm } from './endpoints/authorization/consent.ts';
import { finishSignUp, showFinish } from './endpoints/authorization/finish-sign-up.ts';
import { askForReset, showForgotPassword } from './endpoints/authorization/forgot-password.ts';
import { login, showLogin } from './endpoints/authorization/login.ts';
import { logout, showSignedOut } from './endpoints/authorization/logout.ts';
import { pushAuthorizationRequest } from './endpoints/authorization/par.ts';
import { returnFromProvider } from './endpoints/authorization/provider-callback.ts';
import { resetPassword, showReset } from './endpoints/authorization/reset-password.ts';
import { askForSignUp, showSignUp } from './endpoints/authorization/sign-up.ts';
import { returnFromWebsite } from './endpoints/authorization/website-return.ts';
import { changeApplication, deleteApplication, disable, enable, vouch } from './endpoints/developer/change.ts';
import { showConnect } from './endpoints/developer/connect.ts';
import { registerNewApplication, showNewApplication } from './endpoints/developer/new-application.ts';
import { chapters, showChapter, showPlainText } from './endpoints/developer/portal/portal.ts';
import { showDeveloperApplication } from './endpoints/developer/registered-application.ts';
import { showDeveloperApplications } from './endpoints/developer/registered-applications.ts';
import { addSecret, deleteSecret, showNewSecret } from './endpoints/developer/secrets.ts';
import { changeSecurity, showSecurity } from './endpoints/developer/security.ts';
import { showTokenHistory } from './endpoints/developer/token-history.ts';
import { jwks } from './endpoints/discovery/jwks.ts';
import { githubMetadata, resourceMetadata, serverMetadata } from './endpoints/discovery/metadata.ts';
import { openapi } from './endpoints/discovery/openapi.ts';
import { healthz, readyz } from './endpoints/operations/health.ts';
import { metrics } from './endpoints/operations/metrics.ts';
import { changeRegistration, deleteRegistration, showRegistration } from './endpoints/registration/configuration.ts';
import { register } from './endpoints/registration/register.ts';
import { resourceErrors } from './endpoints/resource/access-token.ts';
import { githubEmails, githubMemberships, githubUser } from './endpoints/resource/github-user.ts';
import { changeUser, user } from './endpoints/resource/user.ts';
import { showBrandSheet } from './endpoints/site/brand-sheet.ts';
import { explainError, home } from './endpoints/site/home.ts';
import { refuseUnknownPath } from './endpoints/site/unknown-path.ts';
import { checkToken, deleteGrant, deleteToken } from './endpoints/token/github-applications.ts';
import { introspection } from './endpoints/token/introspection.ts';
import { reportLeakedToken } from './endpoints/token/leaked-token.ts';
import { revocation } from './endpoints/token/revocation.ts';
import { token } from './endpoints/token/token.ts';
import { linkPaths } from './grants/mailed-links.ts';
import { signUpPath } from './grants/sign-up.ts';
import { refusePagesAtAlias } from './http/aliases.ts';
import { openIssuer, stripIssuerPath } from './http/base.ts';
import { body } from './http/body.ts';
import { keepBrokenEscapes } from './http/broken-escapes.ts';
import { cacheForever } from './http/cache-forever.ts';
import { anyOrigin, crossOrigin, preflight } from './http/cross-origin.ts';
import { flowPaths } from './http/dialect.ts';
import { directPeersOnly } from './http/direct-peer.ts';
import { offerDpopNonce } from './http/dpop-proof.ts';
import { returnInteractionId } from './http/interaction-id.ts';
import { jsonErrors } from './http/refusals.ts';
import { refuseRepeatedHeaders } from './http/repeated-headers.ts';
import { forwardedAddresses, requestLog } from './http/request-log.ts';
import { addRoute, type Methods, notForHead } from './http/route.ts';
import { bodyWithBoxes } from './pages/form-body.ts';
import { orReturned } from './pages/kept-form.ts';
import { toParent } from './pages/person.ts';
import { authorizationErrors, pageErrors, unknownPathErrors } from './pages/refusals.ts';
import { rememberLanguage } from './pages/remembered-language.ts';
import { assetsDirectory, viewsDirectory } from './pages/render.ts';
import { sessions, stillSignedIn } from './pages/session.ts';
import { compileTemplates } from './pages/templates.ts';
import { callback } from './playground/callback.ts';
import { showDemoMails } from './playground/demo-mails.ts';
import { answerFromDemoWebsite, showDemoWebsite, switchDemoWebsite } from './playground/demo-website.ts';
import { runAttempt, showFlow, showPlayground, showTried, start } from './playground/playground.ts';
import { halfOf, ownConnections } from './postgres/share.ts';
import { administrationPoolSize } from './process/connections.ts';
import { returnPath } from './protocol/website-request.ts';

/** Every path of this server: its methods, the middleware of each from left to right, and the responder for its refusals. */
export function createApp(deps: Deps): Express {
  const app = createExpress(deps);
  const { demo } = deps.config;
  // pages share half of the connections, so that a slow one cannot delay tokens
  const pageDeps = { ...deps, database: halfOf(deps.database) };
  // those for administrators have connections of their own, for short statements
  const adminDeps = { ...deps, database: ownConnections(deps.database, administrationPoolSize(deps.config), '1s') };
  const withSession = sessions(pageDeps);
  const cors = crossOrigin(deps);

  const jsonRoute = (path: string, methods: Methods) => addRoute(app, path, methods, jsonErrors(deps));
  const resourceRoute = (path: string, methods: Methods) => addRoute(app, path, methods, resourceErrors(deps));
  const authorizationRoute = (path: string, methods: Methods) =>
    addRoute(app, path, methods, authorizationErrors(pageDeps));
  const pageRoute = (path: string, methods: Methods) => addRoute(app, path, methods, pageErrors(pageDeps));
  const withForm = (read = body) => [...withSession, read, stillSignedIn];
  /** GET shows the page that has the form; POST does what the form asks for. */
  const formRoute = (path: string, show: RequestHandler, change: RequestHandler, read = body) =>
    pageRoute(path, { get: [...withSession, show], post: [...withForm(read), orReturned(show, change)] });

  /** For everybody but administrators there is no such path, whatever the method. */
  const adminRoute = (path: string, show: RequestHandler, change?: RequestHandler) => {
    const before = [...withSession, administratorsOnly(adminDeps)];
    const post = change && [body, stillSignedIn, administratorsOnly(adminDeps), change];
    addRoute(app, path, { before, get: [show], ...(post && { post }) }, pageErrors(adminDeps));
  };

  jsonRoute('/par', { post: [cors, body, pushAuthorizationRequest(deps)], options: [cors, preflight('POST')] });
  jsonRoute('/token', { post: [cors, body, token(deps, 'rfc')], options: [cors, preflight('POST')] });
  jsonRoute('/revoke', { post: [cors, body, revocation(deps)], options: [cors, preflight('POST')] });
  jsonRoute('/leaked', { post: [body, reportLeakedToken(deps)] });
  jsonRoute('/introspect', { post: [body, introspection(deps)] });
  resourceRoute('/user', {
    get: [cors, returnInteractionId, user(deps)],
    post: [cors, returnInteractionId, body, user(deps)],
    patch: [cors, returnInteractionId, body, changeUser(deps)],
    options: [cors, preflight('GET, POST, PATCH')],
  });

  if (deps.config.registration_endpoint !== 'off') {
    jsonRoute('/register', { post: [body, register(deps)] });
    jsonRoute('/register/:client_id', {
      get: [showRegistration(deps)],
      put: [body, changeRegistration(deps)],
      delete: [deleteRegistration(deps)],
    });
  }

  // GitHub-compatible endpoints
  jsonRoute('/login/oauth/access_token', { post: [body, token(deps, 'github')] });
  for (const root of ['', '/api/v3']) {
    const post = [body, checkToken(deps)];
    jsonRoute(`${root}/applications/:client_id/token`, { post, delete: [body, deleteToken(deps)] });
    jsonRoute(`${root}/applications/:client_id/grant`, { delete: [body, deleteGrant(deps)] });
  }
  resourceRoute('/api/v3/user', { get: [githubUser(deps)] });
  resourceRoute('/api/v3/user/emails', { get: [githubEmails(deps)] });
  resourceRoute('/api/v3/user/orgs', { get: [githubMemberships(deps)] });
  resourceRoute('/api/v3/user/teams', { get: [githubMemberships(deps)] });

  for (const dialect of ['rfc', 'github'] as const) {
    const path = flowPaths[dialect];
    authorizationRoute(path.authorize, {
      get: [...withSession, notForHead, authorize(pageDeps, dialect)],
      post: [body, authorizeByForm(pageDeps, dialect)],
    });
    formRoute(path.login, showLogin(pageDeps, dialect), login(pageDeps, dialect));
    formRoute(path.forgot, showForgotPassword(pageDeps, dialect), askForReset(pageDeps, dialect));
    formRoute(path.sign_up, showSignUp(pageDeps, dialect), askForSignUp(pageDeps, dialect));
    authorizationRoute(path.consent, {
      get: [refuseWithoutForm],
      post: [...withForm(bodyWithBoxes), consent(pageDeps, dialect)],
    });
    pageRoute(path.logout, {
      get: [rememberLanguage(pageDeps), showSignedOut(pageDeps)],
      post: [...withForm(), logout(pageDeps, dialect)],
    });
  }

  formRoute(signUpPath, showFinish(pageDeps), finishSignUp(pageDeps));
  formRoute(linkPaths.not_me, showNotMe(pageDeps), undo(pageDeps));
  formRoute(linkPaths.reset, showReset(pageDeps), resetPassword(pageDeps));
  pageRoute('/login/provider/:name/callback', {
    get: [...withSession, notForHead, returnFromProvider(pageDeps)],
  });
  authorizationRoute(returnPath, {
    get: [...withSession, notForHead, returnFromWebsite(pageDeps)],
    post: [...withForm(), returnFromWebsite(pageDeps)],
  });

  formRoute('/account', showAccount(pageDeps), changeProfile(pageDeps));
  formRoute(linkPaths.address, showConfirmation(pageDeps), confirm(pageDeps));
  formRoute('/account/address', toParent(pageDeps), sendConfirmation(pageDeps));
  formRoute('/account/not-me', showUndoing(pageDeps), undoActivity(pageDeps));
  formRoute('/account/notices', toParent(pageDeps), changeNotices(pageDeps));
  formRoute('/account/password', showPasswordForm(pageDeps), changePassword(pageDeps));
  formRoute('/account/password/remove', showPasswordRemoval(pageDeps), removePassword(pageDeps));
  formRoute('/account/password/set', showNewPassword(pageDeps), setPassword(pageDeps));
  formRoute('/account/passkeys/new', showNewPasskey(pageDeps, 'passkey'), addPasskey(pageDeps, 'passkey'));
  formRoute(
    '/account/passkeys/new-key',
    showNewPasskey(pageDeps, 'security_key'),
    addPasskey(pageDeps, 'security_key'),
  );
  formRoute('/account/passkeys/:passkey', showPasskey(pageDeps), changePasskey(pageDeps));
  formRoute('/account/sessions', showSessions(pageDeps), endSession(pageDeps));
  formRoute('/account/identities', showPasswordForm(pageDeps), unlink(pageDeps));
  formRoute('/account/security', showAccountSecurity(pageDeps), changeSecondFactor(pageDeps));
  pageRoute('/account/activity', { get: [...withSession, showActivity(pageDeps)] });
  formRoute('/account/connect/:name', showConnectProvider(pageDeps), connectProvider(pageDeps));
  formRoute('/account/delete', showDeletion(pageDeps), deleteAccount(pageDeps));
  pageRoute('/account/export', { get: [...withSession, notForHead, exportAccount(pageDeps)] });
  pageRoute('/.well-known/change-password', { get: [showPasswordForm(pageDeps)] });
  pageRoute('/account/applications', { get: [...withSession, showApplications(pageDeps)] });
  formRoute('/account/applications/:client_id', showApplication(pageDeps), changePermissions(pageDeps), bodyWithBoxes);
  formRoute('/account/applications/:client_id/revoke', toParent(pageDeps), revokeApplication(pageDeps));

  for (const chapter of chapters) {
    pageRoute(chapter.path, { get: [...withSession, showChapter(pageDeps, chapter)] });
  }
  const application = '/developer/applications/:client_id';
  pageRoute('/developer/applications', { get: [...withSession, showDeveloperApplications(pageDeps)] });
  formRoute('/developer/applications/new', showNewApplication(pageDeps), registerNewApplication(pageDeps));
  formRoute(application, showDeveloperApplication(pageDeps, 'overview'), changeApplication(pageDeps));
  for (const part of ['credentials', 'registration', 'activity'] as const) {
    pageRoute(`${application}/${part}`, { get: [...withSession, showDeveloperApplication(pageDeps, part)] });
  }
  pageRoute(`${application}/connect`, { get: [...withSession, showConnect(pageDeps)] });
  pageRoute(`${application}/connect/:library`, { get: [...withSession, showConnect(pageDeps)] });
  formRoute(`${application}/security`, showSecurity(pageDeps), changeSecurity(pageDeps));
  formRoute(`${application}/secrets`, toParent(pageDeps), addSecret(pageDeps));
  pageRoute(`${application}/secrets/new`, { get: [...withSession, notForHead, showNewSecret(pageDeps)] });
  formRoute(`${application}/secrets/delete`, toParent(pageDeps), deleteSecret(pageDeps));
  formRoute(`${application}/disable`, toParent(pageDeps), disable(pageDeps));
  formRoute(`${application}/enable`, toParent(pageDeps), enable(pageDeps));
  formRoute(`${application}/vouch`, toParent(pageDeps), vouch(pageDeps));
  formRoute(`${application}/delete`, toParent(pageDeps), deleteApplication(pageDeps));
  formRoute(`${application}/token`, toParent(pageDeps), showTokenHistory(pageDeps));

  adminRoute('/admin', showPeople(adminDeps));
  adminRoute('/admin/people', showPeople(adminDeps));
  adminRoute('/admin/people/:user_id', showPerson(adminDeps), changePerson(adminDeps));
  adminRoute('/admin/grants', showGrants(adminDeps), changeGrants(adminDeps));
  adminRoute('/admin/events', showEvents(adminDeps));
  adminRoute('/admin/events/export', toParent(adminDeps), exportAudit(adminDeps));
  adminRoute('/admin/applications', findApplications(adminDeps));
  adminRoute('/admin/applications/:client_id', showAdministered(adminDeps), administer(adminDeps));
  adminRoute('/admin/scopes', showScopes(adminDeps), registerScope(adminDeps));
  adminRoute('/admin/scopes/:name', showScope(adminDeps), changeScope(adminDeps));
  adminRoute('/admin/resources', showResources(adminDeps), registerResource(adminDeps));
  adminRoute('/admin/resources/:resource', showResource(adminDeps), deleteResource(adminDeps));
  adminRoute('/admin/health', showHealth(adminDeps));
  adminRoute('/admin/charts', showCharts(adminDeps));

  pageRoute('/brand.css', { get: [cacheForever, showBrandSheet(pageDeps)] });
  pageRoute('/errors/:code', { get: [...withSession, explainError(pageDeps)] });

  if (demo) {
    pageRoute('/playground', { get: [...withSession, showPlayground(pageDeps)] });
    pageRoute('/playground/start', { post: [...withForm(), start(pageDeps)] });
    pageRoute('/playground/callback', { get: [...withSession, notForHead, callback(pageDeps)] });
    formRoute('/playground/website', showDemoWebsite(pageDeps), answerFromDemoWebsite(pageDeps));
    if (deps.config.shows_mails) pageRoute('/playground/mails', { get: [...withSession, showDemoMails(pageDeps)] });
    pageRoute('/playground/website/switch', { post: [...withForm(), switchDemoWebsite(pageDeps)] });
    pageRoute('/playground/flow', { get: [...withSession, showFlow(pageDeps)] });
    pageRoute('/playground/tried', { get: [...withSession, showTried(pageDeps)] });
    pageRoute('/playground/break', { post: [...withForm(), runAttempt(pageDeps)] });
  }

  jsonRoute('/healthz', { get: [healthz] });
  jsonRoute('/readyz', { get: [readyz(deps)] });
  if (deps.config.metrics_port === undefined) {
    pageRoute('/metrics', { before: [directPeersOnly(deps)], get: [metrics(deps)] });
  }
  const publicDocument = (path: string, show: RequestHandler) =>
    jsonRoute(path, { get: [anyOrigin, show], options: [anyOrigin, preflight('GET')] });
  publicDocument('/jwks', jwks(deps));
  publicDocument('/openapi.json', openapi(deps));
  publicDocument('/developer/docs.txt', showPlainText(deps));
  publicDocument('/.well-known/oauth-authorization-server', serverMetadata(deps));
  publicDocument('/.well-known/oauth-authorization-server/login/oauth', githubMetadata(deps));
  publicDocument('/.well-known/oauth-protected-resource', resourceMetadata(deps));

  // after the routes: a proxy may have removed the path of the issuer before one that is spelt like it
  for (const open of openIssuer(deps)) app.use(open);
  pageRoute('/', { get: [...withSession, home(pageDeps)] });

  // each route has done so by itself
  app.use(refuseRepeatedHeaders);
  app.use('/assets', cacheForever, express.static(assetsDirectory, { cacheControl: false, index: false }));
  app.use(...withSession, refuseUnknownPath(pageDeps), unknownPathErrors(pageDeps));
  return app;
}

/** Express with its settings, and the middleware that every request passes. */
function createExpress(deps: Deps): Express {
  const { trust_proxy } = deps.config;
  const app = express();
  app.enable('case sensitive routing').enable('strict routing');
  // in any other environment Express shows a stack trace when rendering an error page fails
  app.set('env', 'production');
  app.disable('x-powered-by').disable('etag').set('query parser', false).set('trust proxy', trust_proxy);
  app.set('views', viewsDirectory).set('view engine', 'ejs').set('view cache', true);
  app.engine('ejs', compileTemplates(viewsDirectory));
  if (trust_proxy) app.use(forwardedAddresses);
  const optional = [...stripIssuerPath(deps), ...refusePagesAtAlias(deps), ...offerDpopNonce(deps)];
  return app.use(requestLog(deps), keepBrokenEscapes, ...optional);
}
