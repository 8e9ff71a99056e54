import type { errors as english } from '../en/errors.ts';

export const errors: Record<keyof typeof english, string> = {
  'error_title.invalid_request': 'Die Anfrage ist ungültig',
  'error_title.invalid_client': 'Unbekannte Anwendung',
  'error_title.invalid_grant': 'Diese Autorisierung ist nicht mehr gültig',
  'error_title.invalid_dpop_proof': 'Ein Nachweis der Anwendung wurde nicht akzeptiert',
  'error_title.use_dpop_nonce': 'Ein Nachweis der Anwendung wurde nicht akzeptiert',
  'error_title.unauthorized_client': 'Die Anwendung darf das nicht',
  'error_title.unsupported_grant_type': 'Diese Art von Anfrage wird nicht unterstützt',
  'error_title.unsupported_response_type': 'Diese Art von Anfrage wird nicht unterstützt',
  'error_title.unsupported_token_type': 'Diese Art von Token wird nicht unterstützt',
  'error_title.invalid_scope': 'Die Anwendung hat eine ungültige Berechtigung angefordert',
  'error_title.invalid_target': 'Die Anwendung hat Zugriff auf eine unbekannte Ressource angefordert',
  'error_title.invalid_redirect_uri': 'Eine Redirect-URI der Registrierung wurde abgelehnt',
  'error_title.invalid_client_metadata': 'Die Registrierung der Anwendung wurde abgelehnt',
  'error_title.request_not_supported': 'Diese Art von Anfrage wird nicht unterstützt',
  'error_title.invalid_request_uri': 'Diese Anfrage lässt sich nicht öffnen',
  'error_title.invalid_request_object': 'Die signierte Anfrage ist ungültig',
  'error_title.access_denied': 'Zugriff verweigert',
  'error_title.login_required': 'Bitte melden Sie sich zuerst an',
  'error_title.consent_required': 'Ihre Zustimmung ist erforderlich',
  'error_title.invalid_token': 'Der Zugriff ist abgelaufen oder wurde widerrufen',
  'error_title.insufficient_scope': 'Der Anwendung fehlt eine Berechtigung',
  'error_title.not_found': 'Seite nicht gefunden',
  'error_title.method_not_allowed': 'Diese Anfragemethode wird nicht unterstützt',
  'error_title.too_many_requests': 'Zu viele Anfragen',
  'error_title.server_error': 'Es ist ein Fehler aufgetreten',
  'error_title.temporarily_unavailable': 'Vorübergehend nicht verfügbar',
  'error_text.application':
    'Die Anwendung hat eine Anfrage gesendet, die dieser Server nicht annehmen kann. Das ist nicht Ihr Fehler, und es wurden keine Daten von Ihnen weitergegeben. Bitte informieren Sie den Entwickler der Anwendung.',
  'error_text.invalid_request_uri':
    'Dieser Link wurde schon benutzt, ist abgelaufen oder unvollständig. Gehen Sie zur Anwendung zurück und beginnen Sie dort von vorn. Von Ihren Daten wurde nichts weitergegeben.',
  'error_text.access_denied': 'Ihr Konto hat keinen Zugriff auf diese Seite.',
  'error_text.login_required': 'Melden Sie sich an und öffnen Sie diese Seite dann erneut.',
  'error_text.not_found': 'Möglicherweise wurde die Seite verschoben oder der Link ist unvollständig.',
  'error_text.method_not_allowed': 'Die Seite existiert, unterstützt aber nicht, was Ihr Browser dort versucht hat.',
  'error_text.too_many_requests': 'Bitte warten Sie einen Moment und versuchen Sie es dann erneut.',
  'error_text.server_error':
    'Bitte versuchen Sie es erneut. Tritt der Fehler weiterhin auf, nennen Sie dem Betreiber dieses Servers die Anfrage-ID unten.',
  'error_text.temporarily_unavailable':
    'Der Server kann gerade nicht antworten. Bitte versuchen Sie es gleich noch einmal.',
};
