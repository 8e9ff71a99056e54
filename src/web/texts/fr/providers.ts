import type { providers as english } from '../en/providers.ts';

export const providers: Record<keyof typeof english, string> = {
  'login.or': 'ou',
  'login.provider': 'Se connecter avec {provider}',

  'stopped.title': 'Vous n’êtes pas connecté',
  'stopped.sign_in_lost':
    'Cette connexion a été commencée il y a plus de dix minutes ou dans un autre navigateur, ou elle est déjà terminée. Veuillez recommencer.',
  'stopped.cancelled': 'Vous ne vous êtes pas connecté avec {provider}. Rien n’a changé.',
  'stopped.provider_away': '{provider} ne répond pas comme prévu en ce moment. Veuillez réessayer dans une minute.',
  'stopped.provider_wrong':
    'La réponse de {provider} n’a pas été acceptée. Si cela se reproduit, signalez-le à l’exploitant de ce serveur en indiquant l’ID de requête.',
  'stopped.provider_gone': 'La connexion avec {provider} est désactivée ici.',
  'stopped.not_confirmed':
    'L’application veut savoir que vous venez de vous connecter, et {provider} ne l’a pas confirmé. Reconnectez-vous là-bas, ou d’une autre manière.',
  'stopped.no_account':
    'Aucun compte ici n’est associé à votre compte {provider}. Si vous avez un compte ici, connectez-vous d’une autre manière ; vous pourrez associer {provider} sur la page de votre compte.',
  'stopped.address_taken':
    'Un compte ici a l’adresse e-mail fournie par {provider}. Si c’est le vôtre, connectez-vous d’une autre manière ; vous pourrez associer {provider} sur la page de votre compte.',
  'stopped.foreign_domain':
    'Avec {provider}, seules les personnes ayant certaines adresses e-mail obtiennent un compte ici.',
  'stopped.account_disabled': 'Votre compte ici est désactivé.',
  'stopped.identity_taken':
    'Votre compte {provider} est déjà associé à un autre compte ici, ou vous avez associé trop de comptes.',
  'stopped.connect_lost':
    'Rien n’a été associé : vous n’êtes plus connecté en tant que la personne qui a commencé, ou cela a pris plus de dix minutes.',
  'stopped.reference': 'ID de requête : {id}',
  'stopped.back_to_sign_in': 'Se connecter',

  'account.identities': 'Connexion avec d’autres comptes',
  'account.identities_text': 'Avec ces comptes sur d’autres sites, vous pouvez vous connecter ici.',
  'account.identity_since': 'Associé le {date}',
  'account.identity_never_used': 'Jamais utilisé',
  'account.identity_remove': 'Retirer',
  'account.identity_connect': 'Associer {provider}',
  'account.identity_unknown': 'Un site qui n’est plus proposé ici',
  'connect.provider': 'Associer {provider}',
  'connect.text':
    'Vous allez continuer vers {provider} et vous y connecter. Vous pourrez ensuite vous connecter ici avec ce compte aussi : quiconque peut l’utiliser peut utiliser celui-ci.',
  'connect.go_on': 'Continuer vers {provider}',
  'connect.by_operator':
    'Vous êtes administrateur : seul l’exploitant de ce serveur peut associer votre compte, avec la fonction SQL link_identity.',
  'connect.sign_in_again':
    'Déconnectez-vous et reconnectez-vous d’abord : votre dernière connexion date de plus de 15 minutes.',
  'notice.identity_linked': 'Associé. Vous pouvez désormais aussi vous connecter de cette manière.',
  'notice.identity_unlinked': 'Retiré. Vous ne pouvez plus vous connecter de cette manière.',
  'problem.last_way_in':
    'C’est votre dernière manière de vous connecter : elle est conservée. Associez d’abord un autre compte.',
};
