import type { explained as english } from '../en/explained.ts';

export const explained: Record<keyof typeof english, string> = {
  'explain.causes': 'Causes habituelles et remèdes',
  'explain.others': 'Tous les codes d’erreur',
  'explain.reference':
    'Chaque réponse porte une référence (X-Request-Id). La raison exacte s’y rattache : pour l’exploitant dans le journal, pour les développeurs de l’application dans la console, sous « Refus récents ».',
  'explained.invalid_request.meaning':
    'Un paramètre manque, est répété ou mal formé, ou deux parties de la requête se contredisent.',
  'explained.invalid_request.cause.1': 'La redirect_uri n’est pas exactement l’une de celles enregistrées.',
  'explained.invalid_request.fix.1':
    'Comparez caractère par caractère : schéma, hôte, port, chemin, barre finale, paramètres. Enregistrez celle que vous envoyez.',
  'explained.invalid_request.cause.2':
    'Un paramètre a été envoyé deux fois, dans l’adresse et dans le corps, ou encodé deux fois.',
  'explained.invalid_request.fix.2':
    'Envoyez chaque paramètre une fois et laissez l’encodage à votre bibliothèque HTTP.',
  'explained.invalid_request.cause.3':
    'Un client public n’a pas envoyé de code_challenge, ou sa méthode n’est pas S256.',
  'explained.invalid_request.fix.3':
    'Utilisez PKCE : code_challenge = BASE64URL(SHA-256(code_verifier)), code_challenge_method=S256.',
  'explained.invalid_client.meaning': 'Le client est inconnu ou désactivé, ou n’a pas prouvé son identité.',
  'explained.invalid_client.cause.1': 'Le client_secret est faux, a été remplacé, ou se termine par un saut de ligne.',
  'explained.invalid_client.fix.1':
    'Lisez le secret là où il est rangé et comparez sa longueur. Dans le doute, ajoutez-en un second dans la console.',
  'explained.invalid_client.cause.2': 'Avec HTTP Basic, client_id et secret n’ont pas été encodés en pourcent.',
  'explained.invalid_client.fix.2': 'Encodez d’abord chaque moitié, joignez-les par deux-points, puis Base64.',
  'explained.invalid_client.cause.3': 'Le client_id appartient à un autre environnement.',
  'explained.invalid_client.fix.3': 'Vérifiez que l’émetteur de votre configuration est bien ce serveur.',
  'explained.invalid_grant.meaning':
    'Le code d’autorisation ou le jeton d’actualisation est inutilisable : expiré, déjà utilisé, révoqué ou émis pour autre chose. La réponse ne dit jamais lequel, pour ne rien apprendre à un voleur.',
  'explained.invalid_grant.cause.1':
    'Le code a été échangé deux fois, souvent par une page rechargée. Ce qu’il avait produit est alors révoqué.',
  'explained.invalid_grant.fix.1':
    'Échangez le code une fois, puis redirigez vers une adresse propre. Recommencez à /authorize.',
  'explained.invalid_grant.cause.2':
    'La redirect_uri ou le code_verifier n’est pas celui de la demande d’autorisation.',
  'explained.invalid_grant.fix.2':
    'Gardez les deux en session entre les deux requêtes. Chaque onglet a besoin des siens.',
  'explained.invalid_grant.cause.3':
    'Le jeton d’actualisation a été remplacé : chaque usage en donne un nouveau, et un second usage tardif met fin à tous.',
  'explained.invalid_grant.fix.3':
    'Enregistrez le nouveau jeton d’actualisation avant d’utiliser le nouveau jeton d’accès, et n’actualisez qu’à un seul endroit.',
  'explained.invalid_grant.cause.4': 'La personne a révoqué l’accès.',
  'explained.invalid_grant.fix.4':
    'Redemandez-le en la renvoyant vers /authorize. La console raconte l’histoire de votre jeton.',
  'explained.unauthorized_client.meaning': 'Le client est connu, mais n’est pas enregistré pour ce type d’octroi.',
  'explained.unauthorized_client.cause.1': 'Le grant_type ne figure pas dans l’enregistrement.',
  'explained.unauthorized_client.fix.1': 'Utilisez authorization_code, ou faites modifier l’enregistrement.',
  'explained.unsupported_grant_type.meaning': 'Le point d’accès aux jetons ne connaît pas ce grant_type.',
  'explained.unsupported_grant_type.cause.1': 'Un type qui n’existe pas ici a été utilisé, par exemple password.',
  'explained.unsupported_grant_type.fix.1':
    'Voyez grant_types_supported dans les métadonnées du serveur. Pour des personnes, c’est authorization_code.',
  'explained.unsupported_response_type.meaning': 'Le point d’autorisation ne connaît pas ce response_type.',
  'explained.unsupported_response_type.cause.1': 'Le flux implicite a été demandé : response_type=token.',
  'explained.unsupported_response_type.fix.1':
    'Utilisez response_type=code avec PKCE, aussi dans une application de navigateur.',
  'explained.unsupported_token_type.meaning': 'Ce type de jeton ne peut pas être révoqué ici.',
  'explained.unsupported_token_type.cause.1': 'Autre chose qu’un jeton d’accès ou d’actualisation a été envoyé.',
  'explained.unsupported_token_type.fix.1': 'Envoyez l’un des deux. token_type_hint peut être omis.',
  'explained.invalid_scope.meaning': 'Une portée est mal formée, inconnue, ou dépasse ce que le client peut demander.',
  'explained.invalid_scope.cause.1': 'La portée ne fait pas partie de l’enregistrement du client.',
  'explained.invalid_scope.fix.1': 'Ajoutez-la dans la console, ou demandez moins.',
  'explained.invalid_scope.cause.2': 'Une actualisation a demandé plus que ce qui avait été accordé.',
  'explained.invalid_scope.fix.2':
    'Une actualisation ne peut que réduire la portée. Pour davantage, renvoyez la personne vers /authorize.',
  'explained.request_not_supported.meaning':
    'Le paramètre request, une demande emballée dans un objet signé, n’est pas accepté ici.',
  'explained.request_not_supported.cause.1': 'La bibliothèque est réglée pour utiliser des objets de requête.',
  'explained.request_not_supported.fix.1': 'Envoyez les paramètres en clair, dans la chaîne de requête de /authorize.',
  'explained.request_uri_not_supported.meaning':
    'Le paramètre request_uri désigne quelque chose que ce serveur ne va pas chercher.',
  'explained.request_uri_not_supported.cause.1': 'Une adresse à vous a été envoyée comme request_uri.',
  'explained.request_uri_not_supported.fix.1':
    'Envoyez les paramètres eux-mêmes, dans la chaîne de requête de /authorize.',
  'explained.access_denied.meaning': 'La personne a refusé, ou la page ne lui est pas destinée.',
  'explained.access_denied.cause.1': 'Quelqu’un a choisi Refuser sur la page de consentement.',
  'explained.access_denied.fix.1':
    'Respectez ce choix : dites ce qui ne marche pas sans l’autorisation, et proposez de redemander plus tard.',
  'explained.access_denied.cause.2': 'Un formulaire venait d’un autre site, ou sans son jeton.',
  'explained.access_denied.fix.2': 'Ouvrez de nouveau la page et envoyez le formulaire depuis celle-ci.',
  'explained.login_required.meaning': 'La requête ne voulait afficher aucune page, mais personne n’est connecté.',
  'explained.login_required.cause.1': 'prompt=none a été envoyé pour quelqu’un dont la session a pris fin.',
  'explained.login_required.fix.1': 'Renvoyez la même requête sans prompt=none.',
  'explained.consent_required.meaning':
    'La requête ne voulait afficher aucune page, mais la personne n’a pas encore tout accepté.',
  'explained.consent_required.cause.1': 'prompt=none a été envoyé avec une portée nouvelle.',
  'explained.consent_required.fix.1': 'Renvoyez la même requête sans prompt=none.',
  'explained.invalid_token.meaning': 'Le jeton d’accès est mal formé, inconnu, expiré ou révoqué.',
  'explained.invalid_token.cause.1': 'Il a expiré : expires_in dit au bout de combien de secondes.',
  'explained.invalid_token.fix.1':
    'Actualisez une fois, puis répétez la requête. Si cela échoue aussi, redemandez à la personne.',
  'explained.invalid_token.cause.2': 'La personne ou l’application l’a révoqué.',
  'explained.invalid_token.fix.2': 'Oubliez le jeton et renvoyez la personne vers /authorize à son retour.',
  'explained.invalid_token.cause.3':
    'Il a été coupé, ou quelque chose s’y est ajouté : guillemets, espace, saut de ligne.',
  'explained.invalid_token.fix.3': 'Comparez sa longueur à celle de la réponse de /token.',
  'explained.insufficient_scope.meaning':
    'Le jeton est bon, mais ne va pas jusque-là. La portée nécessaire figure dans WWW-Authenticate.',
  'explained.insufficient_scope.cause.1': 'La personne n’a pas coché l’autorisation, ou l’a retirée plus tard.',
  'explained.insufficient_scope.fix.1':
    'Lisez scope dans chaque réponse de jeton et adaptez-vous. Ne la demandez qu’au moment utile.',
  'explained.not_found.meaning': 'Il n’y a rien à cette adresse, ou ce n’est pas à vous de le voir.',
  'explained.not_found.cause.1': 'Le chemin est mal tapé, ou il lui manque le chemin de l’émetteur.',
  'explained.not_found.fix.1': 'Prenez chaque adresse dans les métadonnées du serveur.',
  'explained.method_not_allowed.meaning':
    'L’adresse existe, mais pas pour cette méthode. Allow donne la liste de celles qu’elle accepte.',
  'explained.method_not_allowed.cause.1': 'GET a été utilisé au lieu de POST, souvent après une redirection.',
  'explained.method_not_allowed.fix.1':
    'Envoyez POST directement à l’adresse des métadonnées, pour qu’aucune redirection n’en fasse un GET.',
  'explained.too_many_requests.meaning':
    'Trop de requêtes en trop peu de temps. Retry-After dit combien de secondes attendre.',
  'explained.too_many_requests.cause.1': 'Quelque chose réessaie aussitôt après chaque échec.',
  'explained.too_many_requests.fix.1': 'Attendez ce que dit Retry-After, puis chaque fois plus longtemps.',
  'explained.server_error.meaning':
    'Quelque chose d’imprévu s’est produit sur le serveur. La réponse n’en dit pas plus, exprès.',
  'explained.server_error.cause.1': 'Une panne du serveur ou de son environnement.',
  'explained.server_error.fix.1': 'Transmettez la référence à l’exploitant.',
  'explained.temporarily_unavailable.meaning':
    'Le serveur ne peut pas décider pour le moment, le plus souvent parce que sa base de données est absente. Rien n’est perdu.',
  'explained.temporarily_unavailable.cause.1': 'Un redémarrage ou une panne.',
  'explained.temporarily_unavailable.fix.1':
    'Répétez la même requête après Retry-After. Codes et jetons restent valables.',
};
