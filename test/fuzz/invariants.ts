import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { decodeJwt } from 'jose';
import { printer } from '../support/latchkey.ts';
import { marker } from './dictionary.ts';
import type { FuzzedRequest } from './requests.ts';
import { contentTypeOf } from './routes.ts';

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export function send(origin: string, { method, path, headers, body }: FuzzedRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const bytes = Buffer.from(body);
    const all = { ...headers, ...(bytes.length > 0 && { 'content-length': bytes.length }) };
    const sent = request(
      { agent, hostname, port, method, path, headers: all, timeout: 20_000, maxHeaderSize: 2 ** 16 },
      (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () =>
          resolve({ status: res.statusCode ?? 0, headers: res.headers, text: Buffer.concat(chunks).toString() }),
        );
        res.on('error', reject);
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('no answer in 20 s')));
    sent.on('error', reject);
    sent.end(bytes);
  });
}

const alphabet = /^[\x20\x21\x23-\x5B\x5D-\x7E]*$/;

/** What is true of every answer, whatever the request was. */
export function assertInvariants(route: string, { method, path }: FuzzedRequest, answer: Answer): void {
  const { status, headers, text } = answer;
  const told = `${method} ${path.slice(0, 300)}: ${status} ${text.slice(0, 300)}`;
  assert.ok(status >= 200 && status < 500, told);
  // what the HTTP parser itself refuses never reached us
  if (status === 431 || (status === 400 && text === '' && headers['content-type'] === undefined)) return;
  assert.ok(status < 400 || headers['x-request-id'], told);
  assert.ok(!('zq' in headers) && !JSON.stringify(headers['set-cookie'] ?? '').includes('zq='), told);
  assert.ok(!text.includes(marker), `reflected: ${told}`);
  if (headers['location'] !== undefined) return assertTarget(String(headers['location']), told);
  if (text === '') return;
  assert.match(String(headers['content-type']), contentTypeOf(route), told);
  if (!String(headers['content-type']).startsWith('application/json')) return;
  const body = JSON.parse(text) as Record<string, unknown>;
  if (status < 400) return;
  assert.match(String(body['error']), /^[a-z_]+$/, told);
  assert.match(String(body['error_description']), alphabet, told);
  assert.equal(body['request_id'], headers['x-request-id'], told);
}

/** A page of our own, or a redirection URI that is registered, with an error of the RFC or a code. */
function assertTarget(location: string, told: string): void {
  assert.match(location, /^[\x21-\x7e]+$/, told);
  if (/^\/(?![/\\])/.test(location)) return;
  const [uri, query] = [location.slice(0, printer.redirect_uri.length), location.slice(printer.redirect_uri.length)];
  const isOurs = /^http:\/\/(localhost|127\.0\.0\.1):\d+\/playground\/callback\?/.test(location);
  assert.ok(
    isOurs || (uri === printer.redirect_uri && query.startsWith('?')),
    `an unregistered target: ${location} ${told}`,
  );
  const answer = answerIn(new URL(location).searchParams);
  assert.ok(answer.has('code') !== answer.has('error') && answer.has('iss'), told);
  for (const name of ['code', 'error', 'state', 'iss']) assert.ok(answer.getAll(name).length <= 1, told);
  assert.match(answer.get('error') ?? '', /^[a-z_]*$/, told);
  assert.match(answer.get('error_description') ?? '', alphabet, told);
}

/** The parameters of an authorization response, which response_mode=jwt signs as the claims of one JWT. */
function answerIn(query: URLSearchParams): URLSearchParams {
  const signed = query.get('response');
  if (signed === null) return query;
  assert.equal(query.size, 1);
  return new URLSearchParams(Object.entries(decodeJwt(signed)).map(([name, value]) => [name, String(value)]));
}
