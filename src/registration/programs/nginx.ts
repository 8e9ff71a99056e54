import { encodePathSegment } from '../../web/client-path.ts';
import { nginx as nginxText, SourceText } from '../console/source-text.ts';
import type { Library } from './library.ts';

export const nginx: Library = {
  id: 'nginx',
  name: 'nginx',
  file: 'api.conf.template',
  needs_secret: true,
  program({ issuer, client_id }) {
    const { host, protocol } = new URL(issuer);
    // has no character with a meaning for a shell
    const encoded_id = encodePathSegment(client_id);
    return nginxText`
# sed "s|CREDENTIALS|$(printf %s ${new SourceText(encoded_id)}:"$CLIENT_SECRET" | base64 | tr -d '\\n')|" api.conf.template >/etc/nginx/conf.d/api.conf
# lets requests pass to an API if they have an access token of this application; its scopes are left to the API
map $http_authorization $bearer_token {
    "~^[Bb]earer +(?<sent>[A-Za-z0-9._~+/-]+=*)$" $sent;
    default "";
}

server {
    listen 8080;

    location /api/ {
        auth_request /token-check;
        error_page 401 @no-token;
        proxy_pass http://127.0.0.1:8000;
    }

    location = /token-check {
        internal;
        proxy_pass ${`${issuer}/applications/${encoded_id}/token`};
        proxy_method POST;
        proxy_pass_request_headers off;
        proxy_set_header Host ${host};
        proxy_set_header Authorization "Basic CREDENTIALS";
        proxy_set_header Content-Type application/x-www-form-urlencoded;
        proxy_set_header Accept application/json;
        proxy_set_body "access_token=$bearer_token";${protocol === 'https:' ? tls : nginxText``}
        proxy_intercept_errors on;
        error_page 400 404 =401 @no-token;
        error_page 401 =500 @not-known;
    }

    location @no-token {
        internal;
        add_header WWW-Authenticate Bearer always;
        return 401;
    }

    location @not-known {
        internal;
        return 500;
    }
}`;
  },
};

const tls = nginxText`
        proxy_ssl_server_name on;
        proxy_ssl_verify on;
        proxy_ssl_trusted_certificate /etc/ssl/certs/ca-certificates.crt;`;
