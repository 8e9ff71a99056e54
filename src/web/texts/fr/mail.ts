import type { mail as english } from '../en/mail.ts';

export const mail: Record<keyof typeof english, string> = {
  'login.forgot': 'Mot de passe oublié ?',
  'login.forgot_ask': 'Si vous avez oublié votre mot de passe, adressez-vous à l’exploitant de ce serveur.',
  'login.support': 'Obtenir de l’aide',
  'forgot.title': 'Mot de passe oublié',
  'forgot.text':
    'Saisissez votre nom d’utilisateur ou votre adresse e-mail. Vous recevrez un e-mail avec un lien pour choisir un nouveau mot de passe.',
  'forgot.send': 'Envoyer le lien',
  'forgot.sent_title': 'Consultez votre messagerie',
  'forgot.sent':
    'S’il existe un compte à ce nom avec une adresse e-mail confirmée, un e-mail lui a été envoyé. Son lien est valable une heure. Si rien n’arrive d’ici quelques minutes, regardez dans le dossier des indésirables.',
  'reset.title': 'Choisir un nouveau mot de passe',
  'reset.account': 'Pour le compte {username}.',
  'reset.text': 'Toutes les sessions de ce compte prennent fin. Connectez-vous ensuite avec le nouveau mot de passe.',
  'reset.save': 'Enregistrer le nouveau mot de passe',
  'message.link_over.title': 'Ce lien n’est plus valable',
  'message.link_over.text':
    'Il a déjà été utilisé, il est trop ancien, il a été remplacé par un plus récent, ou votre compte a changé depuis. Demandez-en un nouveau.',
  'message.password_reset.title': 'Votre nouveau mot de passe est enregistré',
  'message.password_reset.text':
    'Toutes les sessions de votre compte ont pris fin. Connectez-vous avec le nouveau mot de passe.',
  'back.sign_in': 'Se connecter',
  'back.new_link': 'Demander un nouveau lien',
  'mail.footer': 'Envoyé par {brand} ({host}). Personne ne lit les réponses à cet e-mail.',
  'mail.set_password': 'Choisir un nouveau mot de passe',
  'mail.reset.subject': 'Un nouveau mot de passe pour {brand}',
  'mail.reset.text':
    'Quelqu’un, probablement vous, a demandé un nouveau mot de passe pour votre compte {username}.\nLe lien ci-dessous est valable une heure et ne sert qu’une fois. Si ce n’était pas vous, ne faites rien : votre mot de passe reste le même.',
  'mail.no_password.subject': 'Votre compte {brand} n’a pas de mot de passe',
  'mail.no_password.text':
    'Quelqu’un, probablement vous, a demandé un nouveau mot de passe pour votre compte {username}.\nIl n’a pas de mot de passe, il n’y en a donc pas à remplacer : connectez-vous comme d’habitude. Si ce n’était pas vous, ne faites rien.',
  'mail.test.subject': 'Les e-mails de {brand} arrivent',
  'mail.test.text':
    'Un exploitant de {host} a envoyé cet e-mail pour vérifier que les e-mails arrivent. Vous n’avez rien à faire.',
  'account.link_sent':
    'L’adresse {address} n’est pas encore confirmée. Un e-mail envoyé à cette adresse contient un lien : ouvrez-le dans un navigateur où vous êtes connecté.',
  'account.send_again': 'Envoyer le lien',
  'notice.confirmation_sent':
    'Enregistré. L’adresse sera prise en compte dès que vous aurez ouvert le lien de l’e-mail qui lui a été envoyé.',
  'notice.address_confirmed': 'Adresse confirmée.',
  'confirm.title': 'Confirmer votre adresse',
  'confirm.text': '{address} devient l’adresse e-mail de votre compte {username}.',
  'confirm.save': 'Confirmer',
  'message.address_taken.title': 'Un autre compte a cette adresse',
  'message.address_taken.text':
    'Elle a été confirmée pour un autre compte, le vôtre ne la reçoit donc pas. Si cet autre compte est aussi à vous, connectez-vous-y ou adressez-vous à l’exploitant de ce serveur.',
  'message.other_account.title': 'Ce lien appartient à un autre compte',
  'message.other_account.text':
    'Vous êtes connecté avec un autre compte que celui pour lequel l’e-mail a été demandé. Déconnectez-vous, puis ouvrez à nouveau le lien.',
  'message.secured.title': 'Tout a pris fin',
  'message.secured.text':
    'Plus personne n’est connecté à votre compte. Connectez-vous comme d’habitude et vérifiez votre compte.',
  'message.secured_without_way_in.title': 'Tout a pris fin',
  'message.secured_without_way_in.text':
    'Plus personne n’est connecté à votre compte, et tout ce qui permettait de l’ouvrir avait été ajouté depuis. Demandez à l’exploitant de ce serveur un nouveau moyen de vous connecter.',
  'not_me.title': 'Ce n’était pas vous',
  'not_me.address': 'Le compte garde l’adresse {address} ou la récupère.',
  'not_me.sessions':
    'Toutes les sessions prennent fin. Ensuite vous choisissez un nouveau mot de passe, si le compte en a un.',
  'not_me.since':
    'Les applications autorisées depuis perdent leur accès, et les comptes d’autres sites associés depuis sont retirés. Les clés d’accès et les codes de secours créés depuis ne fonctionnent plus.',
  'not_me.factor':
    'Un second facteur configuré depuis est désactivé si vous saisissez votre mot de passe. Laissez le champ vide si c’était vous.',
  'not_me.factor_stays':
    'Un second facteur configuré depuis reste en place, car ce lien seul ne le désactive pas. Si ce n’était pas vous, adressez-vous à l’exploitant de ce serveur.',
  'not_me.since_when': 'Cela annule ce qui a été fait depuis :',
  'not_me.submit': 'Tout arrêter',
  'mail.confirm': 'Confirmer cette adresse',
  'mail.not_me': 'Ce n’était pas moi',
  'mail.confirm_address.subject': 'Confirmez votre adresse pour {brand}',
  'mail.confirm_address.text':
    'Quelqu’un, probablement vous, a saisi cette adresse dans un compte {brand}.\nPour la confirmer, ouvrez le lien ci-dessous dans un navigateur où vous y êtes connecté. Il est valable un jour. Si ce n’était pas vous, ne faites rien.',
  'mail.address_changing.subject': 'Votre adresse {brand} est sur le point de changer',
  'mail.address_changing.text':
    'Quelqu’un, probablement vous, a saisi une autre adresse pour votre compte {username}. Elle remplacera celle-ci dès qu’elle sera confirmée.\nSi ce n’était pas vous, ouvrez le lien ci-dessous dans la semaine : le compte garde cette adresse, toutes les sessions prennent fin et vous choisissez un nouveau mot de passe.',
  'mail.address_replaced.subject': 'Votre adresse {brand} a été remplacée',
  'mail.address_replaced.text':
    'L’exploitant de {brand} a donné une autre adresse à votre compte {username}. Les e-mails concernant le compte y seront désormais envoyés, et non plus à cette adresse.\nSi vous ne l’avez pas demandé, prévenez-le sans attendre : quiconque lit les e-mails de cette autre adresse peut choisir un nouveau mot de passe.',
  'mails.title': 'E-mails de la démo',
  'mails.text': 'La démo n’a pas de serveur de messagerie : ce qu’elle aurait envoyé reste ici un jour.',
  'mails.none': 'Il n’y a pas encore d’e-mail. Rechargez cette page dans un instant.',
  'mails.to': 'À {address}, {date}',
  'mails.here': 'Voir les e-mails de la démo',
  'back.playground': 'Retour au bac à sable',
  'account.notices': 'E-mails',
  'account.notices_text': 'Vous êtes informé dans tous les cas de ce qui touche à la sécurité de votre compte.',
  'account.wants_notices': 'M’informer quand une application obtient un accès durable',
  'notice.notices_saved': 'Enregistré.',
  'mail.password_changed.subject': 'Votre mot de passe {brand} a été modifié',
  'mail.password_changed.text':
    'Le mot de passe de votre compte {username} a été modifié le {date} depuis l’adresse internet {address}.\nSi ce n’était pas vous, ouvrez le lien ci-dessous dans la semaine : toutes les sessions prennent fin, ce qui a été ajouté depuis est retiré et vous choisissez un nouveau mot de passe.',
  'mail.password_set.subject': 'Votre mot de passe {brand} a été défini',
  'mail.password_set.text':
    'L’exploitant de {brand} a défini le {date} le mot de passe de votre compte {username} et mis fin à toutes les sessions.\nSi vous ne l’avez pas demandé, ouvrez le lien ci-dessous dans la semaine : toutes les sessions prennent fin, ce qui a été ajouté depuis est retiré et vous choisissez un nouveau mot de passe.',
  'mail.factor_reset.subject': 'Votre second facteur chez {brand} a été désactivé',
  'mail.factor_reset.text':
    'L’exploitant de {brand} a désactivé le {date} la connexion en deux étapes de votre compte {username} et mis fin à toutes les sessions. Le mot de passe seul suffit jusqu’à ce que vous la configuriez de nouveau.\nSi vous ne l’avez pas demandé, ouvrez le lien ci-dessous dans la semaine : toutes les sessions prennent fin, ce qui a été ajouté depuis est retiré et vous choisissez un nouveau mot de passe.',
  'mail.new_browser.subject': 'Un nouveau navigateur sur {brand}',
  'mail.new_browser.text':
    'Quelqu’un s’est connecté à votre compte {username} avec un navigateur où vous ne vous étiez pas encore connecté : le {date}, depuis l’adresse internet {address}.\nSi ce n’était pas vous, ouvrez le lien ci-dessous dans la semaine : toutes les sessions prennent fin, ce qui a été ajouté depuis est retiré et vous choisissez un nouveau mot de passe.',
  'mail.wrong_codes.subject': 'Quelqu’un connaît votre mot de passe sur {brand}',
  'mail.wrong_codes.text':
    'Quelqu’un a saisi le mot de passe de votre compte {username}, puis des codes incorrects : le {date}, depuis l’adresse internet {address}. Aucun des codes n’était juste.\nSi ce n’était pas vous, ouvrez le lien ci-dessous dans la semaine : toutes les sessions prennent fin et vous choisissez un nouveau mot de passe.',
  'mail.way_in_added.subject': 'Un nouveau moyen de connexion à {brand}',
  'mail.way_in_added.text':
    'Un nouveau moyen de se connecter à votre compte {username} a été ajouté le {date} depuis l’adresse internet {address}.\nSi ce n’était pas vous, ouvrez le lien ci-dessous dans la semaine : toutes les sessions prennent fin, ce qui a été ajouté depuis est retiré et vous choisissez un nouveau mot de passe.',
  'mail.factor_changed.subject': 'Votre second facteur chez {brand} a été modifié',
  'mail.factor_changed.text':
    'La connexion en deux étapes de votre compte {username} a été activée, désactivée ou modifiée le {date}, depuis l’adresse internet {address}.\nSi ce n’était pas vous, ouvrez le lien ci-dessous dans la semaine : toutes les sessions prennent fin, ce qui a été ajouté depuis est retiré et vous choisissez un nouveau mot de passe. Pour désactiver un nouveau second facteur, votre mot de passe y est demandé.',
  'mail.application_allowed.subject': 'Une application a accès à votre compte {brand}',
  'mail.application_allowed.text':
    'L’application « {client} » a reçu l’accès à votre compte {username} le {date}, depuis l’adresse internet {address}. Il dure jusqu’à ce que vous le retiriez sur la page de votre compte, où vous pouvez aussi désactiver ces e-mails.\nSi ce n’était pas vous, ouvrez le lien ci-dessous dans la semaine : toutes les sessions prennent fin, ce qui a été ajouté depuis est retiré et vous choisissez un nouveau mot de passe.',
  'login.sign_up': 'Créer un compte',
  'sign_up.title': 'Créer un compte',
  'sign_up.text':
    'Saisissez votre adresse e-mail. Vous recevrez un e-mail avec un lien pour choisir un nom d’utilisateur et un mot de passe.',
  'sign_up.sent':
    'Un e-mail a été envoyé à cette adresse. Son lien est valable un jour. Si rien n’arrive d’ici quelques minutes, regardez dans le dossier des indésirables.',
  'sign_up.for': 'Le compte aura l’adresse {address}.',
  'sign_up.username_hint': 'De 2 à 40 lettres de a à z et chiffres, avec . _ - au milieu.',
  'sign_up.save': 'Créer le compte',
  'problem.username_malformed':
    'Le nom d’utilisateur doit avoir de 2 à 40 lettres de a à z et chiffres, au moins une lettre, et . _ - seulement au milieu.',
  'problem.username_reserved': 'Ce nom d’utilisateur est réservé. Choisissez-en un autre.',
  'problem.username_taken': 'Quelqu’un a déjà ce nom d’utilisateur ou cette adresse. Choisissez un autre nom.',
  'message.signed_up.title': 'Votre compte est créé',
  'message.signed_up.text': 'Connectez-vous avec votre nom d’utilisateur et votre mot de passe.',
  'mail.make_account': 'Créer un compte',
  'mail.sign_in': 'Se connecter',
  'mail.sign_up.subject': 'Votre compte {brand}',
  'mail.sign_up.text':
    'Quelqu’un, probablement vous, veut créer un compte {brand} avec cette adresse.\nLe lien ci-dessous est valable un jour ; vous y choisissez un nom d’utilisateur et un mot de passe. Si ce n’était pas vous, ne faites rien : il n’y a pas de compte.',
  'mail.invitation.subject': 'Invitation à {brand}',
  'mail.invitation.text':
    'Vous êtes invité à créer un compte {brand}.\nLe lien ci-dessous est valable une semaine ; vous y choisissez un nom d’utilisateur et un mot de passe.',
  'mail.account_exists.subject': 'Vous avez un compte {brand}',
  'mail.account_exists.text':
    'Quelqu’un, probablement vous, voulait créer un compte {brand} avec cette adresse, qui en a déjà un.\nConnectez-vous avec ce compte. Si vous avez oublié le mot de passe, la page de connexion a un lien pour cela. Si ce n’était pas vous, ne faites rien.',
};
