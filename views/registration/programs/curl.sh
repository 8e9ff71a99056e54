# <% if (!is_public) { %>CLIENT_SECRET=lk_cs_… <% } %>sh <% if (is_for_api) { %>token<% } else { %>client<% } %>.sh
( # the shell reads up to the closing parenthesis before it runs anything
verifier=$(openssl rand -hex 32)
state=$(openssl rand -hex 32)
challenge=$(printf %s "$verifier" | openssl dgst -sha256 -binary | openssl base64 |
  tr '+/' '-_' | tr -d '=')
echo Open \
<% for (const part of (issuer + authorization_path).split(/(?=&redirect_uri=|&scope=|&resource=)/)) { -%>
<%= part %>\
<% } -%>
"&code_challenge=$challenge&state=$state"
echo <%= unreachable %>
printf 'Address to which the browser was sent: '
read -r address
value() {
  printf '%s\n' "${address##*[?]}" | tr '&' '\n' | sed -n "s/^$1=//p" | tail -n 1
}
if [ "$(value state)" != "$state" ] ||
  [ "$(value iss)" != <%= encodeURIComponent(issuer) %> ]; then
  echo 'this response does not belong to the request' >&2
  exit 1
fi
<% if (!is_for_api) { -%>
if [ "$(value error)" ]; then
  reason=$(value error_description | sed 's/%20/ /g')
  echo "The request was refused: $(value error) ($reason)" >&2
  exit 1
fi
<% } -%>
answer=$(curl -sS <%= issuer + '/token' %> -d grant_type=authorization_code \
  -d "code=$(value code)" -d "code_verifier=$verifier" \
  --data-urlencode <%= 'redirect_uri=' + redirect_uri %> \
  --data-urlencode <%= 'client_id=' + client_id %><% if (!is_public) { %> \
  --data-urlencode "client_secret=$CLIENT_SECRET"<% } %>)
printf '%s\n' "$answer"
<% if (!is_for_api) { -%>
token=$(printf '%s\n' "$answer" | sed -n 's/.*"access_token":"\([^"]*\)".*/\1/p')
[ "$token" ] || exit 1
# identify people by sub, never by email address or name
person=$(curl -fsS <%= issuer + '/user' %> \
  -H "Authorization: Bearer $token") || exit 1
case $person in
  *'"sub":"'*) printf '%s\n' "$person" ;;
  *) echo 'the server does not say who this is' >&2; exit 1 ;;
esac
<% } -%>
)
