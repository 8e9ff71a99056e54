import { createHmac, randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import type { Claims } from '../lib/jwt.ts';
import { verifyOwnJwt } from '../lib/own-jwt.ts';
import { returnPath, websiteRequestType } from '../lib/website-request.ts';
import { findPublicKey } from '../oauth/token/signing-keys.ts';
import { demoWebsite, demoWebsiteCookie } from '../people/website/website.ts';
import { redirectWithin } from '../web/answers.ts';
import { formProblem, issueFormKey } from '../web/form-key.ts';
import type { PageContext } from '../web/page-context.ts';
import { renderView } from '../web/render.ts';
import { bodyParameters, fieldOf, queryParameters } from '../web/request-parameters.ts';

// A provider's website, as small as it can be: it verifies the request of this server, knows two people, and signs its answer.

const people = [
  { sub: 'demo-dora', username: 'dora', name: 'Dora Marquez', email: 'dora@example.com', email_verified: true },
  { sub: 'demo-emil', username: 'emil', name: 'Emil Novak', email: 'emil@example.com', email_verified: true },
];

/** Refuses a request that this server has not signed, or signed too long ago, before it shows a form. */
export const showDemoWebsite =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res };
    const request = await readRequest(page);
    if (!request) return renderWebsite(page, undefined, 400);
    return renderWebsite(page, request);
  };

export const answerFromDemoWebsite =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res };
    const form = bodyParameters(req);
    const request = await readRequest(page);
    if (!request) return renderWebsite(page, undefined, 400);
    if (formProblem(page, form)) return renderWebsite(page, request, 403);
    const person = people.find(({ sub }) => sub === fieldOf(form, 'person'));
    const nonce = String(request['nonce']);
    const answer = person ? { response: sign(deps, person, nonce) } : { nonce, error: 'access_denied' };
    return redirectWithin(res, deps.config, `${returnPath}?${new URLSearchParams(answer)}`);
  };

async function readRequest({ deps, req }: PageContext): Promise<Claims | undefined> {
  const { request } = queryParameters(req);
  const findKey = (kid: string) => findPublicKey(deps.database, kid);
  const claims = typeof request === 'string' ? await verifyOwnJwt(request, websiteRequestType, findKey) : undefined;
  const isForUs = claims?.['aud'] === new URL(deps.config.issuer).origin;
  return isForUs && Number(claims['exp']) > Date.now() / 1000 ? claims : undefined;
}

function sign(deps: Deps, person: (typeof people)[number], nonce: string): string {
  const website = demoWebsite(deps);
  const iat = Math.floor(Date.now() / 1000);
  const times = { iat, exp: iat + 120, auth_time: iat };
  const claims = { ...person, nonce, aud: deps.config.issuer, ...times, jti: randomUUID() };
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const mac = createHmac('sha256', website.secret).update(parts.join('.')).digest('base64url');
  return [...parts, mac].join('.');
}

function renderWebsite(page: PageContext, request: Claims | undefined, status = 200): void {
  const data = {
    csrf: issueFormKey(page),
    people: people.map(({ sub, name }) => ({ sub, name })),
    request: request && JSON.stringify(request, undefined, 2),
  };
  renderView(page, 'demo-website', data, status);
}

/** The button of the sign-in page that leads to the website is shown to whoever has switched it on. */
export const switchDemoWebsite =
  (deps: Deps): RequestHandler =>
  (req, res) => {
    const form = bodyParameters(req);
    const { secure } = deps.config;
    const isOn = fieldOf(form, 'website') === 'on';
    if (formProblem({ deps, req, res }, form) === undefined) {
      res.cookie(demoWebsiteCookie, isOn ? 'on' : 'off', { httpOnly: true, sameSite: 'lax', secure, path: '/' });
    }
    redirectWithin(res, deps.config, '/playground');
  };
