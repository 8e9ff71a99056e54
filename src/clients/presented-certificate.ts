import { X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import type { Request } from 'express';
import type { Config } from '../config/config.ts';
import { OAuthError } from '../lib/errors.ts';

/**
 * Returns the certificate whose key the client has proven in the handshake [8705 §2]. With CLIENT_CERT_HEADER, the proxy did the
 * handshake and passes the certificate on.
 */
export function clientCertificate(
  { client_cert_header, mtls_port }: Config,
  req: Request,
): X509Certificate | undefined {
  if (client_cert_header !== undefined) return fromProxy(req, client_cert_header);
  if (mtls_port === undefined || !(req.socket instanceof TLSSocket)) return undefined;
  return req.socket.getPeerX509Certificate();
}

/** Reads the certificate in the header, which means nothing unless the proxy has sent it. */
function fromProxy(req: Request, header: string): X509Certificate | undefined {
  const value = req.headers[header];
  const isTrusted: (address: string | undefined, hop: number) => boolean = req.app.get('trust proxy fn');
  if (value === undefined || !isTrusted(req.socket.remoteAddress, 0)) return undefined;
  // proxies send these values if there is no certificate
  if (value === '' || value === '(null)') return undefined;
  const certificate = readEscapedPem(String(value));
  if (certificate) return certificate;
  throw new OAuthError('invalid_request', `the header ${header} must be one certificate, as percent-encoded PEM`);
}

/** Reads one PEM block and nothing else. Node joins the values of two headers with a comma, which does not occur in a block. */
function readEscapedPem(value: string): X509Certificate | undefined {
  try {
    const pem = decodeURIComponent(value);
    const isOne = /^-----BEGIN CERTIFICATE-----\n[A-Za-z0-9+/=\n]+\n-----END CERTIFICATE-----\n?$/.test(pem);
    return isOne ? new X509Certificate(pem) : undefined;
  } catch {
    return undefined;
  }
}
