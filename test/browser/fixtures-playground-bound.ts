import type { HttpParameter, ShownExchange, ShownProof } from '../../src/playground/playground.view.ts';
import type { Views } from '../../src/web/views/views.ts';
import type { Fixture } from './fixtures-flow.ts';

const server = 'http://localhost:3000';
const pairs = (values: Record<string, string>): HttpParameter[] =>
  Object.entries(values).map(([name, value]) => ({ name, value }));
const section = (rfc: number, number: string) => ({
  label: `RFC ${rfc} §${number}`,
  href: `https://www.rfc-editor.org/rfc/rfc${rfc}#section-${number}`,
});

const authenticated = pairs({
  Authorization: 'Basic cGxheWdyb3VuZDpsa19jc19FWEFNUExF',
  'Content-Type': 'application/x-www-form-urlencoded',
});

const jwk = {
  kty: 'EC',
  crv: 'P-256',
  x: 'oRh6FsQtmHmhfOn1hC5IUTOMEfQFM-4yNyhbxCxXQm4',
  y: 'fcBvn4c2ahJubiO85NMfo5wrWdGpDHZ4F34wC-XRCOc',
};
const thumbprint = 'wn93vKJkOeQfNJaOYv7htVOjiKYXqLMXc7UJ1keOHCQ';
const claims = {
  htm: 'GET',
  htu: `${server}/user`,
  ath: 'v5e4F7zfjFnDtuVhPloyI3DAdGoqktPbZOVbb7ErwpI',
  iat: 1795357717,
  jti: 'yxmGV7_Nhrj7ZzKl',
};

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const proofText = [encoded({ typ: 'dpop+jwt', alg: 'ES256', jwk }), encoded(claims), 'EXAMPLE0signature'].join('.');
const proof: ShownProof = {
  header: [
    { name: 'typ', value: 'dpop+jwt' },
    { name: 'alg', value: 'ES256' },
    { name: 'jwk', value: JSON.stringify(jwk) },
  ],
  claims: (['htm', 'htu', 'ath', 'iat', 'jti'] as const).map((name) => ({ name, value: String(claims[name]) })),
  thumbprint,
};

const userRequest: ShownExchange = {
  step: 'resource_request',
  sections: [section(9449, '7.1')],
  by: 'application',
  request: {
    method: 'GET',
    url: claims.htu,
    headers: pairs({ Authorization: 'DPoP lk_at_EXAMPLE7h2kS9', DPoP: proofText }),
  },
  proof,
  response: {
    status: 200,
    headers: pairs({ 'Content-Type': 'application/json;charset=UTF-8' }),
    members: pairs({ id: '1', sub: '1', username: 'alice' }),
  },
  curl: `curl -i ${claims.htu} \\\n  -H 'Authorization: DPoP lk_at_EXAMPLE7h2kS9' \\\n  -H 'DPoP: ${proofText}'`,
  repeated: 'proof',
};

const introspection: ShownExchange = {
  step: 'introspection_request',
  sections: [section(7662, '2'), section(9449, '6.2')],
  by: 'application',
  request: {
    method: 'POST',
    url: `${server}/introspect`,
    headers: authenticated,
    body: pairs({ token: 'lk_at_EXAMPLE7h2kS9' }),
  },
  response: {
    status: 200,
    headers: [],
    members: pairs({ active: 'true', token_type: 'DPoP', cnf: JSON.stringify({ jkt: thumbprint }) }),
  },
};

const stolen: ShownExchange = {
  step: 'stolen_accepted',
  sections: [section(6750, '5.1')],
  by: 'application',
  request: { method: 'GET', url: claims.htu, headers: pairs({ Authorization: 'Bearer lk_at_EXAMPLE7h2kS9' }) },
  response: userRequest.response,
  is_stolen: true,
};

const page: Views['playground'] = {
  csrf: 'csrf',
  mode: 'bound',
  mode_hrefs: { plain: '/playground', bound: '/playground?mode=bound' },
  register_href: '/developer/applications/new',
  restart_href: '/playground?mode=bound',
  ask_again_href: '/playground?mode=bound&prompt=consent',
  break_action: '/playground/break',
  uses: ['refresh', 'revoke'],
  thefts: ['stolen_bearer', 'stolen_replayed', 'stolen_other_key'],
  breaks: ['reused_code', 'wrong_verifier'],
  exchanges: [],
};

export const boundPlaygroundFixtures: Fixture[] = [
  {
    name: 'playground-pushed',
    view: 'playground',
    data: {
      ...page,
      restart_href: undefined,
      break_action: undefined,
      start_action: '/playground/start',
      demo_user: { username: 'alice', password: 'wonderland' },
      uses: [],
      thefts: [],
      breaks: [],
      exchanges: [
        {
          step: 'push_request',
          sections: [section(9126, '2.1'), section(9449, '10')],
          by: 'application',
          request: {
            method: 'POST',
            url: `${server}/par`,
            headers: authenticated,
            body: pairs({
              response_type: 'code',
              client_id: 'playground',
              redirect_uri: `${server}/playground/callback`,
              scope: 'user albums:read',
              state: 'sPPjw1rVNi0aFidH',
              code_challenge: 'SIoLMSoNOftSF0TYz902Nl8q1EhEmNYoeuiK88HsYWs',
              code_challenge_method: 'S256',
              dpop_jkt: thumbprint,
            }),
          },
        },
      ],
    },
  },
  { name: 'playground-bound', view: 'playground', data: { ...page, exchanges: [introspection, userRequest] } },
  {
    name: 'playground-stolen',
    view: 'playground',
    data: { ...page, mode: 'plain', flow_href: '/playground/flow', thefts: ['stolen_bearer'], exchanges: [stolen] },
  },
];
