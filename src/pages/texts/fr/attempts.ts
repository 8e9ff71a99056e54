import type { attempts as english } from '../en/attempts.ts';

export const attempts: Record<keyof typeof english, string> = {
  'outcome.refused': 'Refusé, comme il se doit.',
  'outcome.denied': 'Vous avez refusé. L’application l’a appris, et n’a rien reçu d’autre.',
  'playground_problem.no_memory':
    'Une réponse est revenue, mais ce navigateur n’a envoyé aucun cookie du bac à sable : l’application ne peut donc pas savoir si elle avait demandé quelque chose. Soit une heure a passé, soit vous avez commencé sous un autre nom de cette machine : un cookie de 127.0.0.1 n’est pas envoyé à localhost. La réponse a été écartée. Recommencez ici.',
  'playground_problem.already_used':
    'L’application n’attend aucune réponse : celle-ci a déjà servi ou est ancienne. Un state vaut pour une réponse. Rien n’en a été fait.',
  'playground_problem.state_mismatch':
    'Le state de cette réponse n’est pas celui que l’application a envoyé. Quelqu’un veut peut-être vous connecter comme une autre personne : l’application écarte donc la réponse (RFC 6749 §10.12). Si vous avez commencé dans deux onglets, seul le dernier départ compte.',
  'playground_problem.iss_mismatch':
    'Cette réponse ne vient pas du serveur que l’application a interrogé : iss manque ou en nomme un autre (RFC 9207). L’application l’écarte et ne remet le code à personne.',
  'playground_problem.no_code': 'Cette réponse ne contient ni un code unique ni une erreur : il n’y a rien à en faire.',
  'tries.use': 'L’utiliser comme prévu',
  'tries.text_use': 'Ce qu’une application fait ensuite de ses jetons.',
  'tries.break': 'Casser exprès',
  'tries.text_break': 'Chacun de ces cas est une attaque ou un accident réel. Voyez comment le serveur refuse.',
  'break.refresh': 'Prolonger l’accès',
  'break.change_profile': 'Réécrire votre nom',
  'break.revoke': 'Rendre le jeton',
  'break.reused_code': 'Échanger le code une seconde fois',
  'break.wrong_verifier': 'Échanger avec un mauvais code_verifier',
  'break.foreign_redirect_uri': 'Demander avec une redirect_uri étrangère',
  'break.expired_token': 'Utiliser un jeton expiré',
  'break.refresh_replay': 'Utiliser un ancien jeton d’actualisation',
  'break.wrong_secret': 'Présenter un mauvais secret de client',
  'break.tampered_token': 'Changer un caractère du jeton',
  'break.token_twice': 'Envoyer le jeton deux fois',
  'step.reused_code.title': 'Le même code, encore',
  'step.reused_code.text': 'Il a pu être copié. Le serveur refuse et met fin à ce que le code avait produit.',
  'step.wrong_verifier.title': 'Un code sans son vérificateur',
  'step.wrong_verifier.text':
    'Qui intercepte un code dans le navigateur ne connaît pas le vérificateur. Un seul essai raté épuise le code.',
  'step.spent_code.title': 'Maintenant le bon vérificateur',
  'step.spent_code.text':
    'Trop tard : l’essai raté a épuisé le code, personne ne peut deviner deux fois. La réponse est la même, pour ne pas dire si l’on était près.',
  'step.foreign_redirect_uri.title': 'Une URI de redirection étrangère',
  'step.foreign_redirect_uri.text':
    'Le serveur affiche une page et ne redirige personne : il ne sait pas à qui est cette adresse.',
  'step.expired_token.title': 'Un jeton expiré',
  'step.expired_token.text':
    'Personne ne veut attendre une heure ici : le bac à sable a avancé la fin de ce jeton dans la base de données. Le reste est réel : la réponse indique à l’application qu’il faut l’actualiser.',
  'step.revoked_token.title': 'Un jeton révoqué',
  'step.revoked_token.text': 'Dès la révocation, plus aucun point d’accès ne connaît ce jeton.',
  'step.refresh_replay.title': 'Le premier jeton d’actualisation, encore',
  'step.refresh_replay.text':
    'Deux parties le détiennent, et nul ne sait laquelle l’a volé. Le serveur met donc fin à toute la famille : les deux doivent recommencer avec la personne.',
  'step.wrong_secret.title': 'Un mauvais secret de client',
  'step.wrong_secret.text':
    'Un jeton d’actualisation seul ne vaut rien : qui l’a volé n’est pas l’application. L’essai ne met fin à rien non plus, comme le montre la requête suivante, sinon un voleur pourrait déconnecter les gens.',
  'step.tampered_token.title': 'Un caractère diffère',
  'step.tampered_token.text':
    'Tout jeton finit par une somme de contrôle. Le serveur voit que celui-ci n’a jamais été émis, sans interroger la base de données.',
  'step.token_twice.title': 'Le jeton à deux endroits',
  'step.token_twice.text':
    'Dans l’en-tête et dans l’adresse. Deux endroits peuvent se contredire, et deux programmes en chemin pourraient en lire de différents : c’est refusé, même si les deux sont justes.',
};
