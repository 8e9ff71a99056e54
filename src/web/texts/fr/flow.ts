import type { flow as english } from '../en/flow.ts';

export const flow: Record<keyof typeof english, string> = {
  'skip.content': 'Aller au contenu',
  'nav.label': 'Votre compte',
  'language.choose': 'Langue',
  'action.sign_in': 'Se connecter',
  'action.sign_out': 'Se déconnecter',
  'action.show_password': 'Afficher',
  'action.hide_password': 'Masquer',
  'action.copy': 'Copier',
  'action.copied': 'Copié',
  'action.cancel': 'Annuler',
  'list.next': 'Afficher la suite',
  'list.first': 'Revenir à la première page',
  'back.home': 'Aller à la page d’accueil',
  'back.account': 'Aller à votre compte',
  'back.applications': 'Aller à vos applications connectées',

  'login.title': 'Connexion',
  'login.client': 'Connectez-vous pour continuer vers {client} ({domain}).',
  'login.again': 'Vous êtes déjà connecté, mais {client} ({domain}) exige que vous vous reconnectiez.',
  'login.choose': 'Choisissez le compte à utiliser avec {client} ({domain}).',
  'login.continue': 'Continuer en tant que {name} ({username})',
  'login.other': 'Ou connectez-vous avec un autre compte',
  'login.client_where': 'Votre mot de passe n’est pas communiqué à {client}.',
  'login.unknown':
    'Connectez-vous pour continuer vers une application qui se présente comme « {client} ». Ce serveur ne l’a pas vérifiée.',
  'login.username': 'Nom d’utilisateur ou adresse e-mail',
  'login.password': 'Mot de passe',

  'problem.wrong_credentials': 'Le nom d’utilisateur ou le mot de passe est incorrect. Vérifiez-les et réessayez.',
  'problem.form_expired': 'Ce formulaire est resté ouvert trop longtemps et a expiré. Veuillez l’envoyer de nouveau.',
  'problem.too_many_attempts': 'Trop de tentatives. Réessayez dans {wait}.',
  'problem.too_busy':
    'Trop d’utilisateurs se connectent en ce moment. Rien n’a été modifié ; réessayez dans un instant.',
  'problem.session_ended': 'Votre session est terminée. Reconnectez-vous pour reprendre là où vous en étiez.',
  'waiting.title': 'Votre session est terminée',
  'waiting.text':
    'Votre saisie est conservée dans cette page, et nulle part ailleurs. Connectez-vous dans un autre onglet, revenez ici et continuez : votre formulaire réapparaîtra.',
  'waiting.sign_in': 'Se connecter dans un autre onglet',
  'waiting.go_on': 'Continuer avec le formulaire',
  'problem.cookies_missing':
    'Votre navigateur n’a pas envoyé le cookie de ce site. Autorisez les cookies pour ce site ou quittez la navigation privée, puis réessayez.',
  'problem.other_host':
    'L’adresse de ce serveur est {host}. Ouvrez-le à cette adresse pour vous connecter : les navigateurs n’envoient pas les cookies d’une adresse à une autre.',
  'problem.cross_site':
    'Ce formulaire a été envoyé depuis un autre site et n’a pas été accepté. Si vous l’avez envoyé vous-même, envoyez-le de nouveau ici.',
  'problem.required_missing':
    'Il manquait une autorisation obligatoire : rien n’a été modifié. Accordez toutes les autorisations obligatoires ou refusez l’accès.',
  'problem.choices_lost':
    'Vos choix n’ont pas pu être conservés : seul ce qui est obligatoire est coché. Veuillez choisir de nouveau.',
  'problem.nothing_chosen': 'Aucune autorisation n’était cochée. Cochez-en au moins une ou refusez l’accès.',

  'consent.title': 'Autoriser {client} à accéder à votre compte ?',
  'consent.title_host': 'Autoriser {host} à accéder à votre compte ?',
  'consent.title_app': 'Autoriser une application de cet appareil à accéder à votre compte ?',
  'consent.from': 'De {domain}, enregistrée ici le {date}.',
  'consent.calls_itself': 'Elle se présente comme « {client} » et a été enregistrée ici le {date}.',
  'consent.described': 'Le site {domain} la décrit sous le nom « {client} ».',
  'consent.unknown':
    'Ce serveur n’a pas vérifié cette application ; elle a choisi elle-même son nom. N’autorisez l’accès que si vous venez de l’ouvrir vous-même et savez d’où elle vient.',
  'client.quoted': '« {name} »',
  'consent.changed':
    'Depuis votre dernier accord, {client} a changé son nom ou les adresses vers lesquelles elle vous redirige. Veuillez décider de nouveau.',
  'consent.public':
    'Ce serveur ne peut pas vérifier qu’il s’agit bien de {client} : les applications de ce type n’ont pas de secret client. N’autorisez l’accès que si vous venez d’ouvrir l’application vous-même.',
  'consent.one_more': '{client} demande une autorisation supplémentaire.',
  'consent.more': '{client} demande {count} autorisations supplémentaires.',
  'consent.asks': 'Autorisations demandées',
  'consent.resources': 'À utiliser auprès de :',
  'consent.untick': 'Décochez ce que vous refusez.',
  'consent.required': 'Obligatoire',
  'consent.before': 'Déjà accordée',
  'consent.new': 'Nouvelle',
  'consent.changes': 'Peut modifier',
  'consent.reason': '{client} indique : « {reason} »',
  'consent.username': 'Votre nom d’utilisateur',
  'consent.never':
    'L’application ne voit jamais votre mot de passe et ne peut rien faire que vous n’ayez autorisé ici.',
  'consent.published': 'Publié par {domain} :',
  'consent.published_unchecked': '{client} renvoie à ces pages ; ce serveur n’a pas vérifié que ce sont les siennes :',
  'consent.policy': 'Politique de confidentialité',
  'consent.terms': 'Conditions d’utilisation',
  'consent.duration': 'Durée de l’accès',
  'consent.always': 'Jusqu’à ce que je révoque l’accès',
  'consent.30d': '30 jours',
  'consent.once': 'Cette fois seulement',
  'consent.revoke_any_time': 'Vous pouvez révoquer l’accès à tout moment dans « Applications connectées ».',
  'consent.allow': 'Autoriser',
  'consent.deny': 'Refuser',
  'consent.return': 'Dans les deux cas, vous reviendrez ensuite à {host}.',
  'consent.return_program': 'Dans les deux cas, vous reviendrez ensuite à un programme sur cet appareil ({host}).',
  'consent.return_app': 'Dans les deux cas, vous reviendrez ensuite à l’application sur cet appareil.',
  'consent.signed_in': 'Connecté en tant que {name} ({username}).',
  'consent.switch': 'Utiliser un autre compte',

  'group.user': 'Votre profil',
  'group.user:write': 'Modifications de votre profil',
  'group.repo': 'Vos dépôts',
  'scope.user:name': 'Voir votre nom et votre nom d’utilisateur',
  'scope.user:email': 'Voir votre adresse e-mail',
  'scope.user:write': 'Modifier votre nom et votre adresse e-mail',
  'scope.repo:read': 'Lire vos dépôts',
  'scope.repo:write': 'Modifier vos dépôts',

  'form_post.title': 'Retour à {host}',
  'form_post.text':
    'Votre navigateur transmet la réponse à l’application. Choisissez « Continuer » si rien ne se passe.',
  'form_post.sent': 'Votre réponse a été envoyée à l’application. Si elle ne s’ouvre pas, retournez-y et recommencez.',
  'leaving.title': 'Continuer vers {host} ?',
  'leaving.title_app': 'Continuer vers l’application sur cet appareil ?',
  'leaving.text':
    'La requête d’une application qui se présente comme « {client} » a échoué. Si vous continuez, vous revenez à l’application avec un message d’erreur. Aucune de vos données n’a été communiquée.',
  'leaving.unchecked':
    'Aucun administrateur de ce serveur n’a approuvé cette application. Ne continuez que si vous la connaissez.',
  'leaving.continue': 'Continuer',
  'error.for_developers': 'Détails pour les développeurs',
  'error.code': 'Erreur',
  'error.description': 'Description',
  'error.reference': 'ID de requête',
  'error.meaning_link': 'Ce que signifie cette erreur et comment la corriger',
  'error.received': 'Reçue',
  'error.registered': 'Enregistrée',
  'error.differs_in': 'Différence : {parts}',
  'error.mismatch': 'L’URI de redirection ne correspond à aucune URI enregistrée',
  'error.mismatch_text':
    'Les URI de redirection sont comparées caractère par caractère. Les différences sont surlignées.',
  'error.none_registered': 'Aucune URI de redirection n’est enregistrée.',
  'part.scheme': 'schéma',
  'part.host': 'hôte',
  'part.port': 'port',
  'part.path': 'chemin',
  'part.slash': 'barre oblique finale',
  'part.query': 'paramètres',
  'part.fragment': 'fragment',

  'hint.not_redirected':
    'Vous n’avez pas été redirigé, car l’adresse indiquée dans la requête n’appartient peut-être pas à l’application.',

  'home.title': 'Connectez-vous une fois. Décidez de ce que chaque application peut faire.',
  'home.text':
    'Utilisez votre compte {brand} pour vous connecter aux applications et choisissez les autorisations de chacune. Vous pouvez les modifier ou les révoquer à tout moment.',
  'home.playground': 'Bac à sable',
  'home.playground_text': 'Exécuter pas à pas le flux par code d’autorisation et voir chaque requête.',
  'home.account': 'Votre compte',
  'home.account_text': 'Nom, adresse e-mail, mot de passe et sessions.',
  'home.applications': 'Applications connectées',
  'home.applications_text':
    'Voir quelles applications ont accès à votre compte, modifier leurs autorisations ou révoquer leur accès.',
  'home.developer': 'Espace développeurs',
  'home.developer_text': 'Enregistrer des applications et comprendre pourquoi des requêtes ont été refusées.',
  'home.metadata': 'Métadonnées du serveur',
  'home.metadata_text': 'Les points de terminaison et les fonctions de ce serveur, en JSON.',
  'home.openapi': 'Description de l’API',
  'home.openapi_text':
    'Toutes les adresses destinées aux applications, avec leurs paramètres et réponses, au format OpenAPI.',

  'signed_out.title': 'Vous êtes déconnecté',
  'signed_out.text': 'Les applications conservent l’accès que vous leur avez accordé jusqu’à ce que vous le révoquiez.',
  'message.account_deleted.title': 'Votre compte est supprimé',
  'message.account_deleted.text': 'Toutes vos sessions sont fermées et plus aucune application n’a accès.',
  'message.registration_off.title': 'L’enregistrement est fermé',
  'message.registration_off.text':
    'Seuls les administrateurs peuvent enregistrer des applications sur ce serveur. Adressez-vous à l’un d’eux.',
  'message.registration_off.how': 'Ce qu’il faut leur envoyer',
  'message.no_access.title': 'Cette application n’a pas accès à votre compte',
  'message.no_access.text':
    'Vous n’avez jamais autorisé son accès, il a expiré ou vous l’avez révoqué. Si l’application a de nouveau besoin d’un accès, elle vous le demandera.',
  'nav.menu': 'Menu',
  'footer.imprint': 'Mentions légales',
  'footer.privacy': 'Confidentialité',
  'footer.support': 'Aide',
  'home.for_developers': 'Pour les développeurs',
  'error.own_disabled':
    '{client} vous appartient et est désactivée : tout le monde est refusé jusqu’à sa réactivation.',
  'error.own_disabled_link': 'L’ouvrir dans l’espace développeurs',
  'error.own_redirects_link': 'Modifier les URI de redirection dans l’espace développeurs',
};
