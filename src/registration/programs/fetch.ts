import { webPage } from '../console/source-text.ts';
import { advice, type Library, nobody, portOf } from './library.ts';

export const fetchInPage: Library = {
  id: 'fetch',
  name: 'fetch',
  file: 'index.html',
  is_in_browser: true,
  answers_at: { accepts: (redirect_uri) => redirect_uri.startsWith('http'), path: '/' },
  program: ({ issuer, client_id, redirect_uri, scope }) => webPage`
<!doctype html>
<!-- serve this file at the redirection URI, for example: python3 -m http.server ${portOf(redirect_uri)} -->
<html lang="en">
<meta charset="utf-8">
<title>A single-page application</title>
<button id="sign-in">Sign in</button>
<pre id="output"></pre>
<script type="module">
const issuer = ${issuer};
const client_id = ${client_id};
const redirect_uri = ${redirect_uri};
const scope = ${scope};

const show = (text) => { document.querySelector("#output").textContent = text; };
const base64url = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const refusal = ({ error, error_description }) => "The request was refused: " + error + " (" + error_description + ")";
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

document.querySelector("#sign-in").onclick = async () => {
  const [state, verifier] = [random(), random()];
  sessionStorage.setItem("request", JSON.stringify({ state, verifier }));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const code_challenge = base64url(new Uint8Array(digest));
  const request = { response_type: "code", client_id, redirect_uri, scope, state, code_challenge, code_challenge_method: "S256" };
  location.assign(issuer + "/authorize?" + new URLSearchParams(request));
};

async function finish(answer) {
  const { state, verifier } = JSON.parse(sessionStorage.getItem("request") ?? "{}");
  sessionStorage.removeItem("request");
  history.replaceState(null, "", redirect_uri);
  if (answer.get("state") !== state || answer.get("iss") !== issuer) return show("this is not the answer to the request");
  if (answer.has("error")) return show(refusal(Object.fromEntries(answer)));
  const form = { grant_type: "authorization_code", code: answer.get("code"), redirect_uri, client_id, code_verifier: verifier };
  const response = await fetch(issuer + "/token", { method: "POST", body: new URLSearchParams(form) });
  const tokens = await response.json();
  if (!response.ok) return show(refusal(tokens));
  // keep the tokens in memory only; ${advice}
  const user = await fetch(issuer + "/user", { headers: { Authorization: "Bearer " + tokens.access_token } });
  const person = await user.json();
  if (!user.ok) return show(refusal(person));
  show(person.sub ? JSON.stringify(person, null, 2) : "${nobody}");
}

const answer = new URLSearchParams(location.search);
if (answer.has("state")) await finish(answer).catch(({ message }) => show(message));
</script>
</html>`,
};
