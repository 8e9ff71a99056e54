import type { Request } from 'express';
import type { Config } from '../../config/config.ts';

/**
 * `github` stands for the GitHub-compatible endpoints. They follow the same rules, but separate scopes by commas, answer
 * form-encoded tokens unless the client accepts JSON, and do not require `grant_type` and `response_type`.
 */
export const dialects = ['rfc', 'github'] as const;
export type Dialect = (typeof dialects)[number];

/** Clients of GitHub Enterprise expect the path of its endpoints in `iss`; their metadata says the same [8414 §3.3]. */
export function issuerOf({ issuer }: Pick<Config, 'issuer'>, dialect: Dialect): string {
  return dialect === 'github' ? `${issuer}/login/oauth` : issuer;
}

export function wantsJson(req: Request): boolean {
  return /\bapplication\/(json|vnd\.github[\w.+-]*json)\b/i.test(req.headers.accept ?? '');
}

/** The paths of the authorization flow. Each step passes the query on unchanged, so that every page can return to the request. */
export const flowPaths = {
  rfc: {
    authorize: '/authorize',
    login: '/login',
    consent: '/consent',
    logout: '/logout',
    forgot: '/forgot-password',
    sign_up: '/sign-up',
  },
  github: {
    authorize: '/login/oauth/authorize',
    login: '/login/oauth/login',
    consent: '/login/oauth/consent',
    logout: '/login/oauth/logout',
    forgot: '/login/oauth/forgot-password',
    sign_up: '/login/oauth/sign-up',
  },
} as const;
