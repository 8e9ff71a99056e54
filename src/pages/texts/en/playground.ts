/** The playground: the flow as a sequence of requests, each explained. */
export const playground = {
  'playground.title': 'Playground',
  'playground.text':
    'A real application, registered on this server. It signs you in, asks for permissions and reads your profile, and you see every request.',
  'playground.demo_user': 'Sign in as {username} with the password {password}.',
  'playground.start': 'Start the flow',
  'playground.start_text':
    'Below is the request that your browser will send, with every parameter. After you decide, you see all messages that followed.',
  'playground.ask_again': 'Ask me again, even if I have already decided',
  'playground.other_host':
    'You opened this page at {host}, but the address of this server is {domain}. Browsers do not share cookies between the two.',
  'playground.open_there': 'Open the playground there',
  'playground.restart': 'Start over',
  'playground.flow': 'Back to the whole flow',
  'playground.ended': 'The tokens of this flow are no longer valid. Start over to try what needs a token.',
  'playground.permissions': 'Requested and granted permissions',
  'playground.granted': 'granted',
  'playground.unticked': 'not granted',
  'playground.received': 'What the application received',
  'playground.received_text': 'Exactly what you allowed, and nothing else.',
  'playground.request': 'Request',
  'playground.response': 'Response',
  'playground.page': 'Show the page that the server returned',
  'playground.curl': 'As a curl command',
  'playground.by_browser': 'Through the browser',
  'playground.by_application': 'Directly to the server',
  'step.authorization_request.title': 'The application sends you to the server',
  'step.authorization_request.text':
    'Your browser is redirected to the server, with the request of the application in the URL. Nothing in it is secret.',
  'step.authorization_response.title': 'You decide, and return with a code',
  'step.authorization_response.text':
    'The code is useless by itself: it can be redeemed once, within minutes, and only by this application.',
  'step.token_request.title': 'The application redeems the code',
  'step.token_request.text':
    'This request does not pass through the browser. The client secret authenticates the application (it is shown here because this is a demo), and the code_verifier proves that the same application started the flow.',
  'step.resource_request.title': 'The application reads your profile',
  'step.resource_request.text':
    'The access token gives access to what you allowed. The response contains the fields of these permissions and no others.',
  'step.refresh_request.title': 'The application refreshes the access token',
  'step.refresh_request.text':
    'Each refresh token can be used once; the response contains the next one. If an old one is used later, all of them are revoked.',
  'step.change_request.title': 'The application updates your profile',
  'step.change_request.text':
    'It sends your own name back, unchanged. If you did not allow this permission, the response is 403 and names the missing scope.',
  'step.revocation_request.title': 'The application revokes the token',
  'step.revocation_request.text':
    'An application should revoke a token that it no longer needs. The response is 200, even if the token was no longer valid.',
  'step.refused_response.title': 'You deny access and return without a code',
  'step.refused_response.text':
    'The application learns that access was denied, and nothing about you. Every application must expect this response.',
  'parameter.response_type': 'Requests an authorization code.',
  'parameter.client_id': 'Identifies the application. Public, not a secret.',
  'parameter.redirect_uri': 'Where the response goes. Must be registered, character by character.',
  'parameter.scope': 'The permissions.',
  'parameter.state': 'A random value of the application, returned unchanged, by which it recognises its own request.',
  'parameter.code_challenge': 'The digest of the code_verifier, which only this application knows (PKCE).',
  'parameter.code_challenge_method': 'How the digest was computed: SHA-256.',
  'parameter.prompt': 'Asks the user even if they have already allowed access.',
  'parameter.code': 'The authorization code: valid once, for a short time.',
  'parameter.iss': 'The server that responded, so that two servers cannot be mixed up.',
  'parameter.grant_type': 'What is exchanged for tokens.',
  'parameter.client_secret': 'The password of the application.',
  'parameter.code_verifier': 'The secret itself. Its digest must equal the code_challenge.',
  'parameter.access_token': 'Gives access to the resource.',
  'parameter.token_type':
    'How the token is presented. Anyone who holds a Bearer token can use it; DPoP demands a proof.',
  'parameter.expires_in': 'Seconds until it expires.',
  'parameter.refresh_token': 'Obtains the next access token.',
  'parameter.error': 'The error code.',
  'parameter.error_description': 'The reason, for developers.',
  'parameter.error_uri': 'A page about this error.',
  'parameter.token': 'The token that the request is about.',
  'parameter.request_id': 'Identifies this refusal in the log of the operator.',
  'playground.steps': 'Steps',
} as const;
