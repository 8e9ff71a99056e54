import type { security as english } from '../en/security.ts';

export const security: Record<keyof typeof english, string> = {
  'security.title': 'Sécurité de cette application',
  'security.text':
    'Les modifications s’appliquent dès la requête suivante : modifiez donc vos serveurs en même temps. Les codes et les jetons d’actualisation déjà émis suivent aussi les nouveaux réglages ; les jetons d’accès déjà émis restent tels quels jusqu’à leur expiration.',
  'security.profile': 'Règles',
  'security.profile.standard': 'Ordinaires : OAuth 2.0, tel que toute bibliothèque le prend en charge.',
  'security.profile.fapi2':
    'FAPI 2.0, pour les données bancaires et de santé : une clé ou un certificat, des requêtes transmises à l’avance, des jetons liés. Votre bibliothèque doit prendre en charge les trois, et l’autorisation est demandée aux utilisateurs à chaque fois.',
  'security.method': 'Comment elle prouve son identité',
  'security.token_endpoint_auth_method.none':
    'Elle ne la prouve pas : elle est publique et utilise PKCE. L’autorisation est demandée aux utilisateurs à chaque fois.',
  'security.token_endpoint_auth_method.client_secret_basic':
    'Un secret client : toute bibliothèque peut l’envoyer. Quiconque l’obtient peut se faire passer pour votre application jusqu’à son remplacement.',
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
  'security.tokens': 'Ce que doit prouver une requête avec un jeton d’accès',
  'security.token_binding.any':
    'Rien, sauf si votre application a demandé le jeton avec une preuve DPoP : simple, mais quiconque vole un jeton peut s’en servir.',
  'security.token_binding.dpop':
    'Une clé (DPoP) : un jeton volé est inutilisable. Votre application signe une courte preuve à chaque requête.',
  'security.token_binding.certificate':
    'Le certificat de la connexion : un jeton volé est inutilisable. Chaque requête avec un jeton exige une connexion avec le certificat.',
  'security.token_binding.mac':
    'Un MAC de chaque requête : un projet de norme abandonné, pour les logiciels existants. Préférez DPoP.',
  'security.requests': 'Requêtes d’autorisation',
  'security.any': 'N’importe lequel',
  'security.fapi2_preset': 'Remplir selon FAPI 2.0',
};
