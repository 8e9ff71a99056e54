import type { ErrorRequestHandler, IRouter, RequestHandler } from 'express';
import { OAuthError } from '../lib/errors.ts';
import { refuseRepeatedHeaders } from './repeated-headers.ts';

export type Methods = Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete' | 'options', RequestHandler[]>> & {
  /** before each of them; `next('route')` passes the request on as if the path did not exist */
  before?: RequestHandler[];
};

/** Adds one path: its methods, each with its middleware in order; 405 for other methods; then the error handler. */
export function addRoute(router: IRouter, path: string, methods: Methods, errors: ErrorRequestHandler): void {
  const route = router.route(path);
  if (methods.before) route.all(...methods.before);
  // here, so that each path answers in its own format
  route.all(refuseRepeatedHeaders);
  if (methods.get) route.get(...methods.get);
  if (methods.post) route.post(...methods.post);
  if (methods.put) route.put(...methods.put);
  if (methods.patch) route.patch(...methods.patch);
  if (methods.delete) route.delete(...methods.delete);
  if (methods.options) route.options(...methods.options);
  const allowed = allowedMethods(methods);
  const refuse: RequestHandler = () => {
    throw methodNotAllowed(allowed);
  };
  route.all(refuse, errors);
}

/** Express runs the GET handler for HEAD, too. Where a GET takes effect once, a HEAD would use that up without an answer. */
export const notForHead: RequestHandler = (req, _res, next) => {
  if (req.method === 'HEAD') throw methodNotAllowed(allowedMethods(req.route.methods));
  next();
};

function allowedMethods(methods: object): string[] {
  return Object.keys(methods)
    .filter((method) => !['before', 'options', '_all'].includes(method))
    .map((method) => method.toUpperCase());
}

function methodNotAllowed(allowed: readonly string[]): OAuthError {
  const headers = { Allow: allowed.join(', ') };
  return new OAuthError('method_not_allowed', `this address answers ${headers.Allow} only`, { headers });
}
