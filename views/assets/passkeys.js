// Passkeys need a script; without it, or without passkeys in this browser, their forms stay hidden.
const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
const textOf = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const withBytes = (descriptor) => ({ ...descriptor, id: bytesOf(descriptor.id) });
function publicKeyOf({ challenge, user, allowCredentials, excludeCredentials, ...others }) {
  return {
    ...others,
    challenge: bytesOf(challenge),
    ...(user && { user: withBytes(user) }),
    ...(allowCredentials && { allowCredentials: allowCredentials.map(withBytes) }),
    ...(excludeCredentials && { excludeCredentials: excludeCredentials.map(withBytes) }),
  };
}

function send(form, { rawId, response }) {
  const values = {
    credential_id: rawId,
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
    user_handle: response.userHandle,
    attestation: response.attestationObject,
  };
  for (const [name, value] of Object.entries(values)) {
    if (value && form.elements[name]) form.elements[name].value = textOf(value);
  }
  if (form.elements.transports) form.elements.transports.value = response.getTransports?.().join(' ') ?? '';
  form.submit();
}

// A password manager that has just filled the password in may make a passkey by itself, without a dialog.
async function offer(form, publicKey) {
  form.hidden = false;
  const { conditionalCreate } = (await PublicKeyCredential.getClientCapabilities?.()) ?? {};
  if (conditionalCreate)
    navigator.credentials.create({ publicKey, mediation: 'conditional' }).then(
      (credential) => send(form, credential),
      () => {},
    );
}

for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (!window.PublicKeyCredential || !navigator.credentials) continue;
  const publicKey = publicKeyOf(JSON.parse(form.dataset.options));
  if (form.dataset.passkey === 'offer') {
    offer(form, publicKey);
    continue;
  }
  const isNew = form.dataset.passkey === 'create';
  const isSignIn = form.dataset.passkey === 'get';
  const failed = document.getElementById('passkey-failed');
  let waiting = new AbortController();

  // Passkeys among the suggestions of the browser for the username, without a dialog until somebody chooses one.
  const suggest = async () => {
    if (!isSignIn || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
    waiting = new AbortController();
    const request = { publicKey, mediation: 'conditional', signal: waiting.signal };
    navigator.credentials.get(request).then(
      (credential) => send(form, credential),
      () => {},
    );
  };

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    failed.hidden = true;
    waiting.abort();
    try {
      send(
        form,
        await (isNew ? navigator.credentials.create({ publicKey }) : navigator.credentials.get({ publicKey })),
      );
    } catch {
      failed.hidden = false;
      suggest();
    }
  });
  form.hidden = false;
  if (isNew) document.getElementById('no-passkeys').hidden = true;
  suggest();

  // The page is older than its challenge: a new one, unless somebody has begun to type.
  const inputs = [...document.querySelectorAll('input:not([type=hidden])')];
  const begun = performance.now();
  const renew = () => {
    const isOver = performance.now() - begun > 240_000;
    if (isOver && inputs.every((input) => input.value === input.defaultValue)) location.replace(location.href);
  };
  if (isSignIn) for (const event of ['focus', 'pointerdown']) addEventListener(event, renew);
}
