import type { errors as english } from '../en/errors.ts';

export const errors: Record<keyof typeof english, string> = {
  'error_title.invalid_request': 'Diese Anfrage ist nicht gültig',
  'error_title.invalid_client': 'Diese Anwendung ist hier nicht bekannt',
  'error_title.invalid_grant': 'Diese Erlaubnis gilt nicht mehr',
  'error_title.unauthorized_client': 'Diese Anwendung darf das nicht',
  'error_title.unsupported_grant_type': 'Diese Art von Anfrage wird nicht unterstützt',
  'error_title.unsupported_response_type': 'Diese Art von Anfrage wird nicht unterstützt',
  'error_title.unsupported_token_type': 'Diese Art von Token wird nicht unterstützt',
  'error_title.invalid_scope': 'Die Anwendung bat um eine Berechtigung, die es nicht gibt',
  'error_title.request_not_supported': 'Diese Art von Anfrage wird nicht unterstützt',
  'error_title.request_uri_not_supported': 'Diese Art von Anfrage wird nicht unterstützt',
  'error_title.access_denied': 'Das ist nicht erlaubt',
  'error_title.login_required': 'Bitte melden Sie sich zuerst an',
  'error_title.consent_required': 'Zuerst wird Ihre Zustimmung gebraucht',
  'error_title.invalid_token': 'Dieser Zugang ist beendet',
  'error_title.insufficient_scope': 'So weit reicht dieser Zugang nicht',
  'error_title.not_found': 'Hier ist nichts',
  'error_title.method_not_allowed': 'Diese Adresse wird anders benutzt',
  'error_title.too_many_requests': 'Zu viele Anfragen',
  'error_title.server_error': 'Bei uns ist etwas schiefgegangen',
  'error_title.temporarily_unavailable': 'Im Moment nicht erreichbar',
  'error_text.application':
    'Die Anwendung hat eine Anfrage geschickt, die nicht angenommen werden kann. Sie haben nichts falsch gemacht, und es wurde nichts weitergegeben. Bitte sagen Sie denen Bescheid, die die Anwendung betreiben.',
  'error_text.access_denied': 'Ihr Konto darf diese Seite nicht benutzen.',
  'error_text.login_required': 'Melden Sie sich an und öffnen Sie diese Seite dann noch einmal.',
  'error_text.not_found': 'Vielleicht ist die Seite umgezogen, oder der Link ist unvollständig.',
  'error_text.method_not_allowed': 'Die Adresse gibt es, aber nicht für das, was der Browser dort versucht hat.',
  'error_text.too_many_requests': 'Bitte warten Sie einen Augenblick und versuchen Sie es dann erneut.',
  'error_text.server_error':
    'Der Vorfall ist unter der unten stehenden Kennung festgehalten. Bitte versuchen Sie es noch einmal; bleibt es dabei, nennen Sie dem Betreiber die Kennung.',
  'error_text.temporarily_unavailable': 'Es ist nichts verloren. Bitte versuchen Sie es gleich noch einmal.',
};
