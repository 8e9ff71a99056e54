import { webPage } from '../console/source-text.ts';
import { advice, type Library, nobody, portOf } from './library.ts';

export const oidcClientTs: Library = {
  id: 'oidc-client-ts',
  name: 'oidc-client-ts',
  file: 'index.html',
  is_in_browser: true,
  answers_at: { accepts: (redirect_uri) => redirect_uri.startsWith('http'), path: '/' },
  program: ({ issuer, client_id, redirect_uri, scope }) => webPage`
<!doctype html>
<!-- serve this file at the redirection URI, for example: npm install oidc-client-ts && python3 -m http.server ${portOf(redirect_uri)} -->
<html lang="en">
<meta charset="utf-8">
<title>A single-page application</title>
<button id="sign-in">Sign in</button>
<pre id="output"></pre>
<script src="/node_modules/oidc-client-ts/dist/browser/oidc-client-ts.js"></script>
<script type="module">
const manager = new oidc.UserManager({
  authority: ${issuer},
  metadata: {
    issuer: ${issuer},
    authorization_endpoint: ${`${issuer}/authorize`},
    token_endpoint: ${`${issuer}/token`},
    userinfo_endpoint: ${`${issuer}/user`},
  },
  client_id: ${client_id},
  redirect_uri: ${redirect_uri},
  scope: ${scope}, // without openid: there is no id_token
  loadUserInfo: true,
  userStore: new oidc.WebStorageStateStore({ store: new oidc.InMemoryWebStorage() }),
});
document.querySelector("#sign-in").onclick = () => manager.signinRedirect();

const show = (text) => { document.querySelector("#output").textContent = text; };
const answer = new URLSearchParams(location.search);
if (answer.has("state") && answer.get("iss") !== ${issuer}) show("this is not the answer to the request");
else if (answer.has("state")) {
  // ${advice}
  const shown = ({ profile }) => show(profile.sub ? JSON.stringify(profile, null, 2) : "${nobody}");
  const refused = ({ error, error_description, message }) =>
    show(error ? "The request was refused: " + error + " (" + error_description + ")" : message);
  await manager.signinCallback().then(shown, refused);
  history.replaceState(null, "", ${redirect_uri});
}
</script>
</html>`,
};
