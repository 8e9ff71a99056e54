import { encode } from '../../src/playground/messages.ts';
import type { Views } from '../../src/web/views/views.ts';
import { type Fixture, user } from './fixtures-flow.ts';

const pairs = (values: Record<string, string>) => Object.entries(values).map(([name, value]) => ({ name, value }));
const server = 'http://localhost:3000';
const callback = `${server}/playground/callback`;
const json = pairs({ 'Content-Type': 'application/json;charset=UTF-8', 'Cache-Control': 'no-store' });
const unknownToken = 'the access token is unknown, expired, revoked, bound to another key or for another resource';

const section = (rfc: number, number: string) => ({
  label: `RFC ${rfc} §${number}`,
  href: `https://www.rfc-editor.org/rfc/rfc${rfc}#section-${number}`,
});

const modes = {
  mode: 'plain',
  mode_hrefs: { plain: '/playground', bound: '/playground?mode=bound' },
  register_href: '/developer/applications/new',
} as const;

const authorization = pairs({
  response_type: 'code',
  client_id: 'playground',
  redirect_uri: callback,
  scope: 'user albums:read',
  state: 'Yk2v8Qw0sLx',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
});

const playground: Views['playground'] = {
  csrf: 'csrf',
  ...modes,
  thefts: ['stolen_bearer'],
  restart_href: '/playground',
  ask_again_href: '/playground?prompt=consent',
  break_action: '/playground/break',
  uses: ['refresh', 'narrow', 'change_profile', 'revoke'],
  breaks: ['reused_code', 'wrong_verifier', 'foreign_redirect_uri', 'expired_token', 'token_twice', 'refresh_replay'],
  permissions: [
    { scope: 'user:name', sentence: '', granted: true },
    { scope: 'user:email', sentence: '', granted: false },
    { scope: 'albums:read', sentence: 'See your photo albums', granted: true },
  ],
  chosen: [{ type: 'albums', identifier: 'kittens' }],
  choice_href: '/account/applications/playground',
  received: pairs({ id: '1', sub: '1', username: 'alice', name: 'Alice Liddell' }),
  exchanges: [
    {
      step: 'authorization_request',
      sections: [section(6749, '4.1.1'), section(7636, '4.3')],
      by: 'browser',
      request: {
        method: 'GET',
        url: `${server}/authorize`,
        query: authorization,
      },
    },
    {
      step: 'authorization_response',
      sections: [section(6749, '4.1.2'), section(9207, '2')],
      by: 'browser',
      request: {
        method: 'GET',
        url: callback,
        query: pairs({ code: 'lk_ac_EXAMPLE0c3m8Qd1', state: 'Yk2v8Qw0sLx', iss: server }),
      },
    },
    {
      step: 'token_request',
      sections: [section(6749, '4.1.3')],
      repeated: 'code',
      by: 'application',
      request: {
        method: 'POST',
        url: `${server}/token`,
        headers: pairs({
          Authorization: 'Basic cGxheWdyb3VuZDpsa19jc19FWEFNUExF',
          'Content-Type': 'application/x-www-form-urlencoded',
        }),
        body: pairs({
          grant_type: 'authorization_code',
          code: 'lk_ac_EXAMPLE0c3m8Qd1',
          redirect_uri: callback,
          code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
        }),
      },
      response: {
        status: 200,
        headers: json,
        members: pairs({
          access_token: 'lk_at_EXAMPLE7h2kS9',
          token_type: 'Bearer',
          expires_in: '3600',
          refresh_token: 'lk_rt_EXAMPLEw5Xn3',
          scope: 'user:name albums:read',
          authorization_details: JSON.stringify([{ type: 'albums', identifier: 'kittens' }], undefined, 2),
        }),
      },
      curl: `curl -X POST ${server}/token \\\n  -d grant_type=authorization_code \\\n  -d code=lk_ac_EXAMPLE0c3m8Qd1 \\\n  -d client_id=playground`,
    },
  ],
};

export const playgroundFixtures: Fixture[] = [
  {
    name: 'playground',
    view: 'playground',
    data: {
      csrf: 'csrf',
      ...modes,
      thefts: [],
      start_href: `${server}/authorize?${encode(authorization)}`,
      ask_again_href: '/playground?prompt=consent',
      uses: [],
      breaks: [],
      exchanges: playground.exchanges.slice(0, 1),
      other_host: { host: '127.0.0.1:3000', domain: 'localhost:3000', href: `${server}/playground` },
      demo_user: { username: 'alice', password: 'wonderland' },
    },
  },
  { name: 'playground-done', view: 'playground', data: { ...playground, viewer: user } },
  {
    name: 'playground-refused',
    view: 'playground',
    data: {
      ...playground,
      received: undefined,
      permissions: undefined,
      chosen: undefined,
      flow_href: '/playground/flow',
      ended: true,
      uses: [],
      thefts: [],
      breaks: ['wrong_verifier', 'foreign_redirect_uri'],
      exchanges: [
        {
          step: 'reused_code',
          is_rightly_refused: true,
          sections: [section(6749, '4.1.2')],
          by: 'application',
          request: {
            method: 'POST',
            url: `${server}/token`,
            headers: pairs({
              Authorization: 'Basic cGxheWdyb3VuZDpsa19jc19FWEFNUExF',
              'Content-Type': 'application/x-www-form-urlencoded',
            }),
            body: pairs({
              grant_type: 'authorization_code',
              code: 'lk_ac_EXAMPLE0c3m8Qd1',
              redirect_uri: callback,
              code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
            }),
          },
          response: {
            status: 400,
            headers: json,
            members: pairs({
              error: 'invalid_grant',
              error_description:
                'the authorization code or refresh token is invalid, expired, revoked or not for this client and request',
              error_uri: `${server}/errors/invalid_grant`,
              request_id: '9bd36eb62f5a-m',
            }),
          },
        },
        {
          step: 'revoked_token',
          is_rightly_refused: true,
          sections: [section(6750, '3.1'), section(7009, '2')],
          by: 'application',
          request: {
            method: 'GET',
            url: `${server}/user`,
            headers: pairs({ Authorization: 'Bearer lk_at_EXAMPLE2b6n4Rt' }),
          },
          response: {
            status: 401,
            headers: [
              ...json,
              {
                name: 'WWW-Authenticate',
                value: `Bearer error="invalid_token", error_description="${unknownToken}", resource_metadata="${server}/.well-known/oauth-protected-resource"`,
              },
            ],
            members: pairs({
              error: 'invalid_token',
              error_description: unknownToken,
              error_uri: `${server}/errors/invalid_token`,
              request_id: '9bd36eb62f5a-n',
            }),
          },
        },
      ],
    },
  },
];
