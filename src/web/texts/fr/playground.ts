import type { playground as english } from '../en/playground.ts';

export const playground: Record<keyof typeof english, string> = {
  'playground.title': 'Bac à sable',
  'playground.text':
    'Une véritable application, enregistrée sur ce serveur. Elle vous connecte, demande des autorisations et lit votre profil, et vous voyez chaque requête.',
  'playground.demo_user': 'Connectez-vous comme {username}, mot de passe {password}.',
  'playground.start': 'Démarrer le flux',
  'playground.start_text':
    'Voici la requête que votre navigateur va envoyer, avec tous ses paramètres. Après votre décision, vous verrez tous les messages qui ont suivi.',
  'playground.ask_again': 'Me demander de nouveau, même si j’ai déjà décidé',
  'playground.other_host':
    'Vous avez ouvert cette page à l’adresse {host}, mais l’adresse de ce serveur est {domain}. Les navigateurs ne partagent pas les cookies entre les deux.',
  'playground.open_there': 'Ouvrir le bac à sable là-bas',
  'playground.restart': 'Recommencer',
  'playground.flow': 'Retour au flux complet',
  'playground.ended': 'Les jetons de ce flux ne sont plus valides. Recommencez pour essayer ce qui nécessite un jeton.',
  'playground.permissions': 'Autorisations demandées et accordées',
  'playground.granted': 'accordée',
  'playground.unticked': 'non accordée',
  'playground.received': 'Ce que l’application a reçu',
  'playground.received_text': 'Exactement ce que vous avez autorisé, et rien d’autre.',
  'playground.request': 'Requête',
  'playground.response': 'Réponse',
  'playground.page': 'Afficher la page renvoyée par le serveur',
  'playground.curl': 'Sous forme de commande curl',
  'playground.by_browser': 'Par le navigateur',
  'playground.by_application': 'Directement au serveur',
  'step.authorization_request.title': 'L’application vous envoie vers le serveur',
  'step.authorization_request.text':
    'Votre navigateur est redirigé vers le serveur, avec la requête de l’application dans l’URL. Rien n’y est secret.',
  'step.authorization_response.title': 'Vous décidez et revenez avec un code',
  'step.authorization_response.text':
    'Le code est inutile à lui seul : il ne peut être échangé qu’une fois, en quelques minutes et uniquement par cette application.',
  'step.token_request.title': 'L’application échange le code',
  'step.token_request.text':
    'Cette requête ne passe pas par le navigateur. Le secret client authentifie l’application (il est affiché ici parce qu’il s’agit d’une démonstration), et le code_verifier prouve que c’est la même application qui a démarré le flux.',
  'step.resource_request.title': 'L’application lit votre profil',
  'step.resource_request.text':
    'Le jeton d’accès donne accès à ce que vous avez autorisé. La réponse contient les champs de ces autorisations et aucun autre.',
  'step.refresh_request.title': 'L’application actualise le jeton d’accès',
  'step.refresh_request.text':
    'Chaque jeton d’actualisation ne peut être utilisé qu’une fois ; la réponse contient le suivant. Si un ancien est utilisé plus tard, tous sont révoqués.',
  'step.change_request.title': 'L’application modifie votre profil',
  'step.change_request.text':
    'Elle renvoie votre propre nom, inchangé. Si vous n’avez pas accordé cette autorisation, la réponse est 403 et indique le scope manquant.',
  'step.revocation_request.title': 'L’application révoque le jeton',
  'step.revocation_request.text':
    'Une application devrait révoquer un jeton dont elle n’a plus besoin. La réponse est 200, même si le jeton n’était plus valide.',
  'step.refused_response.title': 'Vous refusez et revenez sans code',
  'step.refused_response.text':
    'L’application apprend que l’accès a été refusé, et rien sur vous. Toute application doit s’attendre à cette réponse.',
  'parameter.response_type': 'Demande un code d’autorisation.',
  'parameter.client_id': 'Identifie l’application. Public, ce n’est pas un secret.',
  'parameter.redirect_uri': 'Où va la réponse. Doit être enregistrée, au caractère près.',
  'parameter.scope': 'Les autorisations.',
  'parameter.state':
    'Valeur aléatoire de l’application, renvoyée telle quelle, qui lui permet de reconnaître sa propre requête.',
  'parameter.code_challenge': 'L’empreinte du code_verifier, que seule cette application connaît (PKCE).',
  'parameter.code_challenge_method': 'Comment l’empreinte a été calculée : SHA-256.',
  'parameter.prompt': 'Demande l’accord de l’utilisateur même s’il l’a déjà donné.',
  'parameter.code': 'Le code d’autorisation : valable une fois, pour peu de temps.',
  'parameter.iss': 'Le serveur qui a répondu, pour que deux serveurs ne puissent pas être confondus.',
  'parameter.grant_type': 'Ce qui est échangé contre des jetons.',
  'parameter.client_secret': 'Le mot de passe de l’application.',
  'parameter.code_verifier': 'Le secret lui-même. Son empreinte doit être égale au code_challenge.',
  'parameter.access_token': 'Donne accès à la ressource.',
  'parameter.token_type':
    'Comment le jeton est présenté. Quiconque détient un jeton Bearer peut l’utiliser ; DPoP exige une preuve.',
  'parameter.expires_in': 'Nombre de secondes avant l’expiration.',
  'parameter.refresh_token': 'Permet d’obtenir le prochain jeton d’accès.',
  'parameter.refresh_token_expires_in': 'Secondes avant l’expiration du jeton d’actualisation.',
  'parameter.authorization_expires_in': 'Secondes avant la fin de l’accès, selon le choix de l’utilisateur.',
  'parameter.id': 'Le numéro du compte ici.',
  'parameter.sub': 'L’application reconnaît l’utilisateur à ceci : cela ne change jamais.',
  'parameter.name': 'Le nom de l’utilisateur. Il peut changer.',
  'parameter.email': 'L’adresse de l’utilisateur, si elle est confirmée.',
  'parameter.email_verified': 'S’il y a une adresse confirmée.',
  'parameter.username': 'Le nom avec lequel l’utilisateur se connecte ici. Il peut changer.',
  'parameter.error': 'Le code d’erreur.',
  'parameter.error_description': 'La raison, pour les développeurs.',
  'parameter.error_uri': 'Une page sur cette erreur.',
  'parameter.token': 'Le jeton dont il s’agit.',
  'parameter.request_id': 'Identifie ce refus dans le journal de l’exploitant.',
  'playground.steps': 'Étapes',
};
