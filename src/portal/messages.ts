import { calledEndpoints } from '../web/endpoints.ts';
import {
  addressLines,
  answer,
  authorizationExample,
  codeOf,
  exchange,
  form,
  profileAnswer,
  profileExample,
  redirect_uri,
  statusLine,
  tokenAnswer,
  tokenExample,
} from './example-messages.ts';
import { exampleId } from './examples.ts';
import type { Facts } from './facts.ts';
import type { PortalFact, PortalSection, PortalSentence } from './portal.view.ts';
import { stronger } from './stronger.ts';
import { type Chapter, duration, pageAt, say, sectionAt, term } from './words.ts';

/** The messages of a flow, with the values of this server; a test compares their members with real answers. */
export const messages: Chapter = {
  path: '/developer/messages',
  title: 'portal.messages',
  about: 'portal.messages.about',
  sections: (facts) => [
    authorizationRequest(facts),
    tokenRequest(facts),
    refreshRequest(facts),
    profile(facts),
    {
      heading: say('portal.messages.more'),
      bullets: [
        say('portal.messages.introspection', { page: pageAt(facts, '/developer/api') }),
        say('portal.messages.revocation', { page: pageAt(facts, '/developer/sign-out') }),
        say('portal.messages.errors', { page: pageAt(facts, '/developer/errors') }),
      ],
    },
  ],
};

/** When a request needs a parameter that others do without. */
const needs = {
  redirect_uri: say('portal.required_several'),
  code_challenge: say('portal.required_public'),
  code_challenge_method: say('portal.required_public'),
  code_verifier: say('portal.required_public'),
  client_secret: say('portal.required_confidential'),
};

/** The parameters of a request, those that it needs before the others. */
function parameters(
  required: Record<string, PortalSentence>,
  optional: Record<string, PortalSentence>,
  demands: Record<string, PortalSentence> = needs,
): PortalFact[] {
  const rows = (names: Record<string, PortalSentence>, is_required: boolean) =>
    Object.entries(names).map(([name, about]) => ({
      ...{ name: term(name), about: [about] },
      is_required: demands[name] ?? is_required,
    }));
  return [...rows(required, true), ...rows(optional, false)];
}

const always = (code: string) => say('portal.messages.response_type', { code });
const clientId = { client_id: say('portal.messages.client_id') };
const clientSecret = { client_secret: say('portal.messages.secret', { id: 'client_id', secret: 'client_secret' }) };

function authorizationRequest(facts: Facts): PortalSection {
  const [one = '', two = ''] = facts.acr_names;
  const required = {
    response_type: always('code'),
    ...clientId,
    redirect_uri: say('portal.messages.registered'),
    code_challenge: say('portal.messages.challenge', { verifier: 'code_verifier' }),
    code_challenge_method: always('S256'),
  };
  const optional = {
    scope: say('portal.messages.requested'),
    authorization_details: say('portal.messages.details', { page: pageAt(facts, '/developer/choices-request') }),
    state: say('portal.messages.state'),
    prompt: say('portal.messages.prompt', {
      ...{ none: 'none', login: 'login', consent: 'consent', select_account: 'select_account' },
      errors: 'login_required, consent_required',
    }),
    login_hint: say('portal.messages.login_hint'),
    ui_locales: say('portal.messages.ui_locales', { language: 'de' }),
    max_age: say('portal.messages.max_age', { now: '0' }),
    acr_values: say('portal.messages.acr_values', { one, two, error: 'unmet_authentication_requirements' }),
    resource: say('portal.messages.resource', { page: pageAt(facts, '/developer/reference') }),
    response_mode: say('portal.messages.response_mode', { form: 'form_post' }),
  };
  return {
    heading: say('portal.messages.authorize'),
    sentences: [
      say('portal.messages.authorize_text', {
        ...{ answer: 'code, state, iss', error: 'error, state, iss' },
        ...{ state: 'state', iss: 'iss', issuer: facts.issuer },
      }),
    ],
    remarks: [
      say('portal.messages.push', { page: sectionAt(facts, stronger, 'portal.stronger.par') }),
      say('portal.messages.lines'),
    ],
    facts: parameters(required, optional),
    ...exchange(authorizationExample(facts), {
      id: 'authorization-answer',
      label: say('portal.response'),
      name: statusLine(302),
      about: [],
      text: addressLines(
        `Location: ${redirect_uri}?code=${codeOf('ac')}&state=STATE&iss=${encodeURIComponent(facts.issuer)}`,
      ),
    }),
  };
}

/** What a token request can narrow. */
const part = 'resource, authorization_details';

function tokenRequest(facts: Facts): PortalSection {
  return {
    heading: say('portal.messages.token'),
    sentences: [say('portal.messages.authenticate')],
    remarks: [
      say('portal.messages.granted', { scope: 'scope' }),
      say('portal.messages.once', { refresh_token: 'refresh_token', member: 'authorization_expires_in' }),
    ],
    facts: parameters(
      {
        grant_type: always('authorization_code'),
        code: say('portal.messages.code', { time: duration(facts.authorization_code_ttl) }),
        redirect_uri: say('portal.messages.same_uri'),
        ...clientId,
        code_verifier: say('portal.messages.verifier', { challenge: 'code_challenge' }),
        ...clientSecret,
      },
      { [part]: say('portal.messages.part') },
      { ...needs, redirect_uri: say('portal.required_sent') },
    ),
    ...exchange(tokenExample(facts), answer('token-answer', 200, tokenAnswer(facts))),
  };
}

export const keepTokens = say('portal.keep', {
  ...{ many: '429', away: '503', header: 'Retry-After', error: 'invalid_grant' },
});

function refreshRequest(facts: Facts): PortalSection {
  const { token_endpoint } = calledEndpoints(facts);
  const fields = { grant_type: 'refresh_token', refresh_token: codeOf('rt'), client_id: exampleId };
  return {
    heading: say('portal.messages.refresh'),
    sentences: [
      say('portal.refresh', { grace: duration(facts.refresh_grace) }),
      say('portal.messages.reuse', { error: 'invalid_grant' }),
      keepTokens,
    ],
    facts: parameters(
      {
        ...{ grant_type: always('refresh_token'), refresh_token: say('portal.messages.latest') },
        ...clientId,
        ...clientSecret,
      },
      { [`scope, ${part}`]: say('portal.messages.narrow') },
    ),
    ...exchange(form('refresh-request', token_endpoint, fields), answer('refresh-answer', 200, tokenAnswer(facts))),
  };
}

export const emptyFields = say('portal.messages.email', {
  ...{ email: 'email', null: 'null', verified: 'email_verified', false: 'false', name: 'name' },
});

const profile = (facts: Facts): PortalSection => ({
  heading: say('portal.messages.user'),
  sentences: [
    say('portal.messages.user_text', { always: 'id, sub', page: pageAt(facts, '/developer/reference') }),
    emptyFields,
  ],
  ...exchange(profileExample(facts), answer('user-answer', 200, profileAnswer)),
});
