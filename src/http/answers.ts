import type { ServerResponse } from 'node:http';
import type { Response } from 'express';
import type { Config } from '../config.ts';
import type { RefusalTarget } from '../protocol/errors.ts';
import { redirectionTo } from '../protocol/redirect-uri.ts';
import { commonHeaders } from './request-log.ts';

/** Not `res.send` of Express, which rewrites the content type and computes an ETag; these answers are never stored [6749 §5.1]. */
export function answer(res: ServerResponse, status: number, contentType: string, body: string): void {
  res.writeHead(status, {
    ...commonHeaders(res),
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    Pragma: 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    Vary: 'Authorization, Origin',
  });
  res.end(body);
}

export function answerJson(res: Response, status: number, body: object): void {
  answer(res, status, 'application/json;charset=UTF-8', JSON.stringify(body));
}

export type AnswerToClient = Record<string, string | undefined>;

/** The verified redirection URI with the answer's parameters, the state, and `iss` against mix-up attacks [9207 §2]. */
export function clientLocation({ redirect_uri, state, issuer }: RefusalTarget, parameters: AnswerToClient): string {
  return redirectionTo(redirect_uri, { ...parameters, state, iss: issuer });
}

export function redirectToClient(res: Response, target: RefusalTarget, parameters: AnswerToClient): void {
  redirect(res, clientLocation(target, parameters));
}

/** Redirects to a page of this server. The location is a path, so the browser keeps the host name that it used. */
export function redirectWithin(res: Response, config: Config, path: `/${string}`): void {
  redirect(res, config.base + path);
}

function redirect(res: Response, location: string): void {
  res.writeHead(302, {
    ...commonHeaders(res),
    Location: location,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'Content-Length': 0,
  });
  res.end();
}
