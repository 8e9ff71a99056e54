import type { explained as english } from '../en/explained.ts';

export const explained: Record<keyof typeof english, string> = {
  'explain.causes': 'Causes fréquentes et solutions',
  'explain.others': 'Tous les codes d’erreur',
  'explain.reference':
    'Chaque réponse a un ID de requête (X-Request-Id). Il mène à la raison exacte : l’exploitant la trouve dans le journal, le développeur de l’application dans l’espace développeurs, sous « Refus récents ».',
  'explained.invalid_request.meaning':
    'Un paramètre est absent, répété ou mal formé, ou deux parties de la requête se contredisent.',
  'explained.invalid_request.cause.1': 'La redirect_uri n’est pas exactement l’une des URI enregistrées.',
  'explained.invalid_request.fix.1':
    'Comparez caractère par caractère : schéma, hôte, port, chemin, barre oblique finale, paramètres. Enregistrez exactement l’URI que vous envoyez.',
  'explained.invalid_request.cause.2':
    'Un paramètre a été envoyé deux fois (dans l’URL et dans le corps, par exemple) ou encodé deux fois.',
  'explained.invalid_request.fix.2':
    'Envoyez chaque paramètre une seule fois et laissez votre bibliothèque HTTP l’encoder.',
  'explained.invalid_request.cause.3':
    'Un client public n’a pas envoyé de code_challenge, ou la méthode n’est pas S256.',
  'explained.invalid_request.fix.3':
    'Utilisez PKCE : code_challenge = BASE64URL(SHA-256(code_verifier)), code_challenge_method=S256.',
  'explained.invalid_client.meaning': 'Le client est inconnu ou désactivé, ou son authentification a échoué.',
  'explained.invalid_client.cause.1': 'Le secret client est erroné, a été remplacé ou se termine par un saut de ligne.',
  'explained.invalid_client.fix.1':
    'Vérifiez le secret là où il est stocké et comparez sa longueur. En cas de doute, ajoutez un second secret dans l’espace développeurs.',
  'explained.invalid_client.cause.2':
    'Avec HTTP Basic, client_id et client_secret n’ont pas été encodés (percent-encoding).',
  'explained.invalid_client.fix.2':
    'Encodez séparément les deux valeurs (percent-encoding), joignez-les par deux-points, puis encodez le résultat en Base64.',
  'explained.invalid_client.cause.3': 'Le client_id appartient à un autre environnement.',
  'explained.invalid_client.fix.3': 'Vérifiez que l’émetteur (issuer) de votre configuration est bien ce serveur.',
  'explained.invalid_client.cause.4':
    'Le client_id est l’URL d’un document de métadonnées qui ne peut pas être récupéré ou utilisé.',
  'explained.invalid_client.fix.4':
    'La page d’erreur en indique la raison. Corrigez le document, attendez une minute et réessayez.',
  'explained.invalid_grant.meaning':
    'Le code d’autorisation ou le jeton d’actualisation a expiré, a déjà été utilisé ou révoqué, ou ne correspond pas à la requête. La réponse ne précise pas lequel de ces cas s’applique, afin qu’un attaquant n’apprenne rien.',
  'explained.invalid_grant.cause.1':
    'Le code a été échangé deux fois, souvent parce qu’une page a été rechargée. Les jetons émis pour ce code sont alors révoqués.',
  'explained.invalid_grant.fix.1':
    'Échangez le code une seule fois, puis redirigez vers une URL qui ne le contient pas. Recommencez à partir de /authorize.',
  'explained.invalid_grant.cause.2':
    'La redirect_uri ou le code_verifier ne correspond pas à la requête d’autorisation.',
  'explained.invalid_grant.fix.2':
    'Conservez les deux dans la session entre les deux requêtes, séparément pour chaque onglet.',
  'explained.invalid_grant.cause.3':
    'Le jeton d’actualisation a été remplacé : chaque utilisation en renvoie un nouveau, et l’utilisation tardive d’un ancien les révoque tous.',
  'explained.invalid_grant.fix.3':
    'Stockez le nouveau jeton d’actualisation avant d’utiliser le nouveau jeton d’accès, et n’actualisez qu’à un seul endroit.',
  'explained.invalid_grant.cause.4': 'L’utilisateur a révoqué l’accès.',
  'explained.invalid_grant.fix.4':
    'Envoyez de nouveau l’utilisateur vers /authorize. L’espace développeurs montre ce qu’il est advenu d’un jeton.',
  'explained.invalid_dpop_proof.meaning':
    'L’en-tête DPoP ne prouve pas la possession d’une clé pour cette requête. La description indique l’erreur.',
  'explained.invalid_dpop_proof.cause.1':
    'htm ou htu ne correspond pas à la méthode et à l’adresse de la requête, souvent derrière un proxy.',
  'explained.invalid_dpop_proof.fix.1': 'Écrivez l’adresse comme dans les métadonnées du serveur, sans paramètres.',
  'explained.invalid_dpop_proof.cause.2':
    'Une preuve a été envoyée deux fois, ou l’horloge de l’application n’est pas à l’heure.',
  'explained.invalid_dpop_proof.fix.2':
    'Créez pour chaque requête, même répétée, une nouvelle preuve avec un nouveau jti, et synchronisez l’horloge.',
  'explained.invalid_dpop_proof.cause.3': 'Il manque ath dans la preuve pour /user.',
  'explained.invalid_dpop_proof.fix.3': 'Ajoutez l’empreinte SHA-256 du jeton d’accès, en base64url.',
  'explained.use_dpop_nonce.meaning':
    'Ce serveur n’accepte que les preuves DPoP contenant un nonce qu’il a délivré au cours des dernières minutes.',
  'explained.use_dpop_nonce.cause.1': 'La preuve ne contient pas de nonce, ou un ancien.',
  'explained.use_dpop_nonce.fix.1':
    'Répétez la requête avec une nouvelle preuve contenant la valeur de l’en-tête DPoP-Nonce. Chaque réponse à une preuve donne la valeur pour la suivante.',
  'explained.unauthorized_client.meaning': 'Le client est connu, mais il n’est pas enregistré pour ce type de grant.',
  'explained.unauthorized_client.cause.1': 'Le grant_type ne fait pas partie de l’enregistrement.',
  'explained.unauthorized_client.fix.1': 'Utilisez authorization_code ou faites modifier l’enregistrement.',
  'explained.unsupported_grant_type.meaning': 'Le point de terminaison de jeton ne prend pas en charge ce grant_type.',
  'explained.unsupported_grant_type.cause.1':
    'La requête utilise un grant_type que ce serveur ne propose pas, comme password.',
  'explained.unsupported_grant_type.fix.1':
    'Choisissez une valeur de grant_types_supported dans les métadonnées du serveur. Pour des utilisateurs, c’est authorization_code.',
  'explained.unsupported_response_type.meaning':
    'Le point de terminaison d’autorisation ne prend pas en charge ce response_type.',
  'explained.unsupported_response_type.cause.1': 'La requête utilise le flux implicite (response_type=token).',
  'explained.unsupported_response_type.fix.1':
    'Utilisez response_type=code avec PKCE, y compris dans les applications de navigateur.',
  'explained.unsupported_token_type.meaning': 'Ce type de jeton ne peut pas être révoqué ici.',
  'explained.unsupported_token_type.cause.1': 'La requête ne contient ni jeton d’accès ni jeton d’actualisation.',
  'explained.unsupported_token_type.fix.1':
    'Envoyez un jeton d’accès ou un jeton d’actualisation. token_type_hint est facultatif.',
  'explained.invalid_scope.meaning': 'Un scope est mal formé, inconnu ou absent de l’enregistrement du client.',
  'explained.invalid_scope.cause.1': 'Le client n’est pas enregistré pour ce scope.',
  'explained.invalid_scope.fix.1': 'Ajoutez le scope dans l’espace développeurs ou demandez-en moins.',
  'explained.invalid_scope.cause.2': 'Une actualisation demandait plus que ce qui avait été accordé.',
  'explained.invalid_scope.fix.2':
    'Une actualisation ne peut que réduire le scope. Pour l’étendre, envoyez l’utilisateur vers /authorize.',
  'explained.invalid_target.meaning':
    'Une ressource est mal formée ou inconnue, ou le client ne peut pas obtenir de jeton pour elle.',
  'explained.invalid_target.cause.1':
    'La ressource n’est pas enregistrée ici : par exemple un serveur MCP dont les métadonnées nomment ce serveur.',
  'explained.invalid_target.fix.1':
    'Seuls les exploitants de ce serveur peuvent l’enregistrer. Envoyez-leur son adresse, telle qu’elle figure sous resource dans ses métadonnées, et ses scopes.',
  'explained.invalid_target.cause.2': 'La ressource n’est pas écrite comme elle est enregistrée.',
  'explained.invalid_target.fix.2': 'Comparez caractère par caractère, y compris la barre oblique finale.',
  'explained.invalid_target.cause.3': 'Le client n’est enregistré pour aucun des scopes que la ressource connaît.',
  'explained.invalid_target.fix.3': 'Ajoutez un de ces scopes à l’enregistrement du client.',
  'explained.invalid_target.cause.4':
    'La requête de jeton nomme une ressource absente de la requête d’autorisation, ou n’en nomme aucune alors qu’il y en a plusieurs.',
  'explained.invalid_target.fix.4': 'Envoyez toutes les ressources à /authorize, puis l’une d’elles à /token.',
  'explained.invalid_redirect_uri.meaning': 'Une URI de redirection d’un enregistrement ne peut pas être acceptée.',
  'explained.invalid_redirect_uri.cause.1':
    'Elle n’est ni en https, ni une adresse de bouclage, ni un schéma privé comme com.example.app:/callback, ou elle contient un fragment ou un caractère générique.',
  'explained.invalid_redirect_uri.fix.1':
    'La description indique la règle. Enregistrez exactement l’URI à laquelle le navigateur revient.',
  'explained.invalid_redirect_uri.cause.2':
    'Les URI appartiennent à des hôtes différents, ou à un hôte que ce serveur n’accepte pas.',
  'explained.invalid_redirect_uri.fix.2':
    'Utilisez un seul hôte et ses sous-domaines ; enregistrez une seconde application pour un autre.',
  'explained.invalid_client_metadata.meaning':
    'Un élément de l’enregistrement, autre que les URI de redirection, ne peut pas être accepté.',
  'explained.invalid_client_metadata.cause.1':
    'Son type n’est pas celui de la RFC 7591, ou ce serveur ne prend pas en charge sa valeur.',
  'explained.invalid_client_metadata.fix.1':
    'La description indique l’élément. Comparez sa valeur aux métadonnées du serveur.',
  'explained.invalid_client_metadata.cause.2':
    'Une modification donnerait à l’application plus que son enregistrement : un autre scope, ou plus aucun secret.',
  'explained.invalid_client_metadata.fix.2': 'Enregistrez plutôt une autre application.',
  'explained.request_not_supported.meaning':
    'Ce serveur ne prend pas en charge le paramètre request à cette adresse : il ne peut porter un objet de requête signé que vers /par.',
  'explained.request_not_supported.cause.1': 'La bibliothèque est configurée pour utiliser des objets de requête.',
  'explained.request_not_supported.fix.1':
    'Envoyez les paramètres directement, dans l’URL de /authorize, ou envoyez l’objet de requête à /par.',
  'explained.invalid_request_uri.meaning':
    'L’application a transmis sa requête à l’avance ; la request_uri qui y renvoie est inconnue, expirée ou a déjà reçu une réponse.',
  'explained.invalid_request_uri.cause.1': 'La requête a été ouverte plus d’une minute après sa création.',
  'explained.invalid_request_uri.fix.1': 'Recommencez depuis l’application.',
  'explained.invalid_request_uri.cause.2': 'La request_uri est une URL propre au client.',
  'explained.invalid_request_uri.fix.2': 'Envoyez la requête à /par et utilisez la request_uri de la réponse.',
  'explained.invalid_request_object.meaning':
    'L’application a signé sa requête, mais la signature ou une déclaration de ce JWT n’est pas conforme.',
  'explained.invalid_request_object.cause.1':
    'L’application a enregistré d’autres clés que celle avec laquelle elle a signé, ou aucune.',
  'explained.invalid_request_object.fix.1':
    'Enregistrez la clé publique, avec le kid de l’en-tête, dans jwks ou à l’adresse jwks_uri.',
  'explained.invalid_request_object.cause.2':
    'Une déclaration manque ou est fausse, ou la requête a déjà été envoyée avec le même jti.',
  'explained.invalid_request_object.fix.2':
    'Indiquez le client_id dans iss et client_id, l’émetteur dans aud, l’heure actuelle dans nbf, au plus une heure de plus dans exp, et une nouvelle valeur dans jti.',
  'explained.access_denied.meaning': 'L’utilisateur a refusé l’accès ou n’a pas le droit d’ouvrir la page.',
  'explained.access_denied.cause.1': 'L’utilisateur a cliqué sur « Refuser » sur la page de consentement.',
  'explained.access_denied.fix.1':
    'Respectez cette décision : expliquez ce qui ne fonctionne pas sans l’autorisation et proposez de redemander plus tard.',
  'explained.access_denied.cause.2': 'Un formulaire a été envoyé depuis un autre site ou sans son jeton CSRF.',
  'explained.access_denied.fix.2': 'Ouvrez de nouveau la page et envoyez le formulaire depuis celle-ci.',
  'explained.access_denied.cause.3':
    'Une application a voulu modifier un nom ou une adresse qui provient de l’endroit où la personne se connecte.',
  'explained.access_denied.fix.3':
    'Renvoyez la personne là où elle se connecte : ce qu’elle y modifie arrive aussi ici.',
  'explained.login_required.meaning': 'La requête interdit d’afficher une page, mais aucun utilisateur n’est connecté.',
  'explained.login_required.cause.1': 'prompt=none a été envoyé alors que la session de l’utilisateur était terminée.',
  'explained.login_required.fix.1': 'Envoyez la même requête sans prompt=none.',
  'explained.consent_required.meaning':
    'La requête interdit d’afficher une page, mais l’utilisateur n’a pas encore tout autorisé.',
  'explained.consent_required.cause.1':
    'prompt=none a été envoyé avec un scope sur lequel l’utilisateur ne s’est pas prononcé.',
  'explained.consent_required.fix.1': 'Envoyez la même requête sans prompt=none.',
  'explained.invalid_token.meaning': 'Le jeton d’accès est mal formé, inconnu, expiré ou révoqué.',
  'explained.invalid_token.cause.1': 'Il a expiré : expires_in indique sa durée de vie en secondes.',
  'explained.invalid_token.fix.1':
    'Actualisez une fois, puis répétez la requête. Si l’actualisation échoue aussi, envoyez l’utilisateur vers /authorize.',
  'explained.invalid_token.cause.2': 'L’utilisateur ou l’application l’a révoqué.',
  'explained.invalid_token.fix.2': 'Supprimez le jeton et envoyez l’utilisateur vers /authorize à sa prochaine visite.',
  'explained.invalid_token.cause.3':
    'Il a été tronqué, ou des caractères ont été ajoutés : guillemets, espace, saut de ligne.',
  'explained.invalid_token.fix.3': 'Comparez sa longueur à celle du jeton dans la réponse de /token.',
  'explained.insufficient_scope.meaning':
    'Le jeton est valide, mais il lui manque le scope nécessaire à cette requête. WWW-Authenticate l’indique.',
  'explained.insufficient_scope.cause.1': 'L’utilisateur n’a pas accordé l’autorisation ou l’a retirée par la suite.',
  'explained.insufficient_scope.fix.1':
    'Lisez scope dans chaque réponse de jeton et adaptez-vous. Ne demandez l’autorisation que lorsque vous en avez besoin.',
  'explained.insufficient_scope.cause.2':
    'Le scope est là, mais email est null : personne n’a confirmé que l’adresse est celle de l’utilisateur.',
  'explained.insufficient_scope.fix.2':
    'Identifiez les personnes par sub, jamais par l’adresse ni par le nom. S’il vous faut une adresse, demandez-la et vérifiez-la.',
  'explained.not_found.meaning': 'Rien n’existe à cette adresse, ou vous n’avez pas le droit de le voir.',
  'explained.not_found.cause.1': 'Le chemin est mal orthographié, ou il lui manque le chemin de l’émetteur (issuer).',
  'explained.not_found.fix.1': 'Reprenez toutes les adresses des métadonnées du serveur.',
  'explained.method_not_allowed.meaning':
    'L’adresse ne prend pas en charge cette méthode. L’en-tête Allow indique celles qu’elle accepte.',
  'explained.method_not_allowed.cause.1': 'GET a été envoyé au lieu de POST, souvent après une redirection.',
  'explained.method_not_allowed.fix.1':
    'Envoyez POST directement à l’adresse indiquée dans les métadonnées, pour qu’aucune redirection ne le transforme en GET.',
  'explained.too_many_requests.meaning':
    'Trop de requêtes ont été envoyées en peu de temps. Retry-After indique combien de secondes attendre.',
  'explained.too_many_requests.cause.1': 'Le client réessaie immédiatement après chaque échec.',
  'explained.too_many_requests.fix.1':
    'Attendez aussi longtemps que l’indique Retry-After, puis davantage après chaque nouvel échec.',
  'explained.server_error.meaning':
    'Une erreur inattendue s’est produite sur le serveur. La réponse ne donne volontairement aucun détail.',
  'explained.server_error.cause.1': 'Une défaillance du serveur ou de son environnement.',
  'explained.server_error.fix.1': 'Communiquez l’ID de requête à l’exploitant.',
  'explained.temporarily_unavailable.meaning':
    'Le serveur ne peut pas répondre pour le moment, le plus souvent parce que sa base de données est indisponible.',
  'explained.temporarily_unavailable.cause.1': 'Un redémarrage, une panne ou une charge trop élevée.',
  'explained.temporarily_unavailable.fix.1':
    'Répétez la même requête après le délai indiqué par Retry-After. Les codes et les jetons restent valides.',
};
