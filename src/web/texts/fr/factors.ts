import type { factors as english } from '../en/factors.ts';

/** Signing in with a second factor. */
export const factors: Record<keyof typeof english, string> = {
  'factor.title': 'Connexion en deux étapes',
  'factor.text':
    'En plus du mot de passe, une connexion demande alors un code d’une application de votre téléphone. Un mot de passe volé n’ouvre rien à lui seul.',
  'factor.is_on': 'Elle est activée.',
  'factor.is_off': 'Elle est désactivée.',
  'factor.set_up': 'Configurer',
  'factor.replace': 'Configurer une autre application',
  'factor.remove': 'Désactiver',
  'factor.new_codes': 'Nouveaux codes de secours',
  'factor.codes_left': 'Codes de secours restants : {count}.',
  'factor.elsewhere':
    'Vous n’avez pas de mot de passe ici, donc rien à protéger par un code : activez la connexion en deux étapes là où vous vous connectez.',
  'factor.setup': 'Configurer une application',
  'factor.setup_app':
    'Ouvrez une application de codes de connexion, ou installez-en une. Beaucoup de gestionnaires de mots de passe le prennent en charge aussi.',
  'factor.setup_scan': 'Scannez cette image avec elle.',
  'factor.picture': 'Image pour l’application',
  'factor.setup_type': 'Vous ne pouvez pas la scanner ? Saisissez cette clé dans l’application :',
  'factor.setup_code': 'Le code que l’application affiche maintenant',
  'factor.confirm': 'Activer',
  'factor.demanded_now':
    'Tout le monde se connecte ici avec un second facteur. Configurez-le maintenant ; votre connexion se poursuivra ensuite.',
  'factor.asked_by_application':
    'L’application exige deux facteurs et votre compte n’en a qu’un. Configurez le second maintenant ; votre connexion se poursuivra ensuite.',
  'factor.decline': 'Pas maintenant',
  'factor.codes': 'Vos codes de secours',
  'factor.codes_once': 'Ils ne sont affichés que maintenant.',
  'factor.codes_text':
    'Si vous perdez l’application, chacun d’eux vous fait entrer une fois. Imprimez-les, ou gardez-les avec vos mots de passe.',
  'factor.codes_kept': 'Je les ai conservés',
  'factor.step': 'Seconde étape',
  'factor.step_text': 'Saisissez le code que votre application affiche.',
  'factor.code': 'Code de votre application',
  'factor.code_hint': 'Ou l’un de vos codes de secours.',
  'factor.trust': 'Ne plus demander dans ce navigateur pendant {days} jours',
  'factor.use_key': 'Utiliser une clé d’accès ou de sécurité',
  'factor.other_way': 'Un autre moyen',
  'factor.recovery_code': 'Code de secours',
  'factor.recovery_code_hint': 'Chacun ne sert qu’une fois.',
  'factor.ask_operator':
    'Vous n’avez ni l’application ni un code de secours ? L’exploitant de ce serveur peut désactiver la seconde étape, une fois certain que c’est bien vous.',
  'notice.factor_removed': 'La connexion en deux étapes est désactivée. Vos autres sessions sont terminées.',
  'problem.changed_meanwhile':
    'Vos moyens de connexion ont été modifiés entre-temps : rien n’a été enregistré. Cette page montre leur état actuel.',
  'problem.code_needed': 'Saisissez un code de votre application.',
  'problem.wrong_code':
    'Ce code est incorrect. Saisissez celui que l’application affiche maintenant ; l’horloge de votre téléphone doit être à l’heure.',
  'problem.used_code': 'Ce code a déjà servi. Attendez que l’application affiche le suivant.',
  'problem.unreadable_factor':
    'Les codes de votre application ne peuvent pas être vérifiés ici pour le moment. Utilisez un code de secours, ou adressez-vous à l’exploitant de ce serveur.',
  'problem.factor_demanded': 'L’exploitant de ce serveur l’exige ; elle ne peut donc pas être désactivée.',
  'problem.sign_in_over':
    'Cette connexion a duré plus de dix minutes, ou votre mot de passe ou votre second facteur a été modifié entre-temps. Veuillez vous reconnecter.',
};
