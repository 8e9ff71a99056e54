import type { X509Certificate } from 'node:crypto';
import type { Trace } from '../audit/audit.sql.ts';
import type { Config } from '../config/config.ts';
import type { Deps } from '../deps.ts';
import { isIssuedByOneOf, isNamed, keyIn } from '../lib/certificate.ts';
import { clientCertificateProblem, signatureProblem } from '../lib/certificate-purpose.ts';
import {
  type AuthenticationMethod,
  type CertificateMethod,
  certificateMethods,
  clientMethods,
  requestMethods,
} from '../lib/client-methods.ts';
import { type ClientCredentials, refuseClient } from './client.ts';
import { findClientKey } from './client-keys.ts';
import { type ClientWithKeys, findAnyClient } from './clients.sql.ts';

/** Says why a certificate is not the client's; undefined if it is. */
type Check = (deps: Deps, client: ClientWithKeys, certificate: X509Certificate) => Promise<string | undefined>;

const checks: Record<CertificateMethod, Check> = {
  /** The certificate is from an authority and has the name that is registered [8705 §2.1]. */
  async tls_client_auth({ config }, client, certificate) {
    const problem = clientCertificateProblem(certificate) ?? signatureProblem(certificate);
    if (problem !== undefined) return `certificate not accepted: ${problem}`;
    if (!isIssuedByOneOf(config.client_authorities, certificate)) return 'certificate of no accepted authority';
    return isNamed(certificate, client) ? undefined : 'certificate with another name';
  },
  /**
   * The certificate has a key that the client registered [8705 §2.2]: its name may be anybody's, and a renewed certificate has the
   * same key.
   */
  async self_signed_tls_client_auth(deps, client, certificate) {
    const problem = clientCertificateProblem(certificate);
    if (problem !== undefined) return `certificate not accepted: ${problem}`;
    const key = await findClientKey(deps, client, (keys) => keyIn(keys, certificate));
    return key ? undefined : 'certificate with another key';
  },
};

/** All the ways to authenticate that this server offers. */
export function supportedMethods({ takes_certificates, client_authorities }: Config): AuthenticationMethod[] {
  const byCertificate = certificateMethods.filter(
    (name) => takes_certificates && (!clientMethods[name].by_authority || client_authorities.length > 0),
  );
  return [...requestMethods, ...byCertificate];
}

/**
 * Returns the client if its certificate alone authenticates it by its registration; otherwise nothing, and the certificate is only what
 * its tokens may be bound to [8705 §4].
 */
export async function methodOfCertificate(
  deps: Deps,
  client_id: string,
  certificate: X509Certificate,
  trace: Trace,
): Promise<Pick<ClientCredentials, 'method' | 'client'>> {
  const client = await findAnyClient(deps.database, client_id);
  const method = certificateMethods.find((name) => name === client?.token_endpoint_auth_method);
  if (!client || !method) return { method: 'none' };
  const problem = await checks[method](deps, client, certificate);
  if (problem !== undefined) return refuseClient(deps, trace, method, problem);
  // the caller refuses a disabled client
  return client.disabled_at === null ? { method, client } : { method };
}
