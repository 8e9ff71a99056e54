import type { SecurityMember } from './client-members.ts';

// The ways in which clients authenticate [7591 §2; 8705 §2]. What is read from requests, what can be registered, the metadata and the
// console follow from this table, but for which fields of a form belong together in views/assets/developer.css; the rules of a registration are in migrations/functions/check_client_security.sql, with which
// test/clients/client-members.test.ts compares it.

interface Method {
  /** what shows that a request is the client's */
  readonly proof: 'nothing' | 'secret' | 'signature' | 'certificate';
  /** a registration has exactly one of these members */
  readonly needs?: readonly SecurityMember[];
  /** offered only by a server that accepts certificate authorities */
  readonly by_authority?: true;
}

const keys = ['jwks', 'jwks_uri'] as const;

const table = {
  client_secret_basic: { proof: 'secret' },
  client_secret_post: { proof: 'secret' },
  private_key_jwt: { proof: 'signature', needs: keys },
  tls_client_auth: {
    proof: 'certificate',
    needs: ['tls_client_auth_subject_dn', 'tls_client_auth_san_dns'],
    by_authority: true,
  },
  self_signed_tls_client_auth: { proof: 'certificate', needs: keys },
  none: { proof: 'nothing' },
} as const satisfies Record<string, Method>;

export type AuthenticationMethod = keyof typeof table;
/** Methods by which the client authenticates with the certificate of its connection [8705 §2]. */
export type CertificateMethod = {
  [Name in AuthenticationMethod]: (typeof table)[Name]['proof'] extends 'certificate' ? Name : never;
}[AuthenticationMethod];
/** Methods by which the client authenticates with what its request carries [6749 §2.3.1; 7523 §2.2]. */
export type RequestMethod = Exclude<AuthenticationMethod, CertificateMethod>;

export const clientMethods: Readonly<Record<AuthenticationMethod, Method>> = table;
export const methodNames = Object.keys(table) as AuthenticationMethod[];

const isByCertificate = (name: AuthenticationMethod): name is CertificateMethod =>
  clientMethods[name].proof === 'certificate';

export const certificateMethods = methodNames.filter(isByCertificate);
export const requestMethods = methodNames.filter((name): name is RequestMethod => !isByCertificate(name));

/** Whether the keys of a client are for this method. */
export const provesKey = (name: AuthenticationMethod) => clientMethods[name].needs?.includes('jwks') === true;
