import type { playground as english } from '../en/playground.ts';

export const playground: Record<keyof typeof english, string> = {
  'playground.title': 'Bac à sable',
  'playground.text':
    'Une vraie application, enregistrée sur ce serveur. Elle vous connecte, demande une autorisation et lit votre profil, sous vos yeux.',
  'playground.demo_user': 'Connectez-vous comme {username}, mot de passe {password}.',
  'playground.start': 'Lancer le flux',
  'playground.start_text':
    'Voici plus bas la requête que votre navigateur va porter, avec tous ses paramètres. Après votre réponse, vous verrez chaque message qui a suivi.',
  'playground.ask_again': 'Me redemander, même si j’ai déjà décidé',
  'playground.other_host':
    'Cette page est ouverte sous le nom {host}, mais le serveur s’appelle {domain}. Un cookie de l’un n’est pas envoyé à l’autre.',
  'playground.open_there': 'Ouvrir le bac à sable là-bas',
  'playground.restart': 'Recommencer',
  'playground.flow': 'Retour au flux entier',
  'playground.ended': 'Les jetons de ce flux ont pris fin. Recommencez pour essayer ce qui en a besoin.',
  'playground.permissions': 'Ce qu’elle a demandé, et ce que vous avez laissé coché',
  'playground.granted': 'accordé',
  'playground.unticked': 'non accordé',
  'playground.received': 'Ce que l’application a reçu',
  'playground.received_text': 'Exactement ce que vous avez laissé coché, et rien d’autre.',
  'playground.request': 'Requête',
  'playground.response': 'Réponse',
  'playground.page': 'Voir la page par laquelle le serveur répond',
  'playground.curl': 'En ligne de commande',
  'playground.once':
    'Le code a déjà servi. Cette commande le présente de nouveau : le serveur refuse et met fin aux jetons qui en sont issus.',
  'playground.by_browser': 'Par le navigateur',
  'playground.by_application': 'En direct, de l’application au serveur',
  'step.authorization_request.title': 'L’application vous envoie ici',
  'step.authorization_request.text':
    'Votre navigateur est redirigé vers le serveur, avec le souhait de l’application dans l’adresse. Rien n’y est secret.',
  'step.authorization_response.title': 'Vous décidez, puis revenez avec un code',
  'step.authorization_response.text':
    'Le code ne vaut rien seul : il sert une fois, pendant quelques minutes, et à cette application seulement.',
  'step.token_request.title': 'L’application échange le code',
  'step.token_request.text':
    'Hors de la vue du navigateur. L’application s’authentifie par son secret, visible ici car il n’appartient qu’à la démonstration, et le code_verifier prouve que c’est bien elle qui a commencé.',
  'step.resource_request.title': 'Elle lit votre profil',
  'step.resource_request.text':
    'Le jeton ouvre ce que vous avez autorisé. La réponse contient les champs de ces autorisations et aucun autre.',
  'step.refresh_request.title': 'Elle prolonge l’accès',
  'step.refresh_request.text':
    'Chaque jeton d’actualisation sert une fois ; la réponse contient le suivant. Si un ancien revient, tous prennent fin.',
  'step.change_request.title': 'Elle modifie votre profil',
  'step.change_request.text':
    'Votre propre nom, réécrit tel quel. Si vous n’avez pas laissé cette autorisation cochée, la réponse est 403 et nomme la portée qui manque.',
  'step.revocation_request.title': 'Elle rend le jeton',
  'step.revocation_request.text':
    'Une application qui n’a plus besoin de l’accès le dit. La réponse est 200, même pour un jeton qui avait déjà pris fin.',
  'step.refused_response.title': 'Vous refusez, puis revenez sans code',
  'step.refused_response.text':
    'L’application apprend que l’accès est refusé, et rien sur vous. Une réponse ordinaire, dont elle doit s’accommoder.',
  'parameter.response_type': 'La réponse doit être un code.',
  'parameter.client_id': 'Qui demande. Public, ce n’est pas un secret.',
  'parameter.redirect_uri': 'Où va la réponse. Doit être enregistrée, au caractère près.',
  'parameter.scope': 'Quelles autorisations.',
  'parameter.state': 'Choisi par l’application, rendu tel quel : elle y reconnaît sa propre demande.',
  'parameter.code_challenge': 'L’empreinte d’un secret que seule cette application connaît (PKCE).',
  'parameter.code_challenge_method': 'Comment l’empreinte a été faite : SHA-256.',
  'parameter.prompt': 'Demander à la personne même si elle a déjà accepté.',
  'parameter.code': 'Le code d’autorisation : sert une fois, peu de temps.',
  'parameter.iss': 'Quel serveur a répondu, pour qu’on ne puisse pas en confondre deux.',
  'parameter.grant_type': 'Ce qui est échangé.',
  'parameter.client_secret': 'Le mot de passe de l’application.',
  'parameter.code_verifier': 'Le secret lui-même. Son empreinte doit être égale au code_challenge.',
  'parameter.access_token': 'La clé de la ressource.',
  'parameter.token_type': 'Quiconque porte le jeton peut l’utiliser.',
  'parameter.expires_in': 'Secondes avant la fin du jeton d’accès.',
  'parameter.refresh_token': 'Pour le prochain jeton d’accès.',
  'parameter.error': 'Le code du refus.',
  'parameter.error_description': 'La raison, pour les développeurs.',
  'parameter.error_uri': 'La page sur cette erreur.',
  'parameter.token': 'Le jeton qui doit prendre fin.',
  'parameter.request_id': 'Mène l’exploitant à ce refus dans le journal.',
};
