/** The playground: the flow as a sequence of requests, each explained. */
export const playground = {
  'playground.title': 'Playground',
  'playground.text':
    'A real application, registered at this server. It signs you in, asks for a permission and reads your profile, and you can read along.',
  'playground.demo_user': 'Sign in as {username} with the password {password}.',
  'playground.start': 'Start the flow',
  'playground.start_text':
    'Below is the request that your browser will carry, with every parameter. After your answer you see each message that followed.',
  'playground.ask_again': 'Ask me again, even if I decided before',
  'playground.other_host':
    'This page is open under the name {host}, but the server calls itself {domain}. A cookie set for the one is not sent to the other.',
  'playground.open_there': 'Open the playground there',
  'playground.restart': 'Start again',
  'playground.flow': 'Back to the whole flow',
  'playground.ended': 'The tokens of this flow have ended. Start again to try what needs them.',
  'playground.permissions': 'What it asked for, and what you left ticked',
  'playground.granted': 'granted',
  'playground.unticked': 'not granted',
  'playground.received': 'What the application received',
  'playground.received_text': 'Exactly what you left ticked, and nothing else.',
  'playground.request': 'Request',
  'playground.response': 'Response',
  'playground.page': 'See the page that the server answers with',
  'playground.curl': 'As a command',
  'playground.once':
    'The code is used already. This command presents it once more: the server refuses, and ends the tokens that came of it.',
  'playground.by_browser': 'Through the browser',
  'playground.by_application': 'Directly, application to server',
  'step.authorization_request.title': 'The application sends you here',
  'step.authorization_request.text':
    'Your browser is redirected to the server with the wish of the application in the address. Nothing in it is secret.',
  'step.authorization_response.title': 'You decide, and return with a code',
  'step.authorization_response.text':
    'The code is worth nothing by itself: it is good once, for minutes, and only for this application.',
  'step.token_request.title': 'The application redeems the code',
  'step.token_request.text':
    'Out of sight of the browser. The application proves itself with its secret, shown here because this one is the demo’s own, and the code_verifier proves that it is the one that started.',
  'step.resource_request.title': 'It reads your profile',
  'step.resource_request.text':
    'The token opens what you allowed. The answer holds the fields of these permissions and no others.',
  'step.refresh_request.title': 'It renews the access',
  'step.refresh_request.text':
    'Each refresh token is good once; the answer holds the next one. If an old one comes back late, all of them end.',
  'step.change_request.title': 'It changes your profile',
  'step.change_request.text':
    'Your own name, written back unchanged. If you left that permission unticked, the answer is 403 and names the scope that is missing.',
  'step.revocation_request.title': 'It gives the token back',
  'step.revocation_request.text':
    'An application that needs its access no more says so. The answer is 200 even for a token that had ended already.',
  'step.refused_response.title': 'You refuse, and return without a code',
  'step.refused_response.text':
    'The application learns that access was denied, and nothing about you. An ordinary answer, which it has to live with.',
  'parameter.response_type': 'The answer should be a code.',
  'parameter.client_id': 'Who asks. Public, not a secret.',
  'parameter.redirect_uri': 'Where the answer goes. It must be registered, character by character.',
  'parameter.scope': 'Which permissions.',
  'parameter.state': 'Made up by the application, returned unchanged: it recognises its own request.',
  'parameter.code_challenge': 'The digest of a secret that only this application knows (PKCE).',
  'parameter.code_challenge_method': 'How the digest was made: SHA-256.',
  'parameter.prompt': 'Ask the person even if they agreed before.',
  'parameter.code': 'The authorization code: good once, for a short time.',
  'parameter.iss': 'Which server answered, so that two servers cannot be mixed up.',
  'parameter.grant_type': 'What is handed in.',
  'parameter.client_secret': 'The password of the application.',
  'parameter.code_verifier': 'The secret itself. Its digest has to equal the challenge.',
  'parameter.access_token': 'The key to the resource.',
  'parameter.token_type': 'Whoever bears the token may use it.',
  'parameter.expires_in': 'Seconds until the access token ends.',
  'parameter.refresh_token': 'For the next access token.',
  'parameter.error': 'The code of the refusal.',
  'parameter.error_description': 'The reason, for developers.',
  'parameter.error_uri': 'The page about this error.',
  'parameter.token': 'The token that shall end.',
  'parameter.request_id': 'Leads the operator to this refusal in the log.',
} as const;
