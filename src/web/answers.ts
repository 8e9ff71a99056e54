import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Response } from 'express';
import type { Config } from '../config/config.ts';
import type { RefusalTarget } from '../lib/errors.ts';
import { type AnswerToClient, redirectionTo } from '../lib/redirect-uri.ts';
import { addressWith, type Website } from '../lib/website.ts';
import { commonHeaders } from './request-log.ts';

/**
 * Sends an answer that is never stored [6749 §5.1]; without `res.send` of Express, which rewrites the content type and computes an ETag.
 */
export function answer(res: ServerResponse, status: number, contentType: string, body: string): void {
  write(res, status, { 'Content-Type': contentType, 'Cache-Control': 'no-store', Pragma: 'no-cache' }, body);
}

function write(res: ServerResponse, status: number, headers: Record<string, string>, body: string): void {
  // an object literal that begins with a spread costs Node 20 seven microseconds
  res.writeHead(status, {
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    Vary: 'Accept, Authorization, Origin',
    ...headers,
    ...commonHeaders(res),
  });
  res.end(body);
}

const jsonType = 'application/json;charset=UTF-8';

export function answerJson(res: Response, status: number, body: object): void {
  answer(res, status, jsonType, JSON.stringify(body));
}

/** The status says it all. */
export function answerWithoutBody(res: Response, status: 200 | 204): void {
  const length = status === 200 ? { 'Content-Length': 0 } : {};
  res.writeHead(status, { ...commonHeaders(res), 'Cache-Control': 'no-store', ...length }).end();
}

/**
 * Sends a file that a browser keeps and nobody else stores, piece by piece: the next piece is made when the connection has taken
 * the piece before, and none after the connection has closed. If a piece cannot be made, the connection is still open, so that the
 * log says why it ends.
 */
export async function answerDownload(
  res: Response,
  contentType: string,
  name: string,
  pieces: AsyncIterable<string>,
): Promise<void> {
  const closed = new AbortController();
  res.once('close', () => closed.abort());
  res.writeHead(200, {
    ...commonHeaders(res),
    'Content-Type': contentType,
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
  for await (const piece of pieces) {
    const isTaken = res.write(piece) || (await isDrained(res, closed.signal));
    if (!isTaken || closed.signal.aborted) return;
  }
  res.end();
}

const isDrained = (res: Response, signal: AbortSignal): Promise<boolean> =>
  once(res, 'drain', { signal }).then(
    () => true,
    () => false,
  );

/** Sends a document that is the same for everybody, and which caches may keep for `maxAge` seconds. */
export function answerCacheableJson(res: Response, body: object, maxAge: number): void {
  const headers = { 'Content-Type': jsonType, 'Cache-Control': `public, max-age=${maxAge}` };
  write(res, 200, headers, JSON.stringify(body));
}

/**
 * Sends a text that is the same for everybody, which browsers take for nothing but text, and which caches may keep for `maxAge`
 * seconds.
 */
export function answerCacheableText(res: Response, body: string, maxAge: number): void {
  const headers = { 'Content-Type': 'text/plain;charset=UTF-8', 'Cache-Control': `public, max-age=${maxAge}` };
  write(res, 200, headers, body);
}

/** Redirects to the verified redirection URI, with the answer in its query. */
export function redirectToClient(res: Response, { redirect_uri }: RefusalTarget, answer: AnswerToClient): void {
  redirect(res, redirectionTo(redirect_uri, answer));
}

/** Redirects to the operator's own login page. */
export function redirectToWebsite(res: Response, website: Website, request: string): void {
  redirect(res, addressWith(website, request));
}

/** Redirects to a page of this server. The location is a path, so the browser keeps the host name that it used. */
export function redirectWithin(res: Response, config: Config, path: `/${string}`, status: 302 | 303 = 302): void {
  redirect(res, config.base + path, status);
}

/** Redirects to a site at which the operator lets people sign in. */
export function redirectToProvider(res: Response, url: URL): void {
  redirect(res, url.href);
}

function redirect(res: Response, location: string, status: 302 | 303 = 302): void {
  res.writeHead(status, {
    ...commonHeaders(res),
    Location: location,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'Content-Length': 0,
  });
  res.end();
}
