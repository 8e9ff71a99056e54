import type { developer as english } from '../en/developer.ts';

export const developer: Record<keyof typeof english, string> = {
  'developer.title': 'Vos applications',
  'developer.none': 'Vous n’avez pas encore enregistré d’application.',
  'developer.new': 'Enregistrer une application',
  'developer.confidential': 'Confidentielle',
  'developer.public': 'Publique',
  'developer.disabled': 'Désactivée',
  'developer.refusals': 'Refus récents',
  'developer.refusals_text':
    'Requêtes refusées au cours des sept derniers jours, avec la raison exacte, que la réponse ne contient pas. Une note indique ce qui a été ignoré dans une requête.',
  'developer.refusals_times': 'au moins {count} fois au cours de cette heure',
  'developer.no_refusals': 'Aucun.',
  'developer.refusals_reference': 'ID de requête (X-Request-Id)',
  'developer.refusals_find': 'Rechercher',
  'developer.refusal_not_found':
    'Aucun refus n’est conservé avec cet ID de requête. Pour chaque application, on conserve par minute au plus 20 refus d’un même réseau et 40 en tout, moins si de nombreuses applications sont concernées ; parmi eux, les 300 plus récents pendant sept jours. Le journal du serveur les contient tous.',

  'register.title': 'Enregistrer une application',
  'register.name': 'Nom',
  'register.name_hint': 'Les utilisateurs le voient lorsque leur autorisation est demandée.',
  'register.domain': 'Domaine du site',
  'register.domain_hint':
    'Les utilisateurs le voient aussi. Toutes les URI de redirection doivent se trouver sur cet hôte ou l’un de ses sous-domaines.',
  'register.homepage': 'Page d’accueil',
  'register.logo': 'Logo',
  'register.logo_hint': 'L’URL https d’une image carrée du site.',
  'register.redirects': 'URI de redirection',
  'register.redirects_hint':
    'Une par ligne, comparées caractère par caractère. Ni caractère générique ni fragment. Elles commencent par https ; http est réservé au site localhost, pour un essai sur votre ordinateur. Pour une application publique, aussi un schéma privé, comme com.example.app:/callback pour le site example.com, et http sur localhost.',
  'register.kind': 'Type',
  'register.is_confidential': 'Confidentielle : s’exécute sur un serveur et peut garder un secret client.',
  'register.is_public':
    'Publique : s’exécute dans un navigateur, sur un téléphone ou un ordinateur. Elle n’a pas de secret client et utilise PKCE.',
  'register.optional_field': 'facultatif',
  'register.presets': 'Partir de',
  'register.preset.web':
    'S’exécute sur un de vos serveurs : elle a un secret client, utilise PKCE, reçoit la réponse en https et reste connectée grâce aux jetons d’actualisation.',
  'register.preset.spa':
    'S’exécute dans le navigateur : elle n’a pas de secret, est protégée par PKCE, reçoit la réponse en https et obtient un nouveau jeton d’actualisation à chaque utilisation.',
  'register.preset.native':
    'S’exécute sur un téléphone ou un ordinateur : elle n’a pas de secret, est protégée par PKCE et reçoit la réponse à votre domaine en ordre inverse ou sur cet appareil.',
  'register.preset.api':
    'Vérifie les jetons que d’autres lui envoient, en interrogeant ce serveur avec son secret client. Elle ne connecte personne, mais il lui faut tout de même une URI de redirection. Les exploitants de ce serveur ajoutent sa ressource et ses scopes.',
  'register.preset.mcp':
    'S’exécute auprès de son utilisateur : il n’a pas de secret, est protégé par PKCE et reçoit la réponse sur n’importe quel port de cet appareil.',
  'register.tokens': 'Quand le jeton d’accès a expiré',
  'register.refreshes': 'Avec jetons d’actualisation : elle reste connectée jusqu’à ce que l’utilisateur y mette fin.',
  'register.refreshes_not': 'Sans jetons d’actualisation : elle renvoie l’utilisateur ici.',
  'register.example': 'Par exemple : {uris}',
  'register.permissions': 'Autorisations',
  'register.permissions_text':
    'Ne demandez que le nécessaire. Les utilisateurs peuvent refuser séparément chaque autorisation facultative.',
  'register.no': 'Non demandée',
  'register.optional': 'Facultative',
  'register.required': 'Obligatoire',
  'register.reason': 'Raison',
  'register.reason_hint': 'Une phrase : pourquoi l’application en a besoin, ou ce qui ne fonctionne pas sans elle.',
  'register.submit': 'Enregistrer',
  'register.save': 'Enregistrer les modifications',

  'field_problem.missing': 'Ce champ est obligatoire.',
  'field_problem.none_chosen': 'Choisissez-en au moins une.',
  'field_problem.too_long': 'C’est trop long.',
  'field_problem.too_many': 'Il y a trop d’entrées. La limite est de 50.',
  'field_problem.not_a_domain': 'Ce n’est pas un nom de domaine. Exemple : printer.example.',
  'field_problem.host_too_long': 'Un nom d’hôte a au plus 253 caractères, et 63 entre deux points.',
  'field_problem.public_suffix':
    'N’importe qui peut avoir un nom sous ce domaine. Indiquez votre propre nom sous celui-ci.',
  'field_problem.not_https': 'L’URL doit commencer par https:// : {value}',
  'field_problem.not_https_redirect':
    'L’URI doit commencer par https://. Une application confidentielle ne peut utiliser http que si son site est localhost, pour un essai sur votre ordinateur : {value}',
  'field_problem.outside_domain': 'L’URI est hors du domaine du site : {value}',
  'field_problem.not_reversed_domain':
    'Le schéma doit commencer par le domaine du site en ordre inverse, par exemple com.example pour example.com : {value}',
  'field_problem.has_fragment': 'Un fragment (#…) n’est pas autorisé : {value}',
  'field_problem.has_wildcard': 'Les caractères génériques ne sont pas autorisés : {value}',
  'field_problem.not_a_uri':
    'Ceci n’a ni la forme https://host/path ni celle d’un schéma privé, qui contient un point parce que c’est votre domaine en ordre inverse, comme com.example.app:/callback : {value}',
  'field_problem.refused': 'Cette valeur n’a pas été acceptée : {value}',

  'developer.connect': 'La connecter : points de terminaison et programmes prêts à l’emploi',
  'connect.title': 'Connecter votre application',
  'connect.next': 'Étapes suivantes',
  'connect.try': 'Essayer',
  'connect.try_text':
    'Vous voyez ce que verront vos utilisateurs. Personne ne peut échanger le code que votre application reçoit.',
  'connect.programs': 'Programmes prêts à l’emploi',
  'connect.secret': 'Placez le secret client dans la variable d’environnement CLIENT_SECRET. Tout le reste est rempli.',
  'connect.complete': 'Tout est rempli.',
  'connect.placeholder':
    'Une valeur ne peut pas être écrite sans risque dans ce langage. Remplacez vous-même {placeholder}.',
  'connect.needs_secret': 'Il faut pour cela un secret client, qu’une application publique n’a pas.',
  'connect.needs_public':
    'Ce programme s’exécute dans le navigateur, où aucun secret ne le reste. Enregistrez pour lui une application publique.',
  'connect.demands_more':
    'L’enregistrement de cette application exige plus que ce que fait ce programme, par exemple une clé ou une requête transmise à l’avance.',
  'connect.unregistered': '{library} a besoin d’une autre URI de redirection. Enregistrez d’abord celle-ci :',

  'developer.settings': 'Enregistrement',
  'developer.client_id': 'ID client',
  'developer.deep_link': 'Lien pour vos utilisateurs',
  'developer.deep_link_text':
    'Sur cette page, les utilisateurs voient et modifient les autorisations qu’ils ont accordées à votre application. Ajoutez un lien vers cette page sur votre site.',
  'developer.secrets': 'Secrets client',
  'developer.secrets_text':
    'Deux peuvent être valides en même temps : ajoutez-en un nouveau, configurez-le sur vos serveurs, puis supprimez l’ancien.',
  'developer.secret_created': 'Créé le {date}',
  'developer.secret_unused': 'jamais utilisé',
  'developer.secret_use_unseen': 'Aucune utilisation constatée',
  'developer.deleting': 'Supprimer le secret {secret} ?',
  'developer.deleting_text':
    'Ce secret est utilisé : une application s’est authentifiée avec lui le {when}. Une fois supprimé, tout programme qui l’envoie encore est refusé aussitôt, et plus personne ne peut s’y connecter.',
  'developer.deleting_first':
    'Passez d’abord tous vos serveurs à l’autre secret ; quand celui-ci n’affiche plus d’utilisation récente, vous pouvez le supprimer.',
  'developer.delete_anyway': 'Supprimer quand même',
  'developer.keys': 'Clés publiques',
  'developer.keys_text': 'Cette application prouve qu’elle possède une clé, au lieu d’un secret.',
  'developer.add_secret': 'Ajouter un secret client',
  'developer.delete_secret': 'Supprimer',
  'developer.vouching': 'Confiance',
  'developer.origin_seed': 'Provient du seed {seed}. La prochaine exécution rétablira ses valeurs.',
  'developer.origin_drift': 'Modifié depuis la dernière exécution : {members}.',
  'developer.origin_console': 'Enregistrée dans l’espace développeurs.',
  'developer.origin_command': 'Enregistrée par une commande.',
  'developer.origin_application': 'Elle s’est enregistrée elle-même.',
  'developer.origin_document': 'Provient du document de métadonnées qu’elle publie.',
  'developer.unvouched': 'Non approuvée',
  'developer.vouched_text':
    'Un administrateur a approuvé cette application : en cas d’erreur, les utilisateurs y sont redirigés directement.',
  'developer.unvouched_text':
    'Aucun administrateur n’a encore approuvé cette application. En cas d’erreur, les utilisateurs voient une page de ce serveur avant d’être redirigés ; la page de consentement affiche l’hôte de l’URI de redirection et cite le nom ; les scripts du site ne peuvent lire les réponses de ce serveur que si un administrateur a approuvé une autre application du site. Tous les ports de localhost comptent comme un seul site.',
  'developer.vouch': 'Approuver cette application',
  'developer.unvouch': 'Retirer l’approbation',
  'developer.danger': 'Désactiver ou supprimer',
  'developer.disable': 'Désactiver',
  'developer.disable_text':
    'Tous les jetons de l’application cessent immédiatement d’être valides. Vous pourrez la réactiver.',
  'developer.enable': 'Réactiver',
  'developer.enable_text':
    'Une fois activée, les utilisateurs pourront de nouveau l’utiliser sans devoir l’autoriser à nouveau.',
  'developer.blocked_text':
    'Un administrateur a désactivé cette application : seul un administrateur peut la réactiver.',
  'developer.block': 'Bloquer',
  'developer.block_text':
    'Le propriétaire a désactivé cette application et peut la réactiver. Si vous la bloquez, seul un administrateur pourra la réactiver.',
  'developer.delete': 'Supprimer définitivement',
  'developer.delete_text':
    'Supprime l’application et toutes les autorisations que les utilisateurs lui ont accordées. Cette action est irréversible.',
  'developer.confirm': 'Pour confirmer, saisissez le nom de l’application : {name}',
  'secret.title': 'Votre nouveau secret client',
  'secret.text':
    'Il n’est affiché qu’une seule fois : ce serveur n’en stocke qu’une empreinte. Copiez-le là où votre serveur conserve ses secrets.',
  'secret.done': 'Je l’ai enregistré',
  'notice.application_registered': 'Application enregistrée.',
  'notice.application_saved': 'Modifications enregistrées. Elles ont pris effet.',
  'notice.application_disabled': 'Application désactivée. Ses jetons ne sont plus valides.',
  'notice.application_enabled': 'Application réactivée.',
  'notice.application_vouched': 'Vous avez approuvé l’application.',
  'notice.application_unvouched': 'Vous avez retiré l’approbation de l’application.',
  'notice.secret_deleted': 'Secret client supprimé.',
  'notice.application_deleted': 'Application supprimée.',
  'problem.two_secrets': 'L’application a déjà deux secrets client. Supprimez-en d’abord un.',
  'problem.wrong_name': 'Ce n’est pas le nom de l’application ; rien n’a été supprimé.',

  'token_history.title': 'Pourquoi ce code ou ce jeton n’est-il plus valide ?',
  'token_history.text':
    'Collez un code d’autorisation, un jeton d’accès ou un jeton d’actualisation de cette application pour voir son historique.',
  'token_history.token': 'Code ou jeton',
  'token_history.submit': 'Afficher l’historique',
  'token_history.unknown':
    'Cette application n’a pas de code ou de jeton de ce type. Il appartient peut-être à une autre application, ou il est antérieur à l’historique conservé.',
  'token_history.malformed':
    'Ce n’est ni un code ni un jeton de ce serveur : son format ou sa somme de contrôle est incorrect. Il a peut-être été tronqué lors de la copie.',
  'token_history.client_secret':
    'C’est un secret client, et non un code ou un jeton. Si quelqu’un d’autre l’a vu, remplacez-le dans l’espace développeurs, auprès de son application.',
  'token_history.authorization_code': 'Code d’autorisation',
  'token_history.access_token': 'Jeton d’accès',
  'token_history.refresh_token': 'Jeton d’actualisation',
  'token_history.alive': 'Valide.',
  'token_history.ends': 'Expire le {date}.',
  'token_history.dead': 'N’est plus valide.',
  'event.issued': 'Émis',
  'event.code_redeemed': 'Code d’autorisation échangé',
  'event.refreshed': 'Actualisé',
  'event.replaced': 'Remplacé par un nouveau jeton d’actualisation',
  'event.reused':
    'Réutilisé alors que son remplaçant servait déjà, peut-être par quelqu’un d’autre : tous les jetons associés ont été révoqués',
  'event.family_reused':
    'Un jeton d’actualisation du même code a été réutilisé alors que son remplaçant servait déjà, peut-être par quelqu’un d’autre : tous les jetons associés ont été révoqués',
  'event.code_replayed':
    'Code d’autorisation échangé une seconde fois : tous les jetons émis pour ce code ont été révoqués',
  'event.verifier_wrong':
    'Échangé avec un code_verifier erroné : le code a été révoqué, afin que personne ne puisse deviner deux fois',
  'event.leaked': 'Signalé comme divulgué : tous les jetons associés ont été révoqués',
  'event.revoked': 'Révoqué, avec tous les jetons de la même autorisation',
  'event.revoked_by_user': 'Révoqué par l’utilisateur',
  'event.revoked_by_operator': 'Révoqué par l’exploitant de ce serveur',
  'event.revoked_by_client': 'Révoqué par l’application',
  'event.client_disabled': 'Application désactivée',
  'event.user_disabled': 'Utilisateur désactivé',
  'event.permission_removed': 'L’utilisateur a retiré une autorisation',
  'event.scope_unregistered': 'Une autorisation a été retirée de l’enregistrement de l’application',
  'event.expired': 'Expiré',
  'event.alive': 'Toujours valide',
  'console.parts': 'Rubriques de l’application',
  'console.overview': 'Vue d’ensemble',
  'console.credentials': 'Identifiants',
  'console.registration': 'Enregistrement',
  'console.connect': 'Intégrer',
  'console.security': 'Sécurité',
  'console.activity': 'Activité',
  'console.redirects_none': 'Aucune : ajoutez-en une, sinon personne ne peut revenir.',
  'console.delete_secret_warning': 'Un programme qui utilise encore un secret supprimé est refusé aussitôt.',
};
