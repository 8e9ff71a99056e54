import express, { type Express } from 'express';
import { home } from './accounts/home.ts';
import { hasPasskeyHere } from './accounts/passkeys/passkeys.ts';
import { changeUser } from './accounts/profile/patch-user.ts';
import { addAccounts } from './accounts/routes.ts';
import { addAdministration } from './admin/routes.ts';
import { offerDpopNonce } from './clients/dpop-proof.ts';
import type { Deps } from './deps.ts';
import { addressesOf } from './oauth/addresses.ts';
import { unknownPathErrors } from './oauth/page-refusals.ts';
import { addOAuth } from './oauth/routes.ts';
import { addMonitoring } from './operations/health.ts';
import { mayAnyProviderRevoke } from './people/providers/providers.sql.ts';
import { addPeople } from './people/routes.ts';
import { addPlayground } from './playground/routes.ts';
import { addPortal } from './portal/portal.ts';
import { addConsole, addDocuments, addSelfRegistration } from './registration/routes.ts';
import { renderLogin } from './sign-in/login.ts';
import { addSignIn } from './sign-in/routes.ts';
import { completeSignIn } from './sign-in/sign-in.ts';
import { refusePagesAtAlias } from './web/aliases.ts';
import { openIssuer, stripIssuerPath } from './web/base.ts';
import { showBrandSheet } from './web/brand.ts';
import { keepBrokenEscapes } from './web/broken-escapes.ts';
import { cacheForever } from './web/cache-forever.ts';
import { assetsDirectory, viewDirectories } from './web/render.ts';
import { refuseRepeatedHeaders } from './web/repeated-headers.ts';
import { forwardedAddresses, requestLog } from './web/request-log.ts';
import { compileTemplates } from './web/templates.ts';
import { refuseUnknownPath } from './web/unknown-path.ts';

/** This server: what every request passes, the addresses of each module, and what answers all other paths. */
export function createApp(deps: Deps): Express {
  const app = createExpress(deps);
  const addresses = addressesOf(app, deps);
  const { pageDeps, withSession, pageRoute, otherRoute } = addresses;

  addOAuth(addresses, { changeUser: changeUser(deps), hasPasskeyHere, renderLogin, mayAnyProviderRevoke });
  addSelfRegistration(addresses);
  addPeople(addresses);
  addSignIn(addresses);
  addAccounts(addresses, completeSignIn);
  addPortal(addresses);
  addConsole(addresses);
  addDocuments(addresses);
  addAdministration(addresses);
  addPlayground(addresses);
  addMonitoring(addresses);
  otherRoute('/brand.css', { get: [cacheForever, showBrandSheet(pageDeps)] });

  // after the routes: a proxy may have removed the path of the issuer before one that is spelt like it
  for (const open of openIssuer(deps)) app.use(open);
  pageRoute('/', home(pageDeps));

  // each route has done so by itself
  app.use(refuseRepeatedHeaders);
  app.use('/assets', cacheForever, express.static(assetsDirectory, { cacheControl: false, index: false }));
  app.use(...withSession, refuseUnknownPath(pageDeps), unknownPathErrors(pageDeps));
  return app;
}

const renderTemplate = compileTemplates(viewDirectories);

/** Express with its settings, and the middleware that every request passes. */
function createExpress(deps: Deps): Express {
  const { trust_proxy } = deps.config;
  const app = express();
  app.enable('case sensitive routing').enable('strict routing');
  // in any other environment Express shows a stack trace when rendering an error page fails
  app.set('env', 'production');
  app.disable('x-powered-by').disable('etag').set('query parser', false).set('trust proxy', trust_proxy);
  app.set('views', viewDirectories).set('view engine', 'ejs').set('view cache', true);
  app.engine('ejs', renderTemplate);
  if (trust_proxy) app.use(forwardedAddresses);
  const optional = [...stripIssuerPath(deps), ...refusePagesAtAlias(deps), ...offerDpopNonce(deps)];
  return app.use(requestLog(deps), keepBrokenEscapes, ...optional);
}
