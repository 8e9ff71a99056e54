import type { Config } from '../config/config.ts';

/** The addresses that clients call, by the names of the metadata [8414 §2; 9126 §5]; the browser alone goes to the first. */
export const authorizationEndpoint = ({ issuer }: Pick<Config, 'issuer'>) => `${issuer}/authorize`;

export const calledEndpoints = ({ issuer }: Pick<Config, 'issuer'>) => ({
  token_endpoint: `${issuer}/token`,
  pushed_authorization_request_endpoint: `${issuer}/par`,
  revocation_endpoint: `${issuer}/revoke`,
  introspection_endpoint: `${issuer}/introspect`,
  userinfo_endpoint: `${issuer}/user`,
});

/** Undefined where no application can register itself [7591 §3]. */
export const registrationEndpoint = ({
  issuer,
  registration_endpoint,
}: Pick<Config, 'issuer' | 'registration_endpoint'>) =>
  registration_endpoint === 'off' ? undefined : `${issuer}/register`;
