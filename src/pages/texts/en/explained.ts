/** What stands behind `/errors/<code>`: for developers, so it names parameters. Causes come most frequent first. */
export const explained = {
  'explain.causes': 'Usual causes, and what to do',
  'explain.others': 'All error codes',
  'explain.reference':
    'Every answer carries a reference (X-Request-Id). Under it stands the exact reason: for the operator in the log, for the application’s developer in the console under Recent refusals.',
  'explained.invalid_request.meaning':
    'A parameter is missing, repeated or malformed, or two parts of the request contradict each other.',
  'explained.invalid_request.cause.1': 'The redirect_uri is not exactly one of the registered ones.',
  'explained.invalid_request.fix.1':
    'Compare character by character: scheme, host, port, path, the slash at the end, the query. Register the one you send.',
  'explained.invalid_request.cause.2':
    'A parameter was sent twice, in the query and in the body, or percent-encoded twice.',
  'explained.invalid_request.fix.2': 'Send each parameter once and let your HTTP library do the encoding.',
  'explained.invalid_request.cause.3': 'A public client sent no code_challenge, or its method is not S256.',
  'explained.invalid_request.fix.3':
    'Use PKCE: code_challenge = BASE64URL(SHA-256(code_verifier)), code_challenge_method=S256.',
  'explained.invalid_client.meaning': 'The client is unknown or disabled, or it did not prove who it is.',
  'explained.invalid_client.cause.1': 'The client_secret is wrong, was rotated, or has a line break at its end.',
  'explained.invalid_client.fix.1':
    'Read the secret from where it is stored and compare its length. When in doubt, add a second one in the console.',
  'explained.invalid_client.cause.2': 'With HTTP Basic, client_id and secret were not percent-encoded.',
  'explained.invalid_client.fix.2': 'Encode each half first, then join them with a colon, then Base64.',
  'explained.invalid_client.cause.3': 'The client_id belongs to another environment.',
  'explained.invalid_client.fix.3': 'Check that the issuer in your configuration is this server.',
  'explained.invalid_grant.meaning':
    'The authorization code or refresh token cannot be used: expired, used before, revoked, or issued for something else. The answer never says which, so that a thief learns nothing.',
  'explained.invalid_grant.cause.1':
    'The code was redeemed twice, often by a page that was reloaded. What it had produced is revoked then.',
  'explained.invalid_grant.fix.1':
    'Redeem the code once and redirect to a clean URL afterwards. Start again from /authorize.',
  'explained.invalid_grant.cause.2':
    'The redirect_uri or the code_verifier is not the one of the authorization request.',
  'explained.invalid_grant.fix.2': 'Keep both in the session between the two requests. Several tabs need one each.',
  'explained.invalid_grant.cause.3':
    'The refresh token was replaced: each use gives a new one, and a late second use ends them all.',
  'explained.invalid_grant.fix.3':
    'Store the new refresh token before using the new access token, and refresh in one place only.',
  'explained.invalid_grant.cause.4': 'The person revoked the access.',
  'explained.invalid_grant.fix.4':
    'Ask again by sending them to /authorize. The console tells the story of a token of yours.',
  'explained.unauthorized_client.meaning': 'The client is known, but not registered for this kind of grant.',
  'explained.unauthorized_client.cause.1': 'The grant_type is not among those of the registration.',
  'explained.unauthorized_client.fix.1': 'Use authorization_code, or have the registration changed.',
  'explained.unsupported_grant_type.meaning': 'The token endpoint does not know this grant_type.',
  'explained.unsupported_grant_type.cause.1': 'A grant was used that is not offered here, such as password.',
  'explained.unsupported_grant_type.fix.1':
    'See grant_types_supported in the server metadata. For people it is authorization_code.',
  'explained.unsupported_response_type.meaning': 'The authorization endpoint does not know this response_type.',
  'explained.unsupported_response_type.cause.1': 'The implicit flow was asked for: response_type=token.',
  'explained.unsupported_response_type.fix.1': 'Use response_type=code with PKCE, in a browser application too.',
  'explained.unsupported_token_type.meaning': 'This kind of token cannot be revoked here.',
  'explained.unsupported_token_type.cause.1': 'Something else than an access or refresh token was sent.',
  'explained.unsupported_token_type.fix.1': 'Send one of those two. token_type_hint may be left out.',
  'explained.invalid_scope.meaning': 'A scope is malformed, unknown, or more than the client may ask for.',
  'explained.invalid_scope.cause.1': 'The scope is not part of the registration of the client.',
  'explained.invalid_scope.fix.1': 'Add it in the console, or ask for less.',
  'explained.invalid_scope.cause.2': 'A refresh asked for more than was granted.',
  'explained.invalid_scope.fix.2': 'A refresh may narrow the scope only. For more, send the person to /authorize.',
  'explained.request_not_supported.meaning':
    'The parameter request, an authorization request packed into a signed object, is not accepted here.',
  'explained.request_not_supported.cause.1': 'The library was told to use request objects.',
  'explained.request_not_supported.fix.1': 'Send the parameters plainly, in the query of /authorize.',
  'explained.request_uri_not_supported.meaning':
    'The parameter request_uri points to something this server does not fetch.',
  'explained.request_uri_not_supported.cause.1': 'A URL of your own was sent as request_uri.',
  'explained.request_uri_not_supported.fix.1': 'Send the parameters themselves, in the query of /authorize.',
  'explained.access_denied.meaning': 'The person refused, or the page is not for them.',
  'explained.access_denied.cause.1': 'Somebody pressed Refuse on the consent page.',
  'explained.access_denied.fix.1':
    'Respect it: say what does not work without the permission, and offer to ask again later.',
  'explained.access_denied.cause.2': 'A form came from another website, or without its token.',
  'explained.access_denied.fix.2': 'Open the page again and send the form from there.',
  'explained.login_required.meaning': 'The request wanted no page to be shown, but nobody is signed in.',
  'explained.login_required.cause.1': 'prompt=none was sent for somebody whose session has ended.',
  'explained.login_required.fix.1': 'Send the same request again without prompt=none.',
  'explained.consent_required.meaning':
    'The request wanted no page to be shown, but the person has not agreed to all of it yet.',
  'explained.consent_required.cause.1': 'prompt=none was sent with a scope that is new.',
  'explained.consent_required.fix.1': 'Send the same request again without prompt=none.',
  'explained.invalid_token.meaning': 'The access token is malformed, unknown, expired or revoked.',
  'explained.invalid_token.cause.1': 'It has expired: expires_in says after how many seconds.',
  'explained.invalid_token.fix.1':
    'Refresh once, then repeat the request. If the refresh fails as well, ask the person again.',
  'explained.invalid_token.cause.2': 'The person or the application revoked it.',
  'explained.invalid_token.fix.2': 'Forget the token and send the person to /authorize when they come back.',
  'explained.invalid_token.cause.3': 'It was cut off, or something was added: quotes, a space, a line break.',
  'explained.invalid_token.fix.3': 'Compare its length with what /token answered.',
  'explained.insufficient_scope.meaning':
    'The token is good, but does not reach this far. The scope that is needed stands in WWW-Authenticate.',
  'explained.insufficient_scope.cause.1': 'The person unticked the permission, or switched it off later.',
  'explained.insufficient_scope.fix.1': 'Read scope in each token answer and adapt. Ask for it only when it is needed.',
  'explained.not_found.meaning': 'There is nothing at this address, or it is not yours to see.',
  'explained.not_found.cause.1': 'The path is mistyped, or the issuer’s path is missing in front of it.',
  'explained.not_found.fix.1': 'Take every address from the server metadata.',
  'explained.method_not_allowed.meaning': 'The address exists, but not for this method. Allow lists those it takes.',
  'explained.method_not_allowed.cause.1': 'GET was used where POST is due, often after a redirect.',
  'explained.method_not_allowed.fix.1':
    'Send POST straight to the address in the metadata, so that no redirect turns it into GET.',
  'explained.too_many_requests.meaning':
    'Too many requests came in too short a time. Retry-After says how many seconds to wait.',
  'explained.too_many_requests.cause.1': 'Something tries again at once after each failure.',
  'explained.too_many_requests.fix.1': 'Wait as long as Retry-After says, then longer each time.',
  'explained.server_error.meaning':
    'Something unexpected happened on the server. The answer says nothing more on purpose.',
  'explained.server_error.cause.1': 'A fault of the server or of its surroundings.',
  'explained.server_error.fix.1': 'Pass the reference on to the operator.',
  'explained.temporarily_unavailable.meaning':
    'The server cannot decide right now, mostly because its database is away. Nothing was lost.',
  'explained.temporarily_unavailable.cause.1': 'A restart or an outage.',
  'explained.temporarily_unavailable.fix.1':
    'Repeat the same request after Retry-After. Codes and tokens are still good.',
} as const;
