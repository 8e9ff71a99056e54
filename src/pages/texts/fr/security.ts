import type { security as english } from '../en/security.ts';

export const security: Record<keyof typeof english, string> = {
  'security.title': 'Sécurité de cette application',
  'security.text':
    'Les modifications s’appliquent dès la requête suivante : modifiez donc vos serveurs en même temps. Les codes et les jetons d’actualisation déjà émis suivent aussi les nouveaux réglages ; les jetons d’accès déjà émis restent tels quels jusqu’à leur expiration.',
  'security.profile': 'Règles',
  'security.profile.standard': 'Ordinaires : OAuth 2.0, tel que toute bibliothèque le pratique.',
  'security.profile.fapi2':
    'FAPI 2.0, pour les données bancaires et de santé : une clé ou un certificat, des requêtes transmises à l’avance, des jetons liés. Votre bibliothèque doit prendre en charge les trois, et l’autorisation est demandée aux utilisateurs à chaque fois.',
  'security.method': 'Comment elle prouve son identité',
  'security.token_endpoint_auth_method.none':
    'Elle ne la prouve pas : elle est publique et utilise PKCE. L’autorisation est demandée aux utilisateurs à chaque fois.',
  'security.token_endpoint_auth_method.client_secret_basic':
    'Un secret client : toute bibliothèque peut l’envoyer. Qui l’obtient peut se faire passer pour votre application jusqu’à son remplacement.',
  'security.token_endpoint_auth_method.private_key_jwt':
    'Une clé (private_key_jwt) : ce serveur n’en connaît que la moitié publique, elle ne peut donc pas fuir d’ici. Vos serveurs signent un court message à chaque requête.',
  'security.token_endpoint_auth_method.tls_client_auth':
    'Un certificat d’une autorité que ce serveur accepte : vos serveurs le présentent à chaque connexion, et vous le renouvelez avant son expiration.',
  'security.token_endpoint_auth_method.self_signed_tls_client_auth':
    'Votre propre certificat : il n’a pas besoin d’autorité. Vos serveurs le présentent à chaque connexion, et sa clé publique est enregistrée ci-dessous.',
  'security.stays_confidential':
    'Une application qui prouve son identité ne peut pas devenir publique. Enregistrez-en plutôt une autre.',
  'security.keys': 'Clés et noms',
  'security.keys_text': 'Pour une clé, un certificat ou des requêtes signées. Sinon, laissez ces champs vides.',
  'security.jwks': 'Clés publiques',
  'security.jwks_hint': 'Un ensemble JWK : du JSON avec le membre keys. Ne collez jamais de clé privée.',
  'security.jwks_uri': 'Adresse des clés publiques',
  'security.jwks_uri_hint':
    'À la place des clés elles-mêmes : ce serveur les y récupère, vous pouvez donc les remplacer sans cette page. Le site doit toujours être joignable.',
  'security.subject': 'Sujet du certificat',
  'security.subject_hint':
    'Pour un certificat d’une autorité, remplissez un seul de ces deux champs. Le sujet tel que l’affiche openssl x509 -noout -subject -nameopt RFC2253.',
  'security.host': 'Nom d’hôte dans le certificat',
  'security.tokens': 'Ce que doit prouver une requête avec un jeton d’accès',
  'security.token_binding.any':
    'Rien, sauf si votre application a demandé le jeton avec une preuve DPoP : simple, mais qui vole un jeton peut s’en servir.',
  'security.token_binding.dpop':
    'Une clé (DPoP) : un jeton volé est inutilisable. Votre application signe une courte preuve à chaque requête.',
  'security.token_binding.certificate':
    'Le certificat de la connexion : un jeton volé est inutilisable. Chaque requête avec un jeton exige une connexion avec le certificat.',
  'security.token_binding.mac':
    'Un MAC de chaque requête : un projet de norme abandonné, pour les logiciels existants. Préférez DPoP.',
  'security.requests': 'Requêtes d’autorisation',
  'security.pushed':
    'Transmises à l’avance uniquement : personne ne peut les modifier dans le navigateur. Vos serveurs envoient une requête de plus à chaque fois.',
  'security.signed':
    'Signées uniquement : elles prouvent qui les a faites. Vos serveurs ont besoin d’une clé pour cela et les transmettent à l’avance.',
  'security.algorithm': 'Elles sont signées avec',
  'security.any_algorithm': 'N’importe lequel',
  'security_problem.token_endpoint_auth_method_too_weak': 'FAPI 2.0 exige une clé ou un certificat.',
  'security_problem.token_endpoint_auth_method_refused': 'Cela n’a pas été accepté : {value}',
  'security_problem.jwks_missing':
    'Collez des clés publiques ou indiquez leur adresse : votre choix ci-dessus les exige.',
  'security_problem.jwks_twice': 'Collez les clés ou indiquez leur adresse, pas les deux.',
  'security_problem.jwks_malformed': 'Ce n’est pas un ensemble JWK d’une à dix clés.',
  'security_problem.jwks_secret':
    'Il y avait ici une clé privée, qui a donc été retirée. Qui l’a vue peut se faire passer pour votre application : créez-en une nouvelle et collez seulement sa moitié publique.',
  'security_problem.jwks_unusable': 'L’une des clés n’est ni RSA de 2048 à 4096 bits, ni EC P-256, ni Ed25519.',
  'security_problem.jwks_forgeable':
    'N’importe qui pourrait signer à la place d’une de ces clés : l’exposant d’une clé RSA doit être un nombre impair à partir de 65537, les autres clés doivent être des points de leur courbe.',
  'security_problem.jwks_purpose':
    'L’une des clés n’est pas destinée à des signatures que ce serveur accepte : vérifiez use, key_ops et alg.',
  'security_problem.jwks_kid': 'Chaque clé a besoin d’un kid différent.',
  'security_problem.jwks_uri_not_https': 'Ce n’est pas une URL https.',
  'security_problem.jwks_uri_port':
    'Ce port appartient à un autre protocole : utilisez 443 ou un port au-dessus de 1023.',
  'security_problem.tls_client_auth_subject_dn_not_one':
    'Un certificat d’une autorité exige exactement un de ces deux noms. Dans les autres cas, laissez-les vides tous les deux.',
  'security_problem.tls_client_auth_subject_dn_malformed': 'Ce n’est pas un sujet tel que CN=app,O=Acme,C=DE.',
  'security_problem.tls_client_auth_san_dns_malformed': 'Ce n’est pas un nom d’hôte tel que app.example.',
  'security_problem.profile_not_https': 'FAPI 2.0 exige des URI de redirection avec https.',
  'security_problem.profile_mac': 'FAPI 2.0 n’autorise pas les jetons MAC.',
  'security_problem.require_signed_request_object_no_key': 'Les requêtes signées exigent des clés publiques.',
};
