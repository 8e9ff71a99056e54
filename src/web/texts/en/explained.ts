/** What stands behind `/errors/<code>`: for developers, so it names parameters. Causes come most frequent first. */
export const explained = {
  'explain.causes': 'Common causes and solutions',
  'explain.others': 'All error codes',
  'explain.reference':
    'Every response has a request ID (X-Request-Id). It leads to the exact reason: the operator finds it in the log, the developer of the application in the console under Recent refusals.',
  'explained.invalid_request.meaning':
    'A parameter is missing, repeated or malformed, or two parts of the request contradict each other.',
  'explained.invalid_request.cause.1': 'The redirect_uri is not exactly one of the registered URIs.',
  'explained.invalid_request.fix.1':
    'Compare character by character: scheme, host, port, path, trailing slash, query. Register exactly the URI that you send.',
  'explained.invalid_request.cause.2':
    'A parameter was sent twice (in the query and in the body, for example) or percent-encoded twice.',
  'explained.invalid_request.fix.2': 'Send each parameter once and let your HTTP library do the encoding.',
  'explained.invalid_request.cause.3': 'A public client sent no code_challenge, or its method is not S256.',
  'explained.invalid_request.fix.3':
    'Use PKCE: code_challenge = BASE64URL(SHA-256(code_verifier)), code_challenge_method=S256.',
  'explained.invalid_client.meaning': 'The client is unknown or disabled, or client authentication failed.',
  'explained.invalid_client.cause.1': 'The client secret is wrong, was rotated, or ends with a line break.',
  'explained.invalid_client.fix.1':
    'Check the place where the secret is stored, and compare its length. When in doubt, add a second secret in the console.',
  'explained.invalid_client.cause.2': 'With HTTP Basic, client_id and client_secret were not percent-encoded.',
  'explained.invalid_client.fix.2':
    'Percent-encode each of the two, join them with a colon, then encode the result as Base64.',
  'explained.invalid_client.cause.3': 'The client_id belongs to another environment.',
  'explained.invalid_client.fix.3': 'Check that the issuer in your configuration is this server.',
  'explained.invalid_client.cause.4': 'The client_id is the URL of a metadata document that cannot be fetched or used.',
  'explained.invalid_client.fix.4': 'The error page says why. Correct the document, wait a minute and try again.',
  'explained.invalid_grant.meaning':
    'The authorization code or refresh token has expired, was already used or revoked, or does not match the request. The response does not say which, so that an attacker learns nothing.',
  'explained.invalid_grant.cause.1':
    'The code was redeemed twice, often because a page was reloaded. The tokens issued for it are then revoked.',
  'explained.invalid_grant.fix.1':
    'Redeem the code once, then redirect to a URL without it. Start again from /authorize.',
  'explained.invalid_grant.cause.2': 'The redirect_uri or the code_verifier does not match the authorization request.',
  'explained.invalid_grant.fix.2':
    'Keep both in the session between the two requests, separately for each browser tab.',
  'explained.invalid_grant.cause.3':
    'The refresh token was replaced: each use returns a new one, and using an old one later revokes them all.',
  'explained.invalid_grant.fix.3':
    'Store the new refresh token before you use the new access token, and refresh in one place only.',
  'explained.invalid_grant.cause.4': 'The user revoked the access.',
  'explained.invalid_grant.fix.4': 'Send the user to /authorize again. The console shows what happened to a token.',
  'explained.invalid_dpop_proof.meaning':
    'The header DPoP does not prove the possession of a key for this request. The description says what is wrong.',
  'explained.invalid_dpop_proof.cause.1':
    'htm or htu is not the method and the address of the request, often behind a proxy.',
  'explained.invalid_dpop_proof.fix.1': 'Write the address as it is in the metadata of the server, without a query.',
  'explained.invalid_dpop_proof.cause.2': 'A proof was sent twice, or the clock of the application is wrong.',
  'explained.invalid_dpop_proof.fix.2':
    'Make a new proof with a new jti for every request, also for a repeated one, and synchronize the clock.',
  'explained.invalid_dpop_proof.cause.3': 'The proof for /user lacks ath.',
  'explained.invalid_dpop_proof.fix.3': 'Add the SHA-256 digest of the access token, in base64url.',
  'explained.use_dpop_nonce.meaning':
    'This server accepts only DPoP proofs with a nonce that it gave out in the last minutes.',
  'explained.use_dpop_nonce.cause.1': 'The proof has no nonce, or an old one.',
  'explained.use_dpop_nonce.fix.1':
    'Repeat the request with a new proof that contains the value of the header DPoP-Nonce. Every response to a proof has the value for the next one.',
  'explained.unauthorized_client.meaning': 'The client is known, but not registered for this grant type.',
  'explained.unauthorized_client.cause.1': 'The grant_type is not part of the registration.',
  'explained.unauthorized_client.fix.1': 'Use authorization_code, or have the registration changed.',
  'explained.unsupported_grant_type.meaning': 'The token endpoint does not know this grant_type.',
  'explained.unsupported_grant_type.cause.1':
    'The request uses a grant type that this server does not offer, such as password.',
  'explained.unsupported_grant_type.fix.1':
    'Choose one of grant_types_supported in the server metadata. For users it is authorization_code.',
  'explained.unsupported_response_type.meaning': 'The authorization endpoint does not know this response_type.',
  'explained.unsupported_response_type.cause.1': 'The request uses the implicit flow (response_type=token).',
  'explained.unsupported_response_type.fix.1': 'Use response_type=code with PKCE, in browser applications too.',
  'explained.unsupported_token_type.meaning': 'This kind of token cannot be revoked here.',
  'explained.unsupported_token_type.cause.1': 'The request contains neither an access token nor a refresh token.',
  'explained.unsupported_token_type.fix.1': 'Send an access token or a refresh token. token_type_hint is optional.',
  'explained.invalid_scope.meaning': 'A scope is malformed, unknown, or beyond the registration of the client.',
  'explained.invalid_scope.cause.1': 'The client is not registered for the scope.',
  'explained.invalid_scope.fix.1': 'Add the scope in the console, or request less.',
  'explained.invalid_scope.cause.2': 'A refresh requested more than was granted.',
  'explained.invalid_scope.fix.2': 'A refresh can only narrow the scope. To extend it, send the user to /authorize.',
  'explained.invalid_target.meaning': 'A resource is malformed or unknown, or the client cannot get a token for it.',
  'explained.invalid_target.cause.1':
    'The resource is not registered here: an MCP server, for example, whose metadata name this server.',
  'explained.invalid_target.fix.1':
    'Only those who run this server can register it. Send them its address, as its metadata spell it in resource, and its scopes.',
  'explained.invalid_target.cause.2': 'The resource is not spelled as it is registered.',
  'explained.invalid_target.fix.2': 'Compare character by character, including the slash at the end.',
  'explained.invalid_target.cause.3': 'The client is registered for none of the scopes that the resource knows.',
  'explained.invalid_target.fix.3': 'Add one of these scopes to the registration of the client.',
  'explained.invalid_target.cause.4':
    'The token request names a resource that the authorization request did not name, or names none of several.',
  'explained.invalid_target.fix.4': 'Send every resource to /authorize, then one of them to /token.',
  'explained.invalid_redirect_uri.meaning': 'A redirection URI in a registration cannot be accepted.',
  'explained.invalid_redirect_uri.cause.1':
    'It is neither https, nor a loopback address, nor a private-use scheme such as com.example.app:/callback, or it has a fragment or wildcard.',
  'explained.invalid_redirect_uri.fix.1':
    'The description names the rule. Register exactly the URI to which the browser returns.',
  'explained.invalid_redirect_uri.cause.2':
    'The URIs belong to different hosts, or to a host that this server does not accept.',
  'explained.invalid_redirect_uri.fix.2':
    'Use one host and its subdomains; register a second application for another host.',
  'explained.invalid_client_metadata.meaning':
    'A member of the registration, other than the redirection URIs, cannot be accepted.',
  'explained.invalid_client_metadata.cause.1':
    'It has another type than RFC 7591 says, or a value that this server does not support.',
  'explained.invalid_client_metadata.fix.1':
    'The description names the member. Compare its value with the server metadata.',
  'explained.invalid_client_metadata.cause.2':
    'A change would give the application more than its registration: another scope, or no secret any more.',
  'explained.invalid_client_metadata.fix.2': 'Register another application instead.',
  'explained.request_not_supported.meaning':
    'This server does not support the parameter request at this address: it may carry a signed request object to /par only.',
  'explained.request_not_supported.cause.1': 'The library is configured to use request objects.',
  'explained.request_not_supported.fix.1':
    'Send the parameters directly, in the query of /authorize, or push the request object to /par.',
  'explained.invalid_request_uri.meaning':
    'The application sent its request in advance, and the request_uri that refers to it is unknown, expired or already answered.',
  'explained.invalid_request_uri.cause.1': 'The request was opened later than a minute after the application made it.',
  'explained.invalid_request_uri.fix.1': 'Start again from the application.',
  'explained.invalid_request_uri.cause.2': 'The request_uri is a URL of the client’s own.',
  'explained.invalid_request_uri.fix.2': 'Push the request to /par and use the request_uri that it answers.',
  'explained.invalid_request_object.meaning':
    'The application signed its request, and the signature or a claim of that JWT is not as it must be.',
  'explained.invalid_request_object.cause.1':
    'The application registered other keys than the one with which it signed, or none.',
  'explained.invalid_request_object.fix.1':
    'Register the public key, with the kid of the header, as jwks or at the jwks_uri.',
  'explained.invalid_request_object.cause.2':
    'A claim is missing or wrong, or the request was pushed before with the same jti.',
  'explained.invalid_request_object.fix.2':
    'Set iss and client_id to the client_id, aud to the issuer, nbf to now, exp to at most an hour later, and jti to a new value.',
  'explained.access_denied.meaning': 'The user denied access, or may not open the page.',
  'explained.access_denied.cause.1': 'The user pressed Deny on the consent page.',
  'explained.access_denied.fix.1':
    'Respect the decision: explain what does not work without the permission, and offer to ask again later.',
  'explained.access_denied.cause.2': 'A form was submitted from another website, or without its CSRF token.',
  'explained.access_denied.fix.2': 'Open the page again and submit the form from there.',
  'explained.access_denied.cause.3':
    'An application wanted to change a name or address that the person’s sign-in elsewhere states.',
  'explained.access_denied.fix.3':
    'Send the person to the place where they sign in: what is changed there arrives here.',
  'explained.login_required.meaning': 'The request forbids showing a page, but no user is signed in.',
  'explained.login_required.cause.1': 'prompt=none was sent after the session of the user had ended.',
  'explained.login_required.fix.1': 'Send the same request without prompt=none.',
  'explained.consent_required.meaning':
    'The request forbids showing a page, but the user has not yet allowed all of it.',
  'explained.consent_required.cause.1': 'prompt=none was sent with a scope that the user has not decided on.',
  'explained.consent_required.fix.1': 'Send the same request without prompt=none.',
  'explained.invalid_token.meaning': 'The access token is malformed, unknown, expired or revoked.',
  'explained.invalid_token.cause.1': 'It has expired: expires_in is its lifetime in seconds.',
  'explained.invalid_token.fix.1':
    'Refresh once, then repeat the request. If the refresh fails as well, send the user to /authorize.',
  'explained.invalid_token.cause.2': 'The user or the application revoked it.',
  'explained.invalid_token.fix.2': 'Delete the token, and send the user to /authorize on the next visit.',
  'explained.invalid_token.cause.3':
    'It was cut off, or characters were added: quotation marks, a space, a line break.',
  'explained.invalid_token.fix.3': 'Compare its length with the token in the response of /token.',
  'explained.insufficient_scope.meaning':
    'The token is valid, but lacks the scope that this request needs. WWW-Authenticate names it.',
  'explained.insufficient_scope.cause.1': 'The user did not allow the permission, or removed it later.',
  'explained.insufficient_scope.fix.1':
    'Read scope in every token response and adapt to it. Request the permission only when you need it.',
  'explained.insufficient_scope.cause.2':
    'The scope is there, but email is null: nobody has confirmed that the address is the user’s.',
  'explained.insufficient_scope.fix.2':
    'Identify people by sub, never by address or name. If you need an address, ask for it and verify it.',
  'explained.not_found.meaning': 'Nothing exists at this address, or you may not see it.',
  'explained.not_found.cause.1': 'The path is misspelled, or it lacks the path of the issuer.',
  'explained.not_found.fix.1': 'Take all addresses from the server metadata.',
  'explained.method_not_allowed.meaning':
    'The address does not support this method. The Allow header lists the methods that it supports.',
  'explained.method_not_allowed.cause.1': 'GET was sent instead of POST, often after a redirect.',
  'explained.method_not_allowed.fix.1':
    'Send POST directly to the address in the metadata, so that no redirect turns it into GET.',
  'explained.too_many_requests.meaning':
    'Too many requests were sent in a short time. Retry-After says how many seconds to wait.',
  'explained.too_many_requests.cause.1': 'The client retries immediately after each failure.',
  'explained.too_many_requests.fix.1': 'Wait as long as Retry-After says, and longer after each further failure.',
  'explained.server_error.meaning':
    'An unexpected error occurred on the server. The response deliberately contains no details.',
  'explained.server_error.cause.1': 'A fault of the server or its environment.',
  'explained.server_error.fix.1': 'Give the request ID to the operator.',
  'explained.temporarily_unavailable.meaning':
    'The server cannot answer right now, usually because its database is unavailable.',
  'explained.temporarily_unavailable.cause.1': 'A restart, an outage or too much load.',
  'explained.temporarily_unavailable.fix.1':
    'Repeat the same request after the time in Retry-After. Codes and tokens remain valid.',
} as const;
