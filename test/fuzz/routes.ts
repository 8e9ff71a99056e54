import type { Express } from 'express';

export interface Route {
  path: string;
  methods: string[];
}

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
  handle?: { stack?: Layer[] };
}

/** Every address of the program, as its router knows them: a new one cannot be forgotten here. */
export function routesOf(app: Express): Route[] {
  const walk = ({ route, handle }: Layer): Route[] =>
    route
      ? [{ path: route.path, methods: Object.keys(route.methods).filter((method) => method !== '_all') }]
      : (handle?.stack ?? []).flatMap(walk);
  const found = (app as unknown as { router: { stack: Layer[] } }).router.stack.flatMap(walk);
  const paths = [...new Set(found.map(({ path }) => path))];
  return paths.map((path) => ({
    path,
    methods: [...new Set(found.filter((one) => one.path === path).flatMap(({ methods }) => methods))],
  }));
}

/** What an address answers with when it says anything. */
export function contentTypeOf(path: string): RegExp {
  if (path === '/login/oauth/access_token') return /^application\/(x-www-form-urlencoded|json);charset=UTF-8$/;
  if (
    /^\/(par|token|user|revoke|revoke-subject|introspect|leaked|register|register\/.*|login\/provider\/[^/]*\/logout|healthz|readyz|jwks|openapi\.json|api\/.*|applications\/.*|\.well-known\/oauth-.*)$/.test(
      path,
    )
  ) {
    return /^application\/json;charset=UTF-8$/;
  }
  // programs read it, so its refusals are JSON
  if (path === '/developer/docs.txt') return /^(text\/plain|application\/json);charset=UTF-8$/;
  if (path === '/account/export') return /^(application\/json;charset=UTF-8|text\/html; charset=utf-8)$/i;
  // to those for whom it does not exist, as any unknown address
  if (path.startsWith('/admin')) return /^(text\/html; charset=utf-8|application\/json;charset=UTF-8)$/i;
  if (path === '/metrics') return /^(text\/plain|text\/html|application\/json);/;
  if (path.endsWith('.js')) return /^text\/(javascript|html)/;
  return path.endsWith('.css') ? /^text\/(css|html)/ : /^text\/html; charset=utf-8$/i;
}
