import { shell } from '../../../pages/source-text.ts';
import { advice, authorizationPath, type Library } from './library.ts';

export const curl: Library = {
  id: 'curl',
  name: 'curl',
  file: 'client.sh',
  program: (connection) => shell`
# sh client.sh
{ # the shell reads up to the closing brace before it runs anything
verifier=$(openssl rand -hex 32)
challenge=$(printf %s "$verifier" | openssl dgst -sha256 -binary | openssl base64 | tr '+/' '-_' | tr -d '=')
echo Open ${connection.issuer + authorizationPath(connection)}"&code_challenge=$challenge"
printf 'Address to which the browser was sent: '
read -r address
code=\${address##*[?&]code=}
answer=$(curl -sS ${`${connection.issuer}/token`} -d grant_type=authorization_code \\
  -d "code=\${code%%&*}" -d "code_verifier=$verifier" \\
  --data-urlencode ${`redirect_uri=${connection.redirect_uri}`} \\
  --data-urlencode ${`client_id=${connection.client_id}`}${connection.is_public ? shell`` : secret})
echo "$answer"
token=$(echo "$answer" | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
# ${advice}
curl -sS -H "Authorization: Bearer $token" ${`${connection.issuer}/user`}
}`,
};

const secret = shell` --data-urlencode "client_secret=$CLIENT_SECRET"`;
