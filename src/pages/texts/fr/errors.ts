import type { errors as english } from '../en/errors.ts';

export const errors: Record<keyof typeof english, string> = {
  'error_title.invalid_request': 'Cette requête n’est pas valide',
  'error_title.invalid_client': 'Cette application n’est pas connue ici',
  'error_title.invalid_grant': 'Cette autorisation n’est plus valable',
  'error_title.unauthorized_client': 'Cette application n’a pas ce droit',
  'error_title.unsupported_grant_type': 'Ce type de requête n’est pas pris en charge',
  'error_title.unsupported_response_type': 'Ce type de requête n’est pas pris en charge',
  'error_title.unsupported_token_type': 'Ce type de jeton n’est pas pris en charge',
  'error_title.invalid_scope': 'L’application a demandé une autorisation qui n’existe pas',
  'error_title.request_not_supported': 'Ce type de requête n’est pas pris en charge',
  'error_title.request_uri_not_supported': 'Ce type de requête n’est pas pris en charge',
  'error_title.access_denied': 'Ce n’est pas permis',
  'error_title.login_required': 'Connectez-vous d’abord',
  'error_title.consent_required': 'Il faut d’abord votre accord',
  'error_title.invalid_token': 'Cet accès a pris fin',
  'error_title.insufficient_scope': 'Cet accès ne va pas jusque-là',
  'error_title.not_found': 'Il n’y a rien ici',
  'error_title.method_not_allowed': 'Cette adresse s’utilise autrement',
  'error_title.too_many_requests': 'Trop de requêtes',
  'error_title.server_error': 'Un problème est survenu de notre côté',
  'error_title.temporarily_unavailable': 'Indisponible pour le moment',
  'error_text.application':
    'L’application a envoyé une requête qui ne peut pas être acceptée. Vous n’y êtes pour rien et rien n’a été transmis. Merci de le signaler à ceux qui font l’application.',
  'error_text.access_denied': 'Votre compte ne donne pas accès à cette page.',
  'error_text.login_required': 'Connectez-vous, puis ouvrez de nouveau cette page.',
  'error_text.not_found': 'La page a peut-être changé d’adresse, ou le lien est incomplet.',
  'error_text.method_not_allowed': 'L’adresse existe, mais pas pour ce que le navigateur a tenté d’y faire.',
  'error_text.too_many_requests': 'Attendez un instant, puis réessayez.',
  'error_text.server_error':
    'L’incident est noté sous la référence ci-dessous. Réessayez ; si cela persiste, transmettez-la à l’exploitant.',
  'error_text.temporarily_unavailable': 'Rien n’est perdu. Réessayez dans un instant.',
};
