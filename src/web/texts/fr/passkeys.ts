import type { passkeys as english } from '../en/passkeys.ts';

export const passkeys: Record<keyof typeof english, string> = {
  'passkeys.sign_in': 'Se connecter avec une clé d’accès',
  'passkeys.none_used': 'Aucune clé d’accès n’a été utilisée. Réessayez ou connectez-vous d’une autre façon.',
  'problem.passkey_refused':
    'La connexion avec cette clé d’accès a échoué. Réessayez ou connectez-vous d’une autre façon.',
  'passkeys.title': 'Clés d’accès',
  'passkeys.text':
    'Avec une clé d’accès, vous vous connectez avec votre empreinte, votre visage ou le code de votre appareil, sans mot de passe. Elle ne fonctionne que sur ce site : aucun autre ne peut vous la soutirer.',
  'passkeys.none': 'Vous n’avez pas encore de clé d’accès.',
  'passkeys.since': 'Ajoutée le {date}',
  'passkeys.never_used': 'Jamais utilisée',
  'passkeys.only_second': 'Second facteur seulement',
  'passkeys.dead': 'Ne fonctionne que sur {host}',
  'passkeys.change': 'Renommer ou supprimer',
  'passkeys.add': 'Ajouter une clé d’accès',
  'passkeys.add_key': 'Ajouter une clé de sécurité comme second facteur',
  'passkeys.full':
    'Vous avez autant de clés d’accès qu’une personne peut en avoir ici. Supprimez-en une pour en ajouter une autre.',
  'passkeys.elsewhere':
    'Votre compte vient d’ailleurs, et c’est là que vous vous connectez. Il n’y a donc pas de clés d’accès pour lui ici.',
  'passkeys.new_text':
    'Votre navigateur vous demande où conserver la clé d’accès : sur cet appareil, dans un gestionnaire de mots de passe, sur votre téléphone ou sur une clé de sécurité.',
  'passkeys.new_key_text':
    'Pour une clé de sécurité sans code : elle ne suffit pas pour vous connecter, elle confirme seulement qui vous êtes après votre mot de passe.',
  'passkeys.name': 'Nom',
  'passkeys.name_hint': 'Qui vous permettra de la reconnaître, par exemple l’appareil.',
  'passkeys.continue': 'Continuer',
  'passkeys.make': 'Créer',
  'passkeys.unavailable': 'Il faut pour cela JavaScript et un navigateur qui prend en charge les clés d’accès.',
  'passkeys.none_made': 'Rien n’a été créé. Vous pouvez réessayer.',
  'passkeys.save': 'Renommer',
  'passkeys.remove': 'Supprimer',
  'passkeys.remove_text':
    'Vous ne pourrez plus vous connecter avec elle. Supprimez-la aussi sur votre appareil ou dans votre gestionnaire de mots de passe : ce serveur ne peut pas le faire.',
  'problem.passkey_not_added': 'L’ajout a échoué. Réessayez, ou avec un autre appareil.',
  'problem.passkey_name_missing': 'Saisissez un nom.',
  'problem.last_passkey':
    'C’est votre dernier moyen de vous connecter, ou votre seul second facteur ; il est donc conservé. Définissez d’abord un mot de passe, ajoutez une autre clé d’accès ou désactivez la connexion en deux étapes.',
  'problem.no_passkey':
    'Avant de supprimer votre mot de passe, il vous faut une clé d’accès avec laquelle vous pouvez vous connecter ici.',
  'notice.passkey_added': 'Ajoutée. Vous pouvez l’utiliser dès maintenant.',
  'notice.passkey_renamed': 'Renommée.',
  'notice.passkey_removed': 'Supprimée. Elle ne fonctionne plus ici.',
  'notice.password_removed': 'Mot de passe supprimé. Vous vous connectez désormais avec une clé d’accès.',
  'notice.password_set': 'Mot de passe défini. Vous pouvez désormais l’utiliser pour vous connecter.',
  'password.remove': 'Supprimer le mot de passe',
  'password.remove_summary':
    'Vous avez une clé d’accès et pouvez donc vous passer de mot de passe : ce qui n’existe pas ne peut pas être volé.',
  'password.remove_text':
    'Vous ne vous connecterez plus qu’avec une clé d’accès. Si vous perdez toutes les vôtres, seul l’exploitant de ce serveur pourra vous laisser entrer à nouveau.',
  'password.set': 'Définir un mot de passe',
  'password.set_text': 'Vous pourrez alors vous connecter aussi avec votre nom d’utilisateur et ce mot de passe.',
  'password.none': 'Vous n’avez pas de mot de passe.',
};
