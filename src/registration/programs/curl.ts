import { shell } from '../console/source-text.ts';
import { advice, authorizationPath, type Library, nobody, unreachable } from './library.ts';

export const curl: Library = {
  id: 'curl',
  name: 'curl',
  file: 'client.sh',
  program: (connection) => shell`
# sh client.sh
( # the shell reads up to the closing parenthesis before it runs anything
verifier=$(openssl rand -hex 32)
state=$(openssl rand -hex 32)
challenge=$(printf %s "$verifier" | openssl dgst -sha256 -binary | openssl base64 | tr '+/' '-_' | tr -d '=')
echo Open ${connection.issuer + authorizationPath(connection)}"&code_challenge=$challenge&state=$state"
echo ${unreachable}
printf 'Address to which the browser was sent: '
read -r address
value() { printf '%s\\n' "\${address##*[?]}" | tr '&' '\\n' | sed -n "s/^$1=//p" | tail -n 1; }
if [ "$(value state)" != "$state" ] || [ "$(value iss)" != ${encodeURIComponent(connection.issuer)} ]; then
  echo 'this is not the answer to the request' >&2
  exit 1
fi
if [ "$(value error)" ]; then
  echo "The request was refused: $(value error) ($(value error_description | sed 's/%20/ /g'))" >&2
  exit 1
fi
answer=$(curl -sS ${`${connection.issuer}/token`} -d grant_type=authorization_code \\
  -d "code=$(value code)" -d "code_verifier=$verifier" \\
  --data-urlencode ${`redirect_uri=${connection.redirect_uri}`} \\
  --data-urlencode ${`client_id=${connection.client_id}`}${connection.is_public ? shell`` : secret})
printf '%s\\n' "$answer"
token=$(printf '%s\\n' "$answer" | sed -n 's/.*"access_token":"\\([^"]*\\)".*/\\1/p')
[ "$token" ] || exit 1
# ${advice}
person=$(curl -fsS -H "Authorization: Bearer $token" ${`${connection.issuer}/user`}) || exit 1
case $person in
  *'"sub":"'*) printf '%s\\n' "$person" ;;
  *) echo '${nobody}' >&2; exit 1 ;;
esac
)`,
};

const secret = shell` --data-urlencode "client_secret=$CLIENT_SECRET"`;
