import type { Request } from 'express';
import { clientCertificate } from '../../clients/presented-certificate.ts';
import { type Binding, isCertificateBinding } from '../../lib/binding.ts';
import { bindingOf } from '../../lib/certificate.ts';
import { OAuthError } from '../../lib/errors.ts';
import { bodyParameters, isForm, queryParameters } from '../../web/request-parameters.ts';
import type { Dialect } from '../github/dialect.ts';
import type { Presentation } from './presentation.ts';

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
