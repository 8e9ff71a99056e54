import type { IRouter, RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { sessions, stillSignedIn } from '../identity/session.ts';
import { halfOf } from '../postgres/share.ts';
import { body } from '../web/body.ts';
import { orReturned } from '../web/kept-form.ts';
import { addRoute, type Methods } from '../web/route.ts';
import { anyOrigin, preflight } from './cross-origin.ts';
import { jsonErrors } from './json-refusals.ts';
import { authorizationErrors, pageErrors } from './page-refusals.ts';
import { resourceErrors } from './resource/challenges.ts';

/** What the modules add their addresses to: a function for each kind of address, which refuses in its own format. */
export type Addresses = ReturnType<typeof addressesOf>;

export function addressesOf(app: IRouter, deps: Deps) {
  // pages share half of the connections, so that a slow one cannot delay tokens
  const pageDeps = { ...deps, database: halfOf(deps.database) };
  const withSession = sessions(pageDeps);
  const route = (path: string, methods: Methods) => addRoute(app, path, methods, pageErrors(pageDeps));
  const jsonRoute = (path: string, methods: Methods) => addRoute(app, path, methods, jsonErrors(deps));
  const withForm = (read = body) => [...withSession, read, stillSignedIn];
  return {
    app,
    deps,
    pageDeps,
    withSession,
    withForm,
    jsonRoute,
    resourceRoute: (path: string, methods: Methods) => addRoute(app, path, methods, resourceErrors(deps)),
    authorizationRoute: (path: string, methods: Methods) => addRoute(app, path, methods, authorizationErrors(pageDeps)),
    pageRoute: (path: string, ...get: RequestHandler[]) => route(path, { get: [...withSession, ...get] }),
    /** GET shows the page that has the form; POST does what the form asks for. */
    formRoute: (path: string, show: RequestHandler, change: RequestHandler, read = body) =>
      route(path, { get: [...withSession, show], post: [...withForm(read), orReturned(show, change)] }),
    /** A button on a page: there is nothing to show at this address. */
    buttonRoute: (path: string, change: RequestHandler) => route(path, { post: [...withForm(), change] }),
    /** Refusals are pages, as those of pageRoute; which methods there are, and what runs before each, is left to the caller. */
    otherRoute: route,
    publicDocument: (path: string, show: RequestHandler) =>
      jsonRoute(path, { get: [anyOrigin, show], options: [anyOrigin, preflight('GET')] }),
  };
}
