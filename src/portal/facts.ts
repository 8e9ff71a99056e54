import { listFirstResources, type Resource } from '../catalogue/resources.sql.ts';
import { findScopeCatalogue } from '../catalogue/scopes.sql.ts';
import { supportedMethods } from '../clients/client-certificate.ts';
import type { Config } from '../config/config.ts';
import type { Deps } from '../deps.ts';
import { publicHttpsUrl } from '../lib/public-address.ts';
import type { ScopeCatalogue } from '../lib/scope.ts';
import { type Choice, findChoices } from '../oauth/choice/choices.sql.ts';
import { type Claim, findClaims } from '../oauth/claims/claims.sql.ts';

/** All that the documentation says of this server. Its pages see nothing else, so what is not named here is not told. */
export interface Facts
  extends Pick<
    Config,
    | 'issuer'
    | 'base'
    | 'mtls_url'
    | 'registration'
    | 'registration_endpoint'
    | 'client_id_documents'
    | 'authorization_code_ttl'
    | 'access_token_ttl'
    | 'refresh_token_ttl'
    | 'refresh_grace'
    | 'dpop_nonce'
    | 'acr_names'
    | 'support_url'
    | 'demo'
  > {
  brand_name: string;
  methods: readonly string[];
  catalogue: ScopeCatalogue;
  /** what the operator tells beside the profile, by scope */
  claims: readonly Claim[];
  /** what people choose from, by scope */
  choices: readonly Omit<Choice, 'many'>[];
  resources: readonly Resource[];
}

const isPublic = (resource: string) => URL.canParse(resource) && publicHttpsUrl(new URL(resource).href) !== undefined;

export async function findFacts({ config, database }: Deps): Promise<Facts> {
  const { issuer, base, mtls_url, registration, registration_endpoint, client_id_documents, support_url, demo } =
    config;
  const { authorization_code_ttl, access_token_ttl, refresh_token_ttl, refresh_grace, dpop_nonce, acr_names } = config;
  const [catalogue, claims, choices, resources] = await Promise.all([
    findScopeCatalogue(database),
    findClaims(database),
    findChoices(database),
    listFirstResources(database),
  ]);
  return {
    ...{ issuer, base, mtls_url, registration, registration_endpoint, client_id_documents, support_url, demo },
    ...{ authorization_code_ttl, access_token_ttl, refresh_token_ttl, refresh_grace, dpop_nonce, acr_names },
    brand_name: config.brand.name,
    methods: supportedMethods(config),
    catalogue,
    claims,
    choices,
    // the addresses of a private network are nobody else's business
    resources: resources.filter(({ resource }) => isPublic(resource)),
  };
}
