import express, { type Express, type RequestHandler } from 'express';
import { showActivity } from './accounts/activity/activity.ts';
import { endSession } from './accounts/activity/end-session.ts';
import { showNotMe, showUndoing, undo, undoActivity } from './accounts/activity/not-me.ts';
import { showSessions } from './accounts/activity/sessions.ts';
import { changeSecondFactor } from './accounts/factors/change-factors.ts';
import { showAccountSecurity } from './accounts/factors/security.ts';
import { explainError, home } from './accounts/home.ts';
import { deleteAccount, showDeletion } from './accounts/leaving/delete-account.ts';
import { exportAccount } from './accounts/leaving/export.ts';
import { linkPaths } from './accounts/mail/mailed-links.ts';
import { addPasskey, showNewPasskey } from './accounts/passkeys/new-passkey.ts';
import { changePasskey, showPasskey } from './accounts/passkeys/passkey.ts';
import { hasPasskeyHere } from './accounts/passkeys/passkeys.ts';
import { changePassword, showPasswordForm } from './accounts/passwords/change-password.ts';
import { askForReset, showForgotPassword } from './accounts/passwords/forgot-password.ts';
import { resetPassword, showReset } from './accounts/passwords/reset-password.ts';
import {
  removePassword,
  setPassword,
  showNewPassword,
  showPasswordRemoval,
} from './accounts/passwords/without-password.ts';
import { showAccount } from './accounts/profile/account.ts';
import { revokeApplication, showApplication } from './accounts/profile/application.ts';
import { showApplications } from './accounts/profile/applications.ts';
import { changeNotices } from './accounts/profile/change-notices.ts';
import { changePermissions } from './accounts/profile/change-permissions.ts';
import { changeProfile } from './accounts/profile/change-profile.ts';
import { confirm, sendConfirmation, showConfirmation } from './accounts/profile/confirm-address.ts';
import { connectProvider, showConnect as showConnectProvider } from './accounts/profile/connect.ts';
import { unlink } from './accounts/profile/identities.ts';
import { changeUser } from './accounts/profile/patch-user.ts';
import { askForSignUp, showSignUp } from './accounts/sign-up/ask-for-sign-up.ts';
import { finishSignUp, showFinish } from './accounts/sign-up/finish-sign-up.ts';
import { signUpPath } from './accounts/sign-up/sign-up.ts';
import { administratorsOnly } from './admin/administrator.ts';
import { administer, showAdministered } from './admin/application.ts';
import { findApplications } from './admin/applications.ts';
import { changePerson } from './admin/change-person.ts';
import { showCharts } from './admin/charts.ts';
import { exportAudit, showEvents } from './admin/events.ts';
import { changeGrants, showGrants } from './admin/grants.ts';
import { showHealth } from './admin/health.ts';
import { showPeople } from './admin/people.ts';
import { showPerson } from './admin/person.ts';
import { deleteResource, showResource } from './admin/resource.ts';
import { registerResource, showResources } from './admin/resources.ts';
import { changeScope, showScope } from './admin/scope.ts';
import { registerScope, showScopes } from './admin/scopes.ts';
import { offerDpopNonce } from './clients/dpop-proof.ts';
import type { Deps } from './deps.ts';
import { bodyWithBoxes } from './identity/form-body.ts';
import { toParent } from './identity/person.ts';
import { rememberLanguage } from './identity/remembered-language.ts';
import { sessions, stillSignedIn } from './identity/session.ts';
import { returnPath } from './lib/website-request.ts';
import { authorize } from './oauth/authorize/authorize.ts';
import { authorizeByForm } from './oauth/authorize/authorize-by-form.ts';
import { pushAuthorizationRequest } from './oauth/authorize/par.ts';
import { consent, refuseWithoutForm } from './oauth/consent/consent.ts';
import { anyOrigin, crossOrigin, preflight } from './oauth/cross-origin.ts';
import { flowPaths } from './oauth/github/dialect.ts';
import { checkToken, deleteGrant, deleteToken } from './oauth/github/github-applications.ts';
import { githubEmails, githubMemberships, githubUser } from './oauth/github/github-user.ts';
import { jsonErrors } from './oauth/json-refusals.ts';
import { jwks } from './oauth/metadata/jwks.ts';
import { githubMetadata, resourceMetadata, serverMetadata } from './oauth/metadata/metadata.ts';
import { openapi } from './oauth/metadata/openapi.ts';
import { authorizationErrors, pageErrors, unknownPathErrors } from './oauth/page-refusals.ts';
import { resourceErrors } from './oauth/resource/access-token.ts';
import { user } from './oauth/resource/user.ts';
import { introspection } from './oauth/token/introspection.ts';
import { reportLeakedToken } from './oauth/token/leaked-token.ts';
import { revocation } from './oauth/token/revoke.ts';
import { token } from './oauth/token/token.ts';
import { administrationPoolSize } from './operations/connections.ts';
import { healthz, readyz } from './operations/health.ts';
import { metrics } from './operations/metrics.ts';
import { callback } from './playground/callback.ts';
import { showDemoMails } from './playground/demo-mails.ts';
import { answerFromDemoWebsite, showDemoWebsite, switchDemoWebsite } from './playground/demo-website.ts';
import { runAttempt, showFlow, showPlayground, showTried, start } from './playground/playground.ts';
import { chapters, showChapter, showPlainText } from './portal/portal.ts';
import { halfOf, ownConnections } from './postgres/share.ts';
import { changeApplication, deleteApplication, disable, enable, vouch } from './registration/console/change.ts';
import { showConnect } from './registration/console/connect.ts';
import { registerNewApplication, showNewApplication } from './registration/console/new-application.ts';
import { showDeveloperApplication } from './registration/console/registered-application.ts';
import { showDeveloperApplications } from './registration/console/registered-applications.ts';
import { addSecret, deleteSecret, showNewSecret } from './registration/console/secrets.ts';
import { changeSecurity, showSecurity } from './registration/console/security.ts';
import { showTokenHistory } from './registration/console/show-token-history.ts';
import { changeRegistration, deleteRegistration, showRegistration } from './registration/self/configuration.ts';
import { register } from './registration/self/register.ts';
import { login, renderLogin, showLogin } from './sign-in/login.ts';
import { logout, showSignedOut } from './sign-in/logout.ts';
import { returnFromProvider } from './sign-in/provider-callback.ts';
import { returnFromWebsite } from './sign-in/website-return.ts';
import { refusePagesAtAlias } from './web/aliases.ts';
import { openIssuer, stripIssuerPath } from './web/base.ts';
import { body } from './web/body.ts';
import { showBrandSheet } from './web/brand-sheet.ts';
import { keepBrokenEscapes } from './web/broken-escapes.ts';
import { cacheForever } from './web/cache-forever.ts';
import { directPeersOnly } from './web/direct-peer.ts';
import { returnInteractionId } from './web/interaction-id.ts';
import { orReturned } from './web/kept-form.ts';
import { assetsDirectory, viewDirectories } from './web/render.ts';
import { refuseRepeatedHeaders } from './web/repeated-headers.ts';
import { forwardedAddresses, requestLog } from './web/request-log.ts';
import { addRoute, type Methods, notForHead } from './web/route.ts';
import { compileTemplates } from './web/templates.ts';
import { refuseUnknownPath } from './web/unknown-path.ts';

/** Every path of this server: its methods, the middleware of each from left to right, and the responder for its refusals. */
export function createApp(deps: Deps): Express {
  const app = createExpress(deps);
  const { demo } = deps.config;
  // pages share half of the connections, so that a slow one cannot delay tokens
  const pageDeps = { ...deps, database: halfOf(deps.database) };
  // pages for administrators have connections of their own, for short statements
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

  /** This path exists for administrators only, whatever the method: everybody else gets what an unknown path answers. */
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
      get: [...withSession, notForHead, authorize(pageDeps, dialect, hasPasskeyHere)],
      post: [body, authorizeByForm(pageDeps, dialect)],
    });
    formRoute(path.login, showLogin(pageDeps, dialect), login(pageDeps, dialect));
    formRoute(path.forgot, showForgotPassword(pageDeps, dialect), askForReset(pageDeps, dialect));
    formRoute(path.sign_up, showSignUp(pageDeps, dialect), askForSignUp(pageDeps, dialect));
    authorizationRoute(path.consent, {
      get: [refuseWithoutForm],
      post: [...withForm(bodyWithBoxes), consent(pageDeps, dialect, renderLogin)],
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
  app.set('views', viewDirectories).set('view engine', 'ejs').set('view cache', true);
  app.engine('ejs', compileTemplates(viewDirectories));
  if (trust_proxy) app.use(forwardedAddresses);
  const optional = [...stripIssuerPath(deps), ...refusePagesAtAlias(deps), ...offerDpopNonce(deps)];
  return app.use(requestLog(deps), keepBrokenEscapes, ...optional);
}
