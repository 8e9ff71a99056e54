import { encodePathSegment } from '../../../pages/client-path.ts';
import { apache, SourceText } from '../../../pages/source-text.ts';
import type { Library } from './library.ts';

export const modOauth2: Library = {
  id: 'apache',
  name: 'Apache, mod_oauth2',
  file: 'api.conf',
  needs_secret: true,
  program({ issuer, client_id }) {
    // the options are one argument that is written like a query
    const encoded_id = new SourceText(encodePathSegment(client_id));
    return apache`
# a2enmod oauth2 proxy_http; lets requests pass to an API if they have an access token of this application; its scopes are left to the API, which finds them in the header OAuth2_Claim_scope
<Location "/api/">
    AuthType oauth2
    OAuth2TokenVerify introspect ${`${issuer}/introspect`} "introspect.auth=client_secret_post&client_id=${encoded_id}&client_secret=\${CLIENT_SECRET}&expiry=0"
    Require valid-user
    ProxyPass "http://127.0.0.1:8000/"
</Location>`;
  },
};
