import { readJwt } from '../lib/jwt.ts';
import { thumbprintOf } from '../lib/verifying-key.ts';
import { shell } from '../registration/console/source-text.ts';
import { encode, parameterOf } from './messages.ts';
import type {
  HttpExchange,
  PlaygroundStep,
  ProofMember,
  RepeatedPart,
  ShownExchange,
  ShownProof,
} from './playground.view.ts';
import { sectionsOf } from './sections.ts';

/** Returns an exchange with what the page adds to it. */
export function shown(exchange: HttpExchange): ShownExchange {
  const { step, request, response } = exchange;
  const proof = parameterOf(request.headers, 'DPoP');
  const isPage = step === 'foreign_redirect_uri';
  return {
    ...exchange,
    sections: sectionsOf(step, proof !== undefined),
    proof: proof === undefined ? undefined : decoded(proof),
    // the callback needs the cookie of the browser
    curl: step === 'authorization_response' || step === 'refused_response' ? undefined : curlOf(request),
    repeated: repeatedPart(step, proof),
    is_stolen: step === 'stolen_accepted' && response?.status === 200,
    is_rightly_refused: mayBeRefused.has(step) && response !== undefined && response.status >= 400,
    page_href: isPage ? wholeUrl(request) : undefined,
  };
}

const wholeUrl = ({ url, query = [] }: HttpExchange['request']) => (query.length > 0 ? `${url}?${encode(query)}` : url);

/** The steps that the server should refuse, or may refuse for lack of a permission. */
const mayBeRefused: ReadonlySet<PlaygroundStep> = new Set([
  'change_request',
  'nonce_demanded',
  'reused_code',
  'wrong_verifier',
  'spent_code',
  'foreign_redirect_uri',
  'expired_token',
  'revoked_token',
  'refresh_replay',
  'wrong_secret',
  'tampered_token',
  'token_twice',
  'stolen_accepted',
  'stolen_bearer',
  'stolen_replayed',
  'stolen_other_key',
]);

const redemptions: readonly PlaygroundStep[] = ['token_request', 'reused_code', 'wrong_verifier', 'spent_code'];

function repeatedPart(step: PlaygroundStep, proof: string | undefined): RepeatedPart | undefined {
  if (step === 'authorization_by_reference') return 'request_uri';
  if (proof !== undefined) return 'proof';
  return redemptions.includes(step) ? 'code' : undefined;
}

const headerMembers = ['typ', 'alg', 'jwk'] as const;
const claimNames = ['htm', 'htu', 'ath', 'nonce', 'iat', 'jti'] as const;

function decoded(proof: string): ShownProof | undefined {
  const jwt = readJwt(proof);
  if (!jwt) return undefined;
  const { header, claims } = jwt;
  return {
    header: membersOf({ ...header }, headerMembers),
    claims: membersOf(claims, claimNames),
    thumbprint: thumbprintOf({ ...(header.jwk ?? {}) }),
  };
}

function membersOf(
  values: Readonly<Record<string, unknown>>,
  names: readonly ProofMember[],
): { name: ProofMember; value: string }[] {
  return names.flatMap((name) => {
    const value = values[name];
    if (value === undefined) return [];
    return [{ name, value: typeof value === 'object' ? JSON.stringify(value, undefined, 2) : String(value) }];
  });
}

/** The request as a curl command for a shell. */
function curlOf(request: HttpExchange['request']): string {
  const { method, headers = [], body = [] } = request;
  const parts = [
    `curl -i ${method === 'PATCH' ? '-X PATCH ' : ''}${quoted(wholeUrl(request))}`,
    ...headers
      .filter(({ name }) => name !== 'Content-Type')
      .map(({ name, value }) => `-H ${quoted(`${name}: ${value}`)}`),
    // --data-urlencode sets the content type
    ...body.map(({ name, value }) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
  ];
  return parts.join(' \\\n  ');
}

const quoted = (text: string): string => shell`${text}`.text;
