import type { account as english } from '../en/account.ts';

export const account: Record<keyof typeof english, string> = {
  'account.title': 'Votre compte',
  'account.profile': 'Profil',
  'account.name': 'Nom',
  'account.email': 'Adresse e-mail',
  'account.email_pending':
    'Cette adresse n’est pas encore confirmée. D’ici là, {email} reste la vôtre, et c’est celle que reçoivent les applications.',
  'account.email_unconfirmed': 'Cette adresse n’est pas confirmée ; elle n’est donc pas transmise aux applications.',
  'account.username': 'Nom d’utilisateur',
  'account.save': 'Enregistrer',
  'account.password': 'Changer de mot de passe',
  'account.password_text': 'Lorsque vous changez de mot de passe, toutes vos autres sessions sont fermées.',
  'account.old_password': 'Mot de passe actuel',
  'account.current_password_hint':
    'Nécessaire seulement pour une nouvelle adresse e-mail, qui n’est alors pas transmise aux applications.',
  'account.new_password': 'Nouveau mot de passe',
  'account.new_password_hint':
    'Au moins 8 caractères. Une suite de plusieurs mots se retient mieux que des caractères spéciaux.',
  'account.repeat_password': 'Confirmer le nouveau mot de passe',
  'account.applications_keep': 'Les applications conservent leur accès lorsque vous changez de mot de passe.',
  'account.end_access': 'Révoquer aussi l’accès de toutes les applications',
  'account.change_password': 'Changer de mot de passe',
  'account.sessions': 'Sessions ouvertes',
  'account.this_session': 'Cette session',
  'account.session_since': 'Connexion le {date}',
  'account.session_used': 'Dernière utilisation : {ago}',
  'account.end_session': 'Fermer la session',
  'account.end_others': 'Fermer toutes les autres sessions',
  'account.activity': 'Activité récente',
  'account.no_activity': 'Aucune activité récente.',

  'activity.signed_in': 'Connexion',
  'activity.sign_in_failed': 'Échec de connexion : mot de passe incorrect',
  'activity.sign_in_failed_code': 'Échec de connexion : code incorrect',
  'activity.sign_in_failed_passkey': 'Échec de connexion : clé d’accès refusée',
  'activity.current_password_wrong': 'Mot de passe actuel incorrect avant une modification',
  'activity.password_reset': 'Mot de passe défini par un lien',
  'activity.reset_link_issued': 'Lien pour un nouveau mot de passe créé par la personne qui gère ce serveur',
  'activity.address_confirmed': 'Adresse e-mail confirmée',
  'activity.account_secured': '« Ce n’était pas moi » : sessions fermées',
  'activity.identity_linked': 'Compte d’un autre site connecté',
  'activity.identity_unlinked': 'Compte d’un autre site déconnecté',
  'activity.second_factor_added': 'Connexion en deux étapes activée ou modifiée',
  'activity.second_factor_removed': 'Connexion en deux étapes désactivée',
  'activity.recovery_codes_renewed': 'Nouveaux codes de récupération',
  'activity.passkey_added': 'Clé d’accès ajoutée',
  'activity.passkey_removed': 'Clé d’accès retirée',
  'activity.passkey_refused': 'Clé d’accès non acceptée',
  'activity.signed_out': 'Déconnexion',
  'activity.password_changed': 'Mot de passe changé',
  'activity.profile_changed': 'Profil modifié',
  'activity.session_ended': 'Session fermée',
  'activity.application_allowed': 'Accès de {client} autorisé',
  'activity.application_refused': 'Accès de {client} refusé',
  'activity.application_revoked': 'Accès de {client} révoqué',
  'activity.permission_changed': 'Autorisations de {client} modifiées',
  'activity.refresh_token_reused':
    'Un jeton d’actualisation de {client} a été utilisé deux fois et a peut-être été copié. Tous les jetons associés ont été révoqués ; les autorisations que vous avez accordées restent inchangées.',
  'activity.code_reused':
    'Un code d’autorisation de {client} a été utilisé deux fois et a peut-être été copié. Les jetons émis pour ce code ont été révoqués ; les autorisations que vous avez accordées restent inchangées.',
  'activity.token_leaked':
    'Un jeton de {client} a été signalé comme divulgué. Tous les jetons associés ont été révoqués ; les autorisations que vous avez accordées restent inchangées.',

  'notice.profile_saved': 'Profil enregistré.',
  'notice.password_changed': 'Mot de passe changé. Toutes vos autres sessions ont été fermées.',
  'notice.password_changed_access_ended':
    'Mot de passe changé. Toutes vos autres sessions ont été fermées et l’accès de toutes les applications a été révoqué.',
  'notice.session_ended': 'Session fermée.',
  'notice.sessions_ended': 'Toutes les autres sessions ont été fermées.',
  'notice.permission_changed': 'Autorisations enregistrées. La modification a pris effet.',
  'notice.application_revoked': 'Accès révoqué. Les jetons de l’application ne sont plus valides.',
  'problem.wrong_old_password': 'Le mot de passe actuel est incorrect.',
  'problem.password_needed': 'Saisissez votre mot de passe actuel pour changer l’adresse e-mail.',
  'problem.password_too_short': 'Le nouveau mot de passe doit compter au moins 8 caractères.',
  'problem.password_too_long':
    'Le nouveau mot de passe est trop long. La limite est de 72 octets, soit 72 lettres sans accent.',
  'problem.passwords_differ': 'Les deux nouveaux mots de passe ne correspondent pas.',
  'problem.name_invalid': 'Le nom doit compter de 1 à 200 caractères.',
  'problem.email_invalid': 'Cette adresse e-mail n’est pas valide.',

  'delete.title': 'Supprimer le compte',
  'delete.summary': 'Supprime votre profil et met fin à tout ce que les applications peuvent faire en votre nom.',
  'delete.final': 'L’effet est immédiat et définitif.',
  'delete.profile':
    'Votre nom d’utilisateur, votre nom, votre adresse e-mail et votre mot de passe sont supprimés, et toutes vos sessions sont fermées. Si votre nom d’utilisateur est attribué plus tard à quelqu’un, ce sera un nouveau compte.',
  'delete.access':
    'Toutes les applications perdent l’accès à votre compte. Elles conservent ce qu’elles ont enregistré à votre sujet : demandez-leur de le supprimer.',
  'delete.applications':
    'Les applications que vous gérez cessent de fonctionner pour tout le monde. Seul un administrateur peut les réactiver :',
  'delete.more': 'Toutes vos applications',
  'delete.kept':
    'Le journal des événements de sécurité est conservé {days} jours : ce qui s’est passé et quand, l’adresse internet et le numéro de votre compte, mais pas votre nom.',
  'delete.submit': 'Supprimer mon compte',
  'delete.keep': 'Garder mon compte',
  'problem.last_administrator':
    'Vous êtes le seul administrateur de ce serveur, votre compte ne peut donc pas être supprimé. Demandez d’abord un deuxième administrateur à l’exploitant du serveur.',

  'applications.title': 'Applications connectées',
  'applications.text':
    'Ces applications ont accès à votre compte, dans la limite des autorisations que vous leur avez accordées.',
  'applications.none': 'Vous n’avez autorisé aucune application.',
  'applications.none_text':
    'Les applications que vous autorisez apparaissent ici. Vous pouvez révoquer leur accès à tout moment.',
  'applications.claims_domain': 'Dit appartenir à {domain}. Ce serveur ne l’a pas vérifié.',
  'applications.allowed': 'Autorisé',
  'applications.allowed_by': 'par {brand}, sans vous demander',
  'applications.since': 'Accès depuis',
  'applications.used': 'Dernière utilisation',
  'applications.never_used': 'Jamais',
  'applications.ends': 'Fin de l’accès',
  'applications.ends_on': 'Le {date}',
  'applications.ends_when_revoked': 'Sans date de fin',
  'applications.once': 'Cette fois seulement, jusqu’au {date} au plus tard',
  'applications.may': 'Cette application peut :',
  'applications.may_nothing': 'Cette application n’a aucune autorisation.',
  'applications.details': 'Modifier les autorisations',
  'applications.revoke': 'Révoquer l’accès',
  'application.permissions': 'Autorisations',
  'application.permissions_text':
    'Décochez une autorisation pour la retirer à l’application. La modification prend effet dès l’enregistrement.',
  'application.save': 'Enregistrer les autorisations',
  'application.revoke_title': 'Révoquer l’accès',
  'application.revoke_text':
    'Tous les jetons de {client} cessent immédiatement d’être valides. L’application pourra vous demander de nouveau l’accès.',
};
