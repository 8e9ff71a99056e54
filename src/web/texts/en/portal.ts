/** The documentation for developers. What stands in braces is code or an address, and is not translated. */
export const portal = {
  'portal.title': 'Build on {brand}',
  'portal.about':
    'People sign in at {brand} and decide what your application may do. By OAuth 2.0, it receives tokens for exactly that, and never a password.',
  'portal.contents': 'Contents',
  'portal.plain': 'All pages as one plain text, for coding agents.',
  'portal.tasks': 'What can I build?',
  'portal.begin': 'How do I begin?',
  'portal.begin.register': 'Register your application: {page}',
  'portal.begin.task': 'Open the page of your task. Its programs run as they are shown.',
  'portal.begin.flow':
    'The program sends the browser to {authorize}, exchanges the code at {token} and reads the profile at {user}.',
  'portal.begin.refused':
    'If a request is refused, its error has a page with the usual causes, and the console has the exact reason: {console}',
  'portal.begin.demo': 'See every message of such a flow in the playground: {playground}',
  'portal.not': 'What this server does not offer',
  'portal.not.openid': 'There is no id_token, and no scope openid. What you can do instead: {page}',
  'portal.not.device':
    'A device without a browser cannot sign people in. Let your application on their phone or computer do so.',
  'portal.not.client': 'A server gets no token for itself, only for a person who has allowed it.',
  'portal.not.exchange': 'A token cannot be exchanged for one of another service. Ask for a token of each resource.',
  'portal.not.obsolete': 'Both are obsolete. Use an authorization code with PKCE.',
  'portal.machines': 'For programs and coding agents',
  'portal.questions': 'Questions',
  'portal.questions.text': 'Ask those who run this server: {support}',
  'portal.register': 'Register an application',
  'portal.register.about': 'Who may do so here, and what is registered.',
  'portal.register.console': 'By a person',
  'portal.register.open': 'Everybody with an account registers applications in the developer console: {console}',
  'portal.register.admins':
    'Administrators of this server register applications. Send them the name, the site, the redirection URIs and the scopes of yours, and your username along, so that you become its owner.',
  'portal.register.off':
    'Those who run this server register applications. Send them the name, the site, the redirection URIs and the scopes of yours, and your username along, so that you become its owner.',
  'portal.register.form': 'Whoever may do so finds the form here: {form}',
  'portal.register.redirects':
    'A redirection URI is compared character by character. It begins with https and lies on the site of the application; http is only for the site localhost, to try it on your computer. A public application may also use a loopback address, of which the port may differ, or a private scheme that is the domain of its site backwards: {scheme} for {site}.',
  'portal.register.kinds':
    'An application on a server is confidential: it has a secret. One in a browser, on a phone or a desktop is public: it has no secret, and PKCE protects it.',
  'portal.register.methods': 'A confidential application proves who it is in one of these ways: {methods}',
  'portal.register.itself': 'By the application itself',
  'portal.register.itself_open': 'Any application registers itself at {address} [RFC 7591].',
  'portal.register.itself_token':
    'An application registers itself at {address} [RFC 7591] with an initial access token, for which you ask those who run this server.',
  'portal.register.unvouched':
    'No administrator vouches for such an application: the consent page names its host first, and scripts of its site can read answers only if an administrator vouches for another application of that site. All of localhost is one site, whatever the port.',
  'portal.register.document': 'By a metadata document',
  'portal.register.document_text':
    'An application needs no registration if its {client_id} is the https address of a document like this one, which this server fetches.',
  'portal.program':
    'For the client ID {client_id}, the redirection URI {redirect_uri} and the scope {scope}. The console shows it with your registration filled in.',
  'portal.program.api':
    'With the client ID {client_id}, by which the API asks about tokens. The console shows it with your registration filled in.',
  'portal.program.secret': 'It reads the client secret from the environment variable {variable}.',
  'portal.program.revoke':
    'It reads the client secret and the token from the environment variables {secret} and {token}.',
  'portal.refresh':
    'A refresh token is used once, and the answer has the next one: save it before you go on. If an answer is lost, repeat the request within {grace}.',
  'portal.keep':
    'Keep your tokens at 429 and 503, and try again after Retry-After. At invalid_grant, let the person sign in again.',
  'portal.web': 'Web application',
  'portal.web.about': 'Its server keeps a secret, and signs people in.',
  'portal.web.session': 'Keep the tokens on your server. The browser gets nothing but the cookie of your own session.',
  'portal.web.state':
    'Send a new state and a new PKCE challenge with each request, and compare state and iss in the answer.',
  'portal.spa': 'Single-page application',
  'portal.spa.about': 'A web page without a server of its own.',
  'portal.spa.site':
    'Scripts can read answers only on the site of an application for which an administrator vouches: ask for that. All of localhost is one site, whatever the port; so what works there can fail on your own site.',
  'portal.spa.memory': 'Keep tokens in memory, never in localStorage, where every script of the site can read them.',
  'portal.native': 'Native and mobile application',
  'portal.native.about': 'On a phone, a desktop or a command line.',
  'portal.native.browser':
    'Open the browser of the system, never a web view of your own: nobody should enter a password in an application.',
  'portal.native.redirect':
    'Register {loopback} and listen at any free port, as the first program does; or, for the site {site}, a private scheme that begins with that domain backwards, such as {scheme}; or an https address that the system opens in your application.',
  'portal.native.public': 'The application is public: a secret inside it would be known to everybody.',
  'portal.mcp': 'MCP client',
  'portal.mcp.about': 'An agent that uses the tools of an MCP server.',
  'portal.mcp.finds':
    'The client knows only the address of the MCP server, whose metadata name this server. With the parameter {resource} it asks for tokens of that MCP server, which are of no use elsewhere.',
  'portal.mcp.unknown':
    'If that MCP server is not registered here as a resource, the answer is {error}, or {scope_error} if the MCP server publishes scopes that are unknown here. Only those who run this server can register it: send them its address, as its metadata spell it in resource, and its scopes. What is registered: {page}',
  'portal.mcp.itself': 'It can register itself here: without a value for {member}, the program does so.',
  'portal.mcp.document': 'It needs no registration if it publishes a metadata document: {page}',
  'portal.mcp.registered': 'It has to be registered here before: {page}',
  'portal.api': 'Your own API',
  'portal.api.about': 'It accepts the tokens of this server.',
  'portal.api.registered':
    'Those who run this server register the API as a resource, with its scopes and with the client by which it asks about tokens. Any other application learns about its own tokens only.',
  'portal.api.introspect':
    'Ask {introspect} about each token. Accept it if active is true, aud is your resource, scope has what you need, and token_type is Bearer without cnf.',
  'portal.api.jwt':
    'A resource can have signed tokens [RFC 9068]. Check them with the keys of {jwks}: alg is ES256, typ is at+jwt, iss is {issuer}, aud is your resource, exp is ahead. They are good for {ttl} at most, even if they are revoked.',
  'portal.api.jwt_library':
    'For Node, use {node} with {base} (this issuer) and {audience} (your resource); for Python, {python}, where you compare {type} yourself. Below is an example of what is in such a token.',
  'portal.api.refuse':
    'Answer 401 with WWW-Authenticate to a token that is not good, 403 if a scope is missing, and 503 if you cannot ask: at 401 applications throw their tokens away.',
  'portal.api.nginx':
    'nginx learns only that the token is good and of this application, neither for a resource nor bound to a key: for scopes, the API asks by itself.',
  'portal.sign_in': 'Log in with {brand}',
  'portal.sign_in.about': 'Accounts of your website, without an id_token.',
  'portal.sign_in.how':
    'Sign people in as a web application does, {page}, and read {user} with the access token on your server.',
  'portal.sign_in.sub':
    'Recognize people by {sub} alone. Name, username and address change, and can come to somebody else.',
  'portal.sign_in.proves':
    'This proves: whoever sits at this browser has an account here and has allowed your application to know it. Only a code that you exchange yourself, with your own PKCE verifier and state, proves it.',
  'portal.sign_in.not':
    'An access token that a browser or an app hands to your server proves nothing: it may be another application’s. Nor does a refresh prove that the person is there.',
  'portal.sign_in.time':
    'With {max_age} at {authorize} you ask for a new sign-in. {introspect} says as auth_time and acr when and how it was done.',
  'portal.messages': 'Requests and answers',
  'portal.messages.about': 'Every message of the flow, for a client without a library.',
  'portal.messages.authorize': 'Authorization request',
  'portal.messages.authorize_text':
    'The browser goes there, and comes back to the redirection URI with {answer}; or with {error} if it is refused.',
  'portal.messages.response_type': 'Always {code}.',
  'portal.messages.registered':
    'As they are registered. If only one URI is registered, the second may be left out, and is then left out at the token endpoint, too.',
  'portal.messages.requested': 'Separated by spaces. Without it, you ask for all that is registered.',
  'portal.messages.state': 'A new random value for each request, which comes back unchanged.',
  'portal.messages.challenge':
    'The SHA-256 digest of your code_verifier in base64url, and {method}. A public application must send them.',
  'portal.messages.prompt':
    '{none}: no page is shown; where one is needed, the error is one of {errors}. {login}: sign in again. {consent}: ask again. {select_account}: choose the account.',
  'portal.messages.login_hint': 'The username or address of the person whom you expect. It fills in the sign-in form.',
  'portal.messages.ui_locales': 'The language of the pages, for example {language}.',
  'portal.messages.max_age': 'How many seconds ago the sign-in may be. {now} asks for a new one.',
  'portal.messages.acr_values':
    '{one}: one factor is enough. {two}: two factors. For whoever cannot do that, the error is {error}.',
  'portal.messages.resource': 'The service that the token is for, if it is not this one: {page}',
  'portal.messages.response_mode':
    'With {form}, a page posts the answer as a form. Without it, the answer is in the query.',
  'portal.messages.token': 'Token request',
  'portal.messages.authenticate':
    'A public application sends {id}. A confidential one adds {secret}, or sends both by HTTP Basic. JSON is read, too.',
  'portal.messages.lines': 'The line breaks in forms are for reading only.',
  'portal.messages.granted':
    '{scope} says what was granted, which may be less than you asked for. If everything was granted, it is spelled as you sent it.',
  'portal.messages.once':
    'If the person allows it just this once, there is no {refresh_token}. If they chose an end, {member} has the seconds until then.',
  'portal.messages.refresh': 'Refresh',
  'portal.messages.reuse':
    'If an old refresh token comes later, or after its successor was used, all tokens of the code are revoked, and the answer is {error}.',
  'portal.messages.narrow':
    'With {scope} the new access token has less, never more than was granted. The next refresh may ask for all of it again.',
  'portal.messages.user': 'Profile',
  'portal.messages.user_text': '{always} are always there, the other fields with their scopes: {page}',
  'portal.messages.email':
    '{email} is {null}, and {verified} is false, unless the address is confirmed. {name} may be {null}, too.',
  'portal.messages.introspect': 'Introspection',
  'portal.messages.introspect_text':
    'If {active} is false, nothing else is there. {aud} is there for a token of a resource, {cnf} for one that is bound to a key; a refresh token has no {token_type}.',
  'portal.messages.revoke': 'Revocation',
  'portal.messages.revoke_text':
    'With a refresh token, all tokens of its code end. With an access token, only that one ends: the refresh token stays valid. An unknown token gets the same answer.',
  'portal.messages.refusal': 'Refusal',
  'portal.messages.refusal_text':
    'Each address for programs answers an error like this; /user has it in {header}, too. What to do at each: {page}',
  'portal.end': 'Revoke and sign out',
  'portal.end.about': 'How access ends.',
  'portal.end.revoke':
    'When a person disconnects, revoke the refresh token at {revoke}: all tokens that came from the same code end with it.',
  'portal.end.session':
    'Signing out of your application ends your own session, not the one here: there is no single sign-out. People end that on their account page: {account}',
  'portal.end.people':
    'Link to the page on which people see, change and take back what they have allowed your application: {page}',
  'portal.end.leaked': 'Send a token that you found in public to {leaked}: it is revoked, with all that belong to it.',
  'portal.reference': 'Scopes, addresses, lifetimes',
  'portal.reference.about': 'What this server has.',
  'portal.scopes': 'Scopes',
  'portal.scopes.text':
    'Ask for as little as you need. An application can ask for the scopes of its registration, and people can refuse each that it has not registered as required. The token answer says what was granted.',
  'portal.scopes.parent':
    '{group} stands for {members} together. A request may name it, and an answer names it instead of them if all of them are granted. So accept a scope or the group that it is part of.',
  'portal.scopes.fields': 'Fields at /user: {fields}.',
  'portal.scopes.opens': 'Opens {addresses}.',
  'portal.scopes.at': 'For {resources}.',
  'portal.scopes.elsewhere': 'Opens no address of this server: it is for a resource.',
  'portal.scopes.strangers':
    'An application that nobody has registered gets those that change nothing, if it names none.',
  'portal.scopes.group': 'Part of {group}.',
  'portal.scopes.changes': 'Allows changes.',
  'portal.scopes.factors': 'Needs a sign-in with two factors.',
  'portal.scopes.recent': 'Needs a sign-in within {time}.',
  'portal.resources': 'Resources',
  'portal.resources.text':
    'Other services that accept tokens of this server, with their scopes. Name one as {resource}, and the token is for it alone.',
  'portal.resources.public':
    'Only resources with a public https address are listed here; one at another address, such as localhost, accepts tokens, too.',
  'portal.resources.jwt': 'Signed tokens.',
  'portal.endpoints': 'Addresses',
  'portal.endpoints.text': 'Libraries find them by the metadata: {metadata}',
  'portal.endpoints.dpop': 'A token can be bound to a key by DPoP [RFC 9449]: then it is of no use to a thief.',
  'portal.endpoints.nonce': 'Proofs need the nonce of the header {header}.',
  'portal.endpoints.github': 'Software that was written for GitHub Enterprise uses {authorize} and {api}.',
  'portal.lifetimes': 'Lifetimes',
  'portal.lifetimes.signed': 'Signed access token',
  'portal.lifetimes.family': 'All tokens of one code, however often refreshed',
  'portal.lifetimes.grace': 'A repeated refresh gets the same answer',
  'portal.lifetimes.pushed': '{member} of a pushed request',
  'portal.errors': 'Limits and errors',
  'portal.errors.about': 'What a refusal means.',
  'portal.errors.text':
    'An error has error, error_description and error_uri, which leads to its page. By {id}, those who run this server and the console find the reason.',
  'portal.limits': 'Limits',
  'portal.limits.text': 'Beyond these, the answer is 429 with {header}. The right credentials are always accepted.',
  'portal.limits.credentials': 'Wrong secrets, codes and refresh tokens from one network',
  'portal.limits.tokens': 'Wrong access tokens from one network',
  'portal.limits.proofs':
    'Proofs, or pushed requests, of a confidential application for which no administrator vouches',
  'portal.limits.registrations': 'Registrations from one network',
  'home.portal': 'Documentation for developers',
  'home.portal_text': 'What you can build on {brand}, and how to begin.',
} as const;
