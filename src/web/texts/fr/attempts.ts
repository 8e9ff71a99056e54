import type { attempts as english } from '../en/attempts.ts';

export const attempts: Record<keyof typeof english, string> = {
  'outcome.refused': 'Refusée, comme il se doit.',
  'outcome.denied': 'Vous avez refusé l’accès. L’application a reçu une erreur et rien d’autre.',
  'playground_problem.no_memory':
    'Une réponse est arrivée, mais votre navigateur n’a pas envoyé de cookie du bac à sable : l’application ne peut pas savoir si elle a envoyé la requête. Soit plus d’une heure s’est écoulée, soit vous avez commencé sous un autre nom d’hôte : un cookie défini pour 127.0.0.1 n’est pas envoyé à localhost. La réponse a été rejetée. Veuillez recommencer ici.',
  'playground_problem.already_used':
    'L’application n’attend pas cette réponse : elle a déjà été utilisée ou elle est trop ancienne. Une valeur state est valable pour une seule réponse. Cette réponse a été ignorée.',
  'playground_problem.state_mismatch':
    'Le state de cette réponse n’est pas celui que l’application a envoyé. Quelqu’un essaie peut-être de vous connecter à un autre compte ; l’application rejette donc la réponse (RFC 6749 §10.12). Si vous avez commencé dans deux onglets, seule la dernière tentative compte.',
  'playground_problem.iss_mismatch':
    'Cette réponse ne vient pas du serveur auquel l’application a envoyé sa requête : iss est absent ou désigne un autre serveur (RFC 9207). L’application rejette la réponse et n’envoie le code à personne.',
  'playground_problem.no_code':
    'Cette réponse ne contient ni un code unique ni une erreur ; l’application ne peut pas l’utiliser.',
  'tries.use': 'Utiliser les jetons',
  'tries.text_use': 'Ce qu’une application fait normalement de ses jetons.',
  'tries.break': 'Attaquer le flux',
  'tries.text_break': 'Chaque bouton simule une attaque ou une erreur. Observez comment le serveur la refuse.',
  'break.refresh': 'Actualiser le jeton d’accès',
  'break.change_profile': 'Modifier votre profil',
  'break.revoke': 'Révoquer le jeton',
  'break.reused_code': 'Échanger le code deux fois',
  'break.wrong_verifier': 'Envoyer un code_verifier erroné',
  'break.foreign_redirect_uri': 'Envoyer une redirect_uri non enregistrée',
  'break.expired_token': 'Utiliser un jeton expiré',
  'break.refresh_replay': 'Utiliser un ancien jeton d’actualisation',
  'break.wrong_secret': 'Envoyer un secret client erroné',
  'break.tampered_token': 'Modifier un caractère du jeton',
  'break.token_twice': 'Envoyer le jeton deux fois',
  'step.reused_code.title': 'Le code est échangé une seconde fois',
  'step.reused_code.text':
    'Quelqu’un a peut-être copié le code. Le serveur le refuse et révoque les jetons émis pour ce code.',
  'step.wrong_verifier.title': 'Le code est échangé avec un code_verifier erroné',
  'step.wrong_verifier.text':
    'Un attaquant qui intercepte un code dans le navigateur ne connaît pas le code_verifier. Une seule tentative erronée invalide le code.',
  'step.spent_code.title': 'Le bon code_verifier arrive trop tard',
  'step.spent_code.text':
    'La tentative erronée a invalidé le code : personne ne peut deviner deux fois. L’erreur est la même qu’auparavant et ne révèle donc pas si la valeur était la bonne.',
  'step.foreign_redirect_uri.title': 'Une URI de redirection non enregistrée',
  'step.foreign_redirect_uri.text':
    'Le serveur affiche une page d’erreur et ne redirige pas : l’adresse n’appartient peut-être pas à l’application.',
  'step.expired_token.title': 'Un jeton expiré',
  'step.expired_token.text':
    'Pour vous épargner une heure d’attente, le bac à sable a placé l’expiration de ce jeton dans le passé, dans la base de données. Tout le reste est réel : la réponse indique à l’application d’actualiser le jeton.',
  'step.revoked_token.title': 'Un jeton révoqué',
  'step.revoked_token.text': 'Dès qu’un jeton est révoqué, aucun point de terminaison ne l’accepte plus.',
  'step.refresh_replay.title': 'Le premier jeton d’actualisation est réutilisé',
  'step.refresh_replay.text':
    'Deux parties détiennent peut-être ce jeton, et le serveur ne peut pas savoir laquelle l’a volé. Il révoque donc tous les jetons de cette autorisation, et l’application doit vous solliciter de nouveau.',
  'step.wrong_secret.title': 'Un secret client erroné',
  'step.wrong_secret.text':
    'Un jeton d’actualisation volé est inutile sans le secret client. La tentative échouée ne révoque rien, comme le montre la requête suivante ; sinon, un voleur pourrait déconnecter des utilisateurs.',
  'step.tampered_token.title': 'Un caractère est différent',
  'step.tampered_token.text':
    'Chaque jeton se termine par une somme de contrôle. Le serveur voit qu’il n’a jamais émis ce jeton, sans interroger la base de données.',
  'step.token_twice.title': 'Le jeton à deux endroits',
  'step.token_twice.text':
    'Le jeton se trouve dans l’en-tête et dans l’URL. Les programmes intermédiaires pourraient en lire un différent ; le serveur refuse donc la requête, bien que les deux soient valides.',
};
