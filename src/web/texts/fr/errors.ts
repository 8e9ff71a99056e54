import type { errors as english } from '../en/errors.ts';

export const errors: Record<keyof typeof english, string> = {
  'error_title.invalid_request': 'La requête n’est pas valide',
  'error_title.invalid_client': 'Application inconnue',
  'error_title.invalid_grant': 'Cette autorisation n’est plus valide',
  'error_title.invalid_dpop_proof': 'Une preuve de l’application n’a pas été acceptée',
  'error_title.use_dpop_nonce': 'Une preuve de l’application n’a pas été acceptée',
  'error_title.unauthorized_client': 'L’application n’est pas autorisée à faire cela',
  'error_title.unsupported_grant_type': 'Ce type de requête n’est pas pris en charge',
  'error_title.unsupported_response_type': 'Ce type de requête n’est pas pris en charge',
  'error_title.unsupported_token_type': 'Ce type de jeton n’est pas pris en charge',
  'error_title.invalid_scope': 'L’application a demandé une autorisation non valide',
  'error_title.invalid_target': 'L’application a demandé l’accès à une ressource inconnue',
  'error_title.invalid_redirect_uri': 'Une URI de redirection de l’enregistrement a été refusée',
  'error_title.invalid_client_metadata': 'L’enregistrement de l’application a été refusé',
  'error_title.request_not_supported': 'Ce type de requête n’est pas pris en charge',
  'error_title.invalid_request_uri': 'Cette requête ne peut pas être ouverte',
  'error_title.invalid_request_object': 'La requête signée n’est pas valide',
  'error_title.access_denied': 'Accès refusé',
  'error_title.login_required': 'Veuillez d’abord vous connecter',
  'error_title.consent_required': 'Votre accord est nécessaire',
  'error_title.invalid_token': 'L’accès a expiré ou a été révoqué',
  'error_title.insufficient_scope': 'Il manque une autorisation à l’application',
  'error_title.not_found': 'Page introuvable',
  'error_title.method_not_allowed': 'Cette méthode de requête n’est pas prise en charge',
  'error_title.too_many_requests': 'Trop de requêtes',
  'error_title.server_error': 'Une erreur s’est produite',
  'error_title.temporarily_unavailable': 'Temporairement indisponible',
  'error_text.application':
    'L’application a envoyé une requête que ce serveur ne peut pas accepter. Ce n’est pas votre faute et aucune de vos données n’a été communiquée. Veuillez prévenir le développeur de l’application.',
  'error_text.invalid_request_uri':
    'Ce lien a déjà été utilisé, a expiré ou est incomplet. Revenez à l’application et recommencez depuis le début. Aucune de vos données n’a été transmise.',
  'error_text.access_denied': 'Votre compte n’a pas accès à cette page.',
  'error_text.login_required': 'Connectez-vous, puis ouvrez de nouveau cette page.',
  'error_text.not_found': 'La page a peut-être été déplacée, ou le lien est incomplet.',
  'error_text.method_not_allowed':
    'La page existe, mais elle ne prend pas en charge ce que votre navigateur a tenté de faire.',
  'error_text.too_many_requests': 'Veuillez patienter un instant, puis réessayez.',
  'error_text.server_error':
    'Veuillez réessayer. Si l’erreur persiste, communiquez l’ID de requête ci-dessous à l’exploitant de ce serveur.',
  'error_text.temporarily_unavailable': 'Le serveur ne peut pas répondre pour le moment. Réessayez dans un instant.',
};
