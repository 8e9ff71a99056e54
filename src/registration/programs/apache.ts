import { encodePathSegment } from '../../web/client-path.ts';
import { apache, SourceText } from '../console/source-text.ts';
import type { Library } from './library.ts';

export const modOauth2: Library = {
  id: 'apache',
  name: 'Apache, mod_oauth2',
  file: 'api.conf',
  needs_secret: true,
  program({ issuer, client_id, audiences }) {
    // the options are one argument that is written like a query
    const encoded_id = new SourceText(encodePathSegment(client_id));
    return apache`
# a2enmod oauth2 proxy_http; lets requests pass to an API if they have an access token of this application; its scopes are left to the API, which finds them in the header OAuth2_Claim_scope
<Location "/api/">
    AuthType oauth2
    OAuth2TokenVerify introspect ${`${issuer}/introspect`} "introspect.auth=client_secret_post&client_id=${encoded_id}&client_secret=\${CLIENT_SECRET}&expiry=0"
    <RequireAll>
        # a refresh token has no token_type; a token with cnf is good only with a proof of its key; aud names the API that a token is for
        Require oauth2_claim token_type:Bearer
        ${audiences.length === 0 ? withoutResource : forThese(audiences)}
    </RequireAll>
    ProxyPass "http://127.0.0.1:8000/"
</Location>`;
  },
};

const withoutResource = apache`Require expr "-z req('OAuth2_Claim_cnf') && -z req('OAuth2_Claim_aud')"`;
const forThese = (audiences: readonly string[]) => apache`Require expr "-z req('OAuth2_Claim_cnf')"
        Require oauth2_claim ${new SourceText(audiences.map((one) => apache`${`aud:${one}`}`.text).join(' '))}`;
