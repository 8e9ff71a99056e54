import type { errors as english } from '../en/errors.ts';

export const errors: Record<keyof typeof english, string> = {
  'error_title.invalid_request': 'Esta solicitud no es válida',
  'error_title.invalid_client': 'Esta aplicación no se conoce aquí',
  'error_title.invalid_grant': 'Este permiso ya no vale',
  'error_title.unauthorized_client': 'Esta aplicación no puede hacer eso',
  'error_title.unsupported_grant_type': 'Este tipo de solicitud no se admite',
  'error_title.unsupported_response_type': 'Este tipo de solicitud no se admite',
  'error_title.unsupported_token_type': 'Este tipo de token no se admite',
  'error_title.invalid_scope': 'La aplicación pidió un permiso que no existe',
  'error_title.request_not_supported': 'Este tipo de solicitud no se admite',
  'error_title.request_uri_not_supported': 'Este tipo de solicitud no se admite',
  'error_title.access_denied': 'Eso no está permitido',
  'error_title.login_required': 'Primero inicia sesión',
  'error_title.consent_required': 'Primero hace falta tu permiso',
  'error_title.invalid_token': 'Este acceso ha terminado',
  'error_title.insufficient_scope': 'Este acceso no llega tan lejos',
  'error_title.not_found': 'Aquí no hay nada',
  'error_title.method_not_allowed': 'Esta dirección se usa de otra manera',
  'error_title.too_many_requests': 'Demasiadas solicitudes',
  'error_title.server_error': 'Algo ha fallado por nuestra parte',
  'error_title.temporarily_unavailable': 'No disponible en este momento',
  'error_text.application':
    'La aplicación envió una solicitud que no se puede aceptar. No has hecho nada mal y no se ha compartido nada. Avisa, por favor, a quienes hacen la aplicación.',
  'error_text.access_denied': 'Tu cuenta no puede usar esta página.',
  'error_text.login_required': 'Inicia sesión y abre de nuevo esta página.',
  'error_text.not_found': 'Puede que la página haya cambiado de lugar o que el enlace esté incompleto.',
  'error_text.method_not_allowed': 'La dirección existe, pero no para lo que el navegador intentó hacer.',
  'error_text.too_many_requests': 'Espera un momento e inténtalo de nuevo.',
  'error_text.server_error':
    'Ha quedado anotado con la referencia de abajo. Inténtalo de nuevo; si continúa, comunícasela al operador.',
  'error_text.temporarily_unavailable': 'No se ha perdido nada. Inténtalo de nuevo en un momento.',
};
