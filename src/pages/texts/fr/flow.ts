import type { flow as english } from '../en/flow.ts';

export const flow: Record<keyof typeof english, string> = {
  'skip.content': 'Aller au contenu',
  'nav.label': 'Vos pages',
  'language.choose': 'Langue',
  'action.sign_in': 'Se connecter',
  'action.sign_out': 'Se déconnecter',
  'action.show_password': 'Afficher',
  'action.hide_password': 'Masquer',
  'action.copy': 'Copier',
  'action.copied': 'Copié',
  'action.cancel': 'Annuler',
  'list.next': 'Afficher la suite',
  'list.first': 'Revenir au début',
  'back.home': 'Page d’accueil',
  'back.account': 'Votre compte',
  'back.applications': 'Vers vos applications connectées',

  'login.title': 'Connexion',
  'login.client': '{client} ({domain}) attend que vous vous connectiez.',
  'login.again':
    '{client} ({domain}) vous demande de saisir à nouveau votre mot de passe, bien que vous soyez connecté.',
  'login.choose': '{client} ({domain}) demande quel compte vous voulez utiliser.',
  'login.continue': 'Continuer en tant que {name} ({username})',
  'login.other': 'Ou connectez-vous avec un autre compte',
  'login.client_where': 'Votre mot de passe reste ici : {client} ne le voit jamais.',
  'login.username': 'Nom d’utilisateur',
  'login.password': 'Mot de passe',

  'problem.wrong_credentials':
    'Ce nom d’utilisateur et ce mot de passe ne vont pas ensemble. Vérifiez les deux et réessayez.',
  'problem.form_expired': 'Ce formulaire est resté ouvert trop longtemps. Rien n’est perdu : envoyez-le de nouveau.',
  'problem.too_many_attempts': 'Trop de tentatives. Attendez {wait}, puis réessayez.',
  'problem.session_ended': 'Vous avez été déconnecté entre-temps. Reconnectez-vous pour reprendre là où vous en étiez.',
  'problem.cookies_missing':
    'Votre navigateur n’a renvoyé aucun cookie. Autorisez les cookies pour ce site ou quittez la navigation privée, puis réessayez.',
  'problem.other_host':
    'Un cookie ne vaut que pour une adresse, et celle de ce serveur est {host}. Continuez là-bas, puis connectez-vous.',
  'problem.cross_site':
    'Ce formulaire venait d’un autre site et n’a pas été accepté. Si c’était bien vous, envoyez-le de nouveau.',
  'problem.required_missing':
    'Il manquait une autorisation obligatoire : rien n’a été accordé. Accordez-la avec les autres, ou refusez.',
  'problem.nothing_chosen': 'Aucune case n’était cochée. Cochez au moins une autorisation, ou refusez.',

  'consent.title': 'Autoriser {client} à utiliser votre compte ?',
  'consent.from': 'De {domain}, enregistrée ici depuis le {date}.',
  'consent.changed':
    '{client} vous renvoie désormais vers d’autres adresses que lors de votre accord. C’est pourquoi la question vous est reposée.',
  'consent.public':
    'Personne ne peut vérifier qu’il s’agit bien de {client} : une application de ce type ne peut pas prouver qui elle est. N’autorisez que si vous venez de l’ouvrir vous-même.',
  'consent.one_more': '{client} demande une autorisation de plus.',
  'consent.more': '{client} demande {count} autorisations de plus.',
  'consent.asks': 'Ce que l’application demande',
  'consent.untick': 'Décochez ce que vous préférez garder pour vous.',
  'consent.required': 'Obligatoire',
  'consent.before': 'Déjà accordé',
  'consent.new': 'Nouveau',
  'consent.changes': 'Peut modifier',
  'consent.reason': '{client} indique : « {reason} »',
  'consent.never':
    'L’application ne voit jamais votre mot de passe, ni ce qui ne figure pas ici, ni ce que vous laissez décoché.',
  'consent.duration': 'Pour combien de temps',
  'consent.always': 'Jusqu’à ce que je le révoque',
  'consent.30d': '30 jours',
  'consent.once': 'Cette fois seulement',
  'consent.revoke_any_time': 'Vous pouvez revenir sur votre accord à tout moment sous « Applications connectées ».',
  'consent.allow': 'Autoriser',
  'consent.deny': 'Refuser',
  'consent.return': 'Dans les deux cas, vous retournez ensuite sur {host}.',
  'consent.return_app': 'Dans les deux cas, vous retournez ensuite dans l’application sur cet appareil.',
  'consent.signed_in': 'Vous êtes connecté en tant que {name} ({username}).',
  'consent.switch': 'Utiliser un autre compte',

  'group.user': 'Votre profil',
  'group.user:write': 'Modifier votre profil',
  'group.repo': 'Vos dépôts',
  'scope.user:name': 'Voir votre nom et votre nom d’utilisateur',
  'scope.user:email': 'Voir votre adresse e-mail',
  'scope.user:write': 'Modifier votre nom et votre adresse e-mail',
  'scope.repo:read': 'Lire vos dépôts',
  'scope.repo:write': 'Modifier vos dépôts',

  'leaving.title': 'Continuer vers {host} ?',
  'leaving.title_app': 'Continuer vers l’application sur cet appareil ?',
  'leaving.text':
    '{client} ({domain}) a demandé quelque chose d’impossible, et vous alliez y être renvoyé. Rien n’a été communiqué.',
  'leaving.unchecked':
    'Aucun administrateur de ce serveur ne se porte garant de cette application. Ne continuez que si vous la connaissez.',
  'leaving.continue': 'Continuer',
  'error.for_developers': 'Pour les développeurs',
  'error.code': 'Erreur',
  'error.description': 'Détail',
  'error.reference': 'Référence',
  'error.meaning_link': 'Ce que signifie cette erreur et comment la corriger',
  'error.received': 'Reçue',
  'error.registered': 'Enregistrée',
  'error.differs_in': 'Différence : {parts}',
  'error.mismatch': 'L’URI de redirection n’est pas celle qui est enregistrée',
  'error.mismatch_text': 'Elles sont comparées caractère par caractère. Ce qui diffère est surligné.',
  'error.none_registered': 'Aucune URI de redirection n’est enregistrée.',
  'part.scheme': 'schéma',
  'part.host': 'hôte',
  'part.port': 'port',
  'part.path': 'chemin',
  'part.slash': 'barre oblique finale',
  'part.query': 'paramètres',
  'part.fragment': 'fragment',

  'hint.not_redirected':
    'Vous n’avez pas été redirigé, car rien ne garantit que l’adresse de destination appartient à l’application.',

  'home.title': 'Connectez-vous une fois. Décidez de ce que chaque application peut faire.',
  'home.text':
    '{brand} vous connecte et vous demande, autorisation par autorisation, ce qu’une application peut faire en votre nom. Vous pouvez changer d’avis à tout moment.',
  'home.playground': 'Bac à sable',
  'home.playground_text': 'Dérouler tout le flux par code d’autorisation et en lire chaque requête.',
  'home.account': 'Votre compte',
  'home.account_text': 'Nom, adresse e-mail, mot de passe et sessions ouvertes.',
  'home.applications': 'Applications connectées',
  'home.applications_text': 'Ce que vous avez autorisé, à qui, et comment y mettre fin.',
  'home.developer': 'Espace développeur',
  'home.developer_text': 'Enregistrer une application et comprendre pourquoi quelque chose a été refusé.',
  'home.metadata': 'Métadonnées du serveur',
  'home.metadata_text': 'Toutes les adresses et capacités, pour les machines et ceux qui s’en occupent.',

  'signed_out.title': 'Vous êtes déconnecté',
  'signed_out.text': 'Les applications que vous avez autorisées gardent leur accès tant que vous ne le révoquez pas.',
  'message.registration_off.title': 'L’enregistrement est fermé',
  'message.registration_off.text':
    'Seuls les administrateurs peuvent enregistrer des applications ici. Adressez-vous à eux.',
  'message.no_access.title': 'Cette application n’a aucun accès',
  'message.no_access.text':
    'Elle ne peut rien faire en votre nom : vous avez révoqué son accès, il a expiré, ou vous ne l’avez jamais autorisé. Si elle en a besoin, elle vous le demandera.',
};
