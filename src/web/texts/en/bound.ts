/** The playground: a pushed request, tokens bound to a key, and what a thief can do with a stolen token. */
export const bound = {
  'mode.label': 'Kind of flow',
  'mode.plain': 'Plain',
  'mode.bound': 'Pushed request and bound token (PAR + DPoP)',
  'mode.text_plain': 'The request is in the URL, and the token works for anyone who holds it.',
  'mode.text_bound':
    'The application sends its request directly to the server, and the token works only together with the private key of the application.',
  'mode.start_text':
    'Below is the request that the application will send, with every parameter. Your browser then carries only a reference to it. After you decide, you see all messages that followed.',
  'step.push_request.title': 'The application pushes its request',
  'step.push_request.text':
    'It authenticates and sends the request directly to the server, so nobody can read or change it in the browser. The response is a reference to the request.',
  'step.authorization_by_reference.title': 'The application sends you to the server',
  'step.authorization_by_reference.text':
    'The URL contains the reference instead of the request. The server has already checked the request.',
  'step.introspection_request.title': 'The server states to which key the token is bound',
  'step.introspection_request.text':
    'The thumbprint in cnf is that of the key with which the application signs its proofs. A server that accepts the token compares the two.',
  'step.nonce_demanded.title': 'The server demands a nonce',
  'step.nonce_demanded.text':
    'The header DPoP-Nonce of the response contains it. The application repeats the request with a new proof.',
  'proof.title': 'The DPoP proof, decoded',
  'proof.header': 'Header',
  'proof.claims': 'Claims',
  'proof.thumbprint': 'thumbprint',
  'proof.thumbprint_text':
    'The SHA-256 digest of jwk. It must equal jkt in cnf, which introspection shows for the token.',
  'proof.typ': 'The kind of JWT, so that no other JWT passes as a proof.',
  'proof.alg': 'The algorithm of the signature.',
  'proof.jwk': 'The public key, which verifies the signature. The private key never leaves the application.',
  'proof.htm': 'The method of this request. The proof is refused with any other one.',
  'proof.htu': 'The address of this request. The proof is refused at any other one.',
  'proof.ath': 'The SHA-256 digest of the access token. The proof is refused with any other token.',
  'proof.nonce': 'Taken from the header DPoP-Nonce of an earlier response, so the proof was not made long before.',
  'proof.iat': 'When the proof was made. The server accepts it for two minutes.',
  'proof.jti': 'A random name, by which the server recognises a proof that was used before.',
  'repeated.code':
    'The code has already been redeemed. This command redeems it again: the server refuses it, and revokes the tokens issued for it.',
  'repeated.proof':
    'The server refuses this command: it accepts a proof once, within two minutes. To repeat the request, the application signs a new proof with its private key, which is not shown.',
  'repeated.request_uri':
    'You have already answered the pushed request, so this command gets an error page. The request can be pushed again.',
  'parameter.request_uri':
    'A reference to the pushed request. Only this application can use it, once and for a short time.',
  'parameter.dpop_jkt': 'The thumbprint of the key of the application. The code is bound to it, too.',
  'parameter.active': 'Whether the token is valid now.',
  'parameter.cnf': 'The thumbprint (jkt) of the key to which the token is bound.',
  'outcome.stolen': 'Accepted: the thief reads your profile.',
  'tries.theft': 'Steal the token',
  'tries.text_theft':
    'Suppose that a thief has read a request of the application with its access token, for example in a log. Each button sends what the thief can send.',
  'break.stolen_bearer': 'Send it as a bearer token',
  'break.stolen_replayed': 'Send it with a used proof',
  'break.stolen_other_key': 'Send it with a proof of another key',
  'step.stolen_accepted.title': 'The thief sends the token',
  'step.stolen_accepted.text':
    'A bearer token works for anyone who holds it: the server cannot tell the thief from the application. Start over with PAR + DPoP and try again.',
  'step.stolen_bearer.title': 'The thief sends the token as a bearer token',
  'step.stolen_bearer.text':
    'This token is bound to a key. Without a proof of the key, the server treats it as invalid.',
  'step.stolen_replayed.title': 'The thief sends the same request again',
  'step.stolen_replayed.text':
    'The token and the proof are those of the request above. The server remembers each proof until it expires, and refuses it the second time.',
  'step.stolen_other_key.title': 'The thief makes a proof with another key',
  'step.stolen_other_key.text':
    'The proof itself is correct, but the token is bound to another key. The thief would need the private key, which the application never sends.',
} as const;
