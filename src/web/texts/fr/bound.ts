import type { bound as english } from '../en/bound.ts';

export const bound: Record<keyof typeof english, string> = {
  'mode.label': 'Type de flux',
  'mode.plain': 'Flux simple',
  'mode.bound': 'Requête transmise à l’avance et jeton lié (PAR + DPoP)',
  'mode.text_plain': 'La requête est dans l’URL, et quiconque détient le jeton peut l’utiliser.',
  'mode.text_bound':
    'L’application envoie sa requête directement au serveur, et le jeton ne fonctionne qu’avec la clé privée de l’application.',
  'mode.start_text':
    'Voici la requête que l’application va envoyer, avec tous ses paramètres. Votre navigateur ne transmet ensuite qu’une référence à celle-ci. Après votre décision, vous verrez tous les messages qui ont suivi.',
  'step.push_request.title': 'L’application transmet sa requête à l’avance',
  'step.push_request.text':
    'Elle s’authentifie et envoie la requête directement au serveur : personne ne peut la lire ni la modifier dans le navigateur. La réponse est une référence à la requête.',
  'step.authorization_by_reference.title': 'L’application vous envoie vers le serveur',
  'step.authorization_by_reference.text':
    'L’URL contient la référence à la place de la requête. Le serveur a déjà vérifié la requête.',
  'step.introspection_request.title': 'Le serveur indique la clé à laquelle le jeton est lié',
  'step.introspection_request.text':
    'L’empreinte dans cnf est celle de la clé avec laquelle l’application signe ses preuves. Un serveur qui accepte le jeton compare les deux.',
  'step.nonce_demanded.title': 'Le serveur exige un nonce',
  'step.nonce_demanded.text':
    'L’en-tête DPoP-Nonce de la réponse le contient. L’application répète la requête avec une nouvelle preuve.',
  'proof.title': 'La preuve DPoP, décodée',
  'proof.header': 'En-tête',
  'proof.claims': 'Contenu',
  'proof.thumbprint': 'empreinte',
  'proof.thumbprint_text':
    'Le condensé SHA-256 de jwk. Il doit être égal à jkt dans cnf, que l’introspection indique pour le jeton.',
  'proof.typ': 'Le type de JWT, pour qu’aucun autre JWT ne passe pour une preuve.',
  'proof.alg': 'L’algorithme de la signature.',
  'proof.jwk': 'La clé publique, qui vérifie la signature. La clé privée ne quitte jamais l’application.',
  'proof.htm': 'La méthode de cette requête. Avec toute autre, la preuve est refusée.',
  'proof.htu': 'L’adresse de cette requête. À toute autre, la preuve est refusée.',
  'proof.ath': 'Le condensé SHA-256 du jeton d’accès. Avec tout autre jeton, la preuve est refusée.',
  'proof.nonce':
    'Vient de l’en-tête DPoP-Nonce d’une réponse précédente : la preuve n’a donc pas été créée longtemps à l’avance.',
  'proof.iat': 'Quand la preuve a été créée. Le serveur l’accepte pendant deux minutes.',
  'proof.jti': 'Un nom aléatoire, auquel le serveur reconnaît une preuve déjà utilisée.',
  'repeated.code':
    'Le code a déjà été échangé. Cette commande l’échange de nouveau : le serveur le refuse et révoque les jetons émis pour ce code.',
  'repeated.proof':
    'Le serveur refuse cette commande : il accepte une preuve une seule fois, dans les deux minutes. Pour répéter la requête, l’application signe une nouvelle preuve avec sa clé privée, qui n’est pas affichée.',
  'repeated.request_uri':
    'Vous avez déjà répondu à la requête transmise à l’avance : cette commande obtient une page d’erreur. La requête peut être transmise de nouveau.',
  'parameter.request_uri':
    'Une référence à la requête transmise à l’avance. Seule cette application peut l’utiliser, une fois et pendant peu de temps.',
  'parameter.dpop_jkt': 'L’empreinte de la clé de l’application. Le code y est lié, lui aussi.',
  'parameter.active': 'Si le jeton est valide à cet instant.',
  'parameter.cnf': 'L’empreinte (jkt) de la clé à laquelle le jeton est lié.',
  'outcome.stolen': 'Acceptée : le voleur lit votre profil.',
  'tries.theft': 'Voler le jeton',
  'tries.text_theft':
    'Supposons qu’un voleur ait lu une requête de l’application avec son jeton d’accès, par exemple dans un journal. Chaque bouton envoie ce que le voleur peut envoyer.',
  'break.stolen_bearer': 'L’envoyer comme jeton Bearer',
  'break.stolen_replayed': 'L’envoyer avec une preuve déjà utilisée',
  'break.stolen_other_key': 'L’envoyer avec la preuve d’une autre clé',
  'step.stolen_accepted.title': 'Le voleur envoie le jeton',
  'step.stolen_accepted.text':
    'Quiconque détient un jeton Bearer peut l’utiliser : le serveur ne peut pas distinguer le voleur de l’application. Recommencez avec PAR + DPoP et réessayez.',
  'step.stolen_bearer.title': 'Le voleur envoie le jeton comme jeton Bearer',
  'step.stolen_bearer.text':
    'Ce jeton est lié à une clé. Sans preuve de cette clé, le serveur le traite comme invalide.',
  'step.stolen_replayed.title': 'Le voleur envoie la même requête une seconde fois',
  'step.stolen_replayed.text':
    'Le jeton et la preuve sont ceux de la requête ci-dessus. Le serveur retient chaque preuve jusqu’à son expiration et la refuse la seconde fois.',
  'step.stolen_other_key.title': 'Le voleur crée une preuve avec une autre clé',
  'step.stolen_other_key.text':
    'La preuve elle-même est correcte, mais le jeton est lié à une autre clé. Il faudrait au voleur la clé privée, que l’application n’envoie jamais.',
};
