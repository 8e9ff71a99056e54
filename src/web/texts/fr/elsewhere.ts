import type { elsewhere as english } from '../en/elsewhere.ts';

export const elsewhere: Record<keyof typeof english, string> = {
  'login.website': 'Se connecter sur {host}',
  'signed_out.website': 'Vous êtes peut-être encore connecté sur {host}.',
  'signed_out.website_link': 'Aller sur {host}',
  'back.again': 'Réessayer',
  'back.go_on': 'Continuer',
  'message.elsewhere_unknown.title': 'Cette connexion n’a pas commencé ici',
  'message.elsewhere_unknown.text':
    'Elle a commencé dans un autre navigateur ou il y a plus de dix minutes. Personne n’a été connecté. Si quelqu’un vous a envoyé ce lien, ne l’ouvrez plus ; sinon, retournez à l’application et recommencez.',
  'message.elsewhere_over.title': 'Cette connexion est terminée',
  'message.elsewhere_over.text': 'Elle a déjà été achevée ou annulée, peut-être par un second clic.',
  'message.elsewhere_invalid.title': 'La réponse est inutilisable',
  'message.elsewhere_invalid.text':
    'Ce que l’autre site a dit de votre connexion n’est pas valable ici. Vous n’êtes pas connecté. Si cela se reproduit, prévenez l’exploitant de ce serveur.',
  'message.elsewhere_stale.title': 'Une nouvelle connexion est nécessaire',
  'message.elsewhere_stale.text':
    'L’application demande que vous vous connectiez de nouveau, mais l’autre site vous a laissé passer grâce à une connexion antérieure. Déconnectez-vous là-bas, puis réessayez.',
  'message.elsewhere_uncertain.title': 'Veuillez réessayer dans un instant',
  'message.elsewhere_uncertain.text':
    'Il est impossible pour le moment de vérifier que la réponse vient du bon site. Rien n’est perdu.',
  'message.elsewhere_failed.title': 'L’autre site signale un problème',
  'message.elsewhere_failed.text':
    'Vous n’êtes pas connecté. Vous pouvez réessayer ; si cela échoue encore, prévenez l’exploitant de l’autre site.',
  'message.elsewhere_denied.title': 'Vous n’êtes pas connecté',
  'message.elsewhere_denied.text': 'Vous avez annulé la connexion sur l’autre site.',
  'message.elsewhere_of_another_source.title': 'Ce compte relève d’une autre connexion',
  'message.elsewhere_of_another_source.text':
    'Il existe ici un compte portant votre numéro, mais on s’y connecte d’une autre manière ; vous ne pouvez donc pas l’ouvrir depuis ce site. Connectez-vous de l’autre manière ou demandez à l’exploitant de ce serveur.',
  'message.elsewhere_disabled.title': 'Votre compte est désactivé',
  'message.elsewhere_disabled.text': 'L’exploitant de ce serveur l’a désactivé. Veuillez vous adresser à lui.',
  'account.again': 'Se connecter de nouveau',
  'account.again_hint': 'Connectez-vous de nouveau auparavant : votre dernière connexion date de plus de 15 minutes.',
  'account.email_again_hint':
    'Pour saisir une nouvelle adresse, connectez-vous d’abord de nouveau : votre dernière connexion date de plus de 15 minutes.',
  'account.no_password': 'Vous vous connectez sur un autre site ; vous n’avez donc pas de mot de passe ici.',
  'problem.sign_in_elsewhere':
    'Le site sur lequel vous vous êtes connecté n’indique pas quand il a vérifié votre identité pour la dernière fois, ce que cette modification exige. Connectez-vous d’une autre manière, ou adressez-vous à l’exploitant de ce serveur.',
  'problem.sign_in_again':
    'Votre dernière connexion date de plus de 15 minutes. Connectez-vous de nouveau, puis renvoyez le formulaire.',
  'delete.profile_elsewhere':
    'Votre nom d’utilisateur, votre nom et votre adresse e-mail sont supprimés ici, et vous êtes déconnecté partout. Si vous vous reconnectez plus tard, vous recevrez un nouveau compte.',
  'playground.website_off_text':
    'On peut aussi se connecter là où on le fait toujours : sur la page de connexion de votre site. Un site de démonstration montre comment.',
  'playground.website_switch_on': 'Activer le site de démonstration',
  'playground.website_on_text':
    'Le site de démonstration est activé : la page de connexion a maintenant un bouton qui y mène.',
  'playground.website_switch_off': 'Désactiver',
  'demo_website.title': 'Le site de démonstration',
  'demo_website.text':
    'Cette page joue le rôle de la page de connexion de votre propre site. Le serveur vous y a envoyé avec une requête signée ; votre site vérifie la signature, vous connecte comme toujours et vous renvoie avec une réponse signée.',
  'demo_website.sign_in': 'Se connecter en tant que {name}',
  'demo_website.cancel': 'Annuler',
  'demo_website.request': 'La requête',
  'demo_website.refused':
    'Le site de démonstration n’a pas reçu de requête valable : elle a été modifiée ou date de plus de dix minutes.',
};
