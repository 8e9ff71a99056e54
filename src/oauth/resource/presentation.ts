import type { Request } from 'express';
import { clientCertificate } from '../../clients/presented-certificate.ts';
import type { OneTimeProof, ProofFault } from '../../clients/used-proofs.sql.ts';
import type { Deps } from '../../deps.ts';
import { type Binding, isCertificateBinding } from '../../lib/binding.ts';
import { bindingOf } from '../../lib/certificate.ts';
import { OAuthError } from '../../lib/errors.ts';
import { bodyParameters, isForm, queryParameters } from '../../web/request-parameters.ts';
import type { Dialect } from '../github/dialect.ts';

/** A way to present an access token. Everything that depends on it is here, so that a new one is a new file and a line in challenges.ts. */
export interface Presentation {
  /** request headers that carry it, which cross-origin requests may send */
  readonly headers: readonly string[];
  /** its members of the protected resource metadata [9728 §2] */
  readonly metadata: Readonly<Record<string, readonly string[] | boolean>>;
  /** the scheme of the header Authorization, and the attributes of its challenge. Without this member, it is not offered */
  readonly challenge?: Readonly<{ scheme: string; attributes: Readonly<Record<string, string>> }>;
  /** challenge of a way that is not offered, where a request uses its scheme or a token with this binding needs it */
  readonly own?: Readonly<{
    scheme: string;
    isNeededBy(bound: Binding): boolean;
    challenge(error: string, attributes: Readonly<Record<string, string>>): string;
  }>;
  /** every token that the request presents in this way; more than one is an error */
  tokensIn(req: Request, dialect: Dialect): string[];
  /** Refuses a proof that is not valid. `key`: of the row of the token */
  prove(deps: Deps, req: Request, token: string, key: Buffer): Promise<Proven>;
}

/** What a request proves. */
export interface Proven {
  /** whether a token that is bound so may be presented */
  opens(binding: Binding): boolean;
  readonly proof?: ProofOfToken;
}

/** The attributes of a challenge; no value has a quote in it. */
export const quoted = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ');

/** A proof with which a token is presented. */
export interface ProofOfToken extends OneTimeProof {
  /** the binding of the tokens that the proof opens */
  readonly binding: string;
  /** says why the proof does not count */
  refusal(fault: ProofFault): OAuthError;
}

/** RFC 6750. */
export const bearer: Presentation = {
  headers: ['Authorization'],
  metadata: { bearer_methods_supported: ['header', 'body', 'query'] },
  challenge: { scheme: 'Bearer', attributes: {} },
  tokensIn(req, dialect) {
    const form = isForm(req) ? bodyParameters(req) : {};
    return [bearerHeader(req, dialect), queryParameters(req)['access_token'], form['access_token']]
      .flat()
      .filter((token) => token !== undefined);
  },
  /**
   * Nothing, and whoever holds the token can present it; except for one that is bound to a certificate, in the header: the
   * certificate of the connection [8705 §3].
   */
  async prove({ config }, req) {
    const opens = (binding: Binding) => {
      if (!isCertificateBinding(binding)) return binding === null;
      const certificate = req.headers.authorization === undefined ? undefined : clientCertificate(config, req);
      return certificate !== undefined && bindingOf(certificate) === binding;
    };
    return { opens };
  },
};

/** The scheme is accepted in any letter case [6750 §2.1]; undefined for another one. */
export function bearerHeader({ headers: { authorization = '' } }: Request, dialect: Dialect): string | undefined {
  const scheme = dialect === 'github' ? /^(?:Bearer|token)(?![\w-])(.*)$/is : /^Bearer(?![\w-])(.*)$/is;
  const [, rest] = scheme.exec(authorization) ?? [];
  if (rest === undefined) {
    const isToken = /^token\s/i.test(authorization);
    if (isToken) throw new OAuthError('invalid_request', 'the Authorization header must say Bearer, not token');
    return undefined;
  }
  return tokenAfter(rest);
}

/** One or more spaces and one token after the name of the scheme [9110 §11.4]. */
export function tokenAfter(rest: string): string {
  const [, token] = /^ +([\w.~+/-]+=*)$/.exec(rest) ?? [];
  if (token === undefined) throw new OAuthError('invalid_request', 'the Authorization header is malformed');
  return token;
}
