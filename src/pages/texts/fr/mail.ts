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
};
