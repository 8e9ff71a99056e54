import { rememberLanguage } from '../identity/remembered-language.ts';
import { returnPath } from '../lib/website-request.ts';
import type { Addresses } from '../oauth/addresses.ts';
import { dialects, flowPaths } from '../oauth/github/dialect.ts';
import { notForHead } from '../web/route.ts';
import { login, showLogin } from './login.ts';
import { logout, showSignedOut } from './logout.ts';
import { returnFromProvider } from './provider-callback.ts';
import { returnFromWebsite } from './website-return.ts';

export function addSignIn(addresses: Addresses): void {
  const { pageDeps: deps, withSession, withForm, authorizationRoute, pageRoute, formRoute, otherRoute } = addresses;
  for (const dialect of dialects) {
    formRoute(flowPaths[dialect].login, showLogin(deps, dialect), login(deps, dialect));
    otherRoute(flowPaths[dialect].logout, {
      get: [rememberLanguage(deps), showSignedOut(deps)],
      post: [...withForm(), logout(deps, dialect)],
    });
  }
  pageRoute('/login/provider/:name/callback', notForHead, returnFromProvider(deps));
  authorizationRoute(returnPath, {
    get: [...withSession, notForHead, returnFromWebsite(deps)],
    post: [...withForm(), returnFromWebsite(deps)],
  });
}
