import type { stepUp as english } from '../en/step-up.ts';

export const stepUp: Record<keyof typeof english, string> = {
  'login.step_up':
    'Vous êtes déjà connecté, mais l’application exige deux facteurs : par exemple une clé d’accès, ou votre mot de passe et un code. Veuillez vous reconnecter.',
  'problem.password_common':
    'Ce mot de passe est l’un des 10\u202f000 plus courants, que d’autres essaient en premier. Choisissez-en un autre.',
  'problem.password_is_name':
    'Votre mot de passe ne peut être ni votre nom d’utilisateur, ni votre adresse, ni le nom de ce serveur.',
  'export.title': 'Télécharger vos données',
  'export.summary':
    'Tout ce qui est conservé ici à votre sujet, dans un seul fichier : votre profil, vos comptes associés, vos sessions, les accès des applications et votre activité.',
  'export.download': 'Télécharger en JSON',
  'method.password': 'mot de passe',
  'method.website': 'compte du site web',
  'method.provider': 'autre fournisseur',
  'method.passkey': 'clé d’accès',
  'method.security_key': 'clé de sécurité',
  'method.totp': 'code d’une application',
  'method.recovery_code': 'code de secours',
  'method.trusted_browser': 'navigateur de confiance',
  'error_title.insufficient_user_authentication': 'Vous devez vous reconnecter',
  'error_title.unmet_authentication_requirements': 'L’application exige un second facteur',
  'error_text.unmet_authentication_requirements':
    'Vous vous êtes connecté avec un seul facteur. Si vous le pouvez, ajoutez-en un second à votre compte, puis recommencez depuis l’application.',
  'explained.insufficient_user_authentication.meaning':
    'Le jeton est valide, mais l’utilisateur s’est connecté il y a trop longtemps, ou avec moins de facteurs que n’en exige un scope de cette requête. WWW-Authenticate indique le niveau (acr_values) et l’âge (max_age).',
  'explained.insufficient_user_authentication.cause.1':
    'L’utilisateur s’est connecté avec un seul facteur, ou plus tôt que max_age ne le permet. Une actualisation n’est pas une connexion : le nouveau jeton a les mêmes acr et auth_time.',
  'explained.insufficient_user_authentication.fix.1':
    'Envoyez l’utilisateur à /authorize avec les acr_values et max_age donnés par WWW-Authenticate, et utilisez le jeton obtenu alors. Ne recommencez jamais avec le même jeton.',
  'explained.insufficient_user_authentication.cause.2':
    'Le jeton a été émis par une version qui ne retenait pas la connexion, ou l’utilisateur s’est connecté chez un fournisseur qui n’en indique pas la date.',
  'explained.insufficient_user_authentication.fix.2': 'De même : une nouvelle autorisation apporte ce qui manque.',
  'explained.unmet_authentication_requirements.meaning':
    'L’utilisateur ne peut pas se connecter comme l’exige acr_values ou l’un des scopes.',
  'explained.unmet_authentication_requirements.cause.1':
    'L’utilisateur n’a pas de second facteur, ou le site auprès duquel il se connecte n’en signale aucun.',
  'explained.unmet_authentication_requirements.fix.1':
    'Contentez-vous de moins, ou demandez à l’utilisateur d’ajouter un second facteur. Renvoyer la même requête ne change rien.',
  'explained.unmet_authentication_requirements.cause.2': 'acr_values ne nomme aucun niveau connu de ce serveur.',
  'explained.unmet_authentication_requirements.fix.2':
    'Reprenez les noms de acr_values_supported dans les métadonnées du serveur.',
};
