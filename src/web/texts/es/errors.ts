import type { errors as english } from '../en/errors.ts';

export const errors: Record<keyof typeof english, string> = {
  'error_title.invalid_request': 'La solicitud no es válida',
  'error_title.invalid_client': 'Aplicación desconocida',
  'error_title.invalid_grant': 'Esta autorización ya no es válida',
  'error_title.invalid_dpop_proof': 'No se aceptó una prueba de la aplicación',
  'error_title.use_dpop_nonce': 'No se aceptó una prueba de la aplicación',
  'error_title.unauthorized_client': 'La aplicación no tiene permiso para hacer esto',
  'error_title.unsupported_grant_type': 'Este tipo de solicitud no se admite',
  'error_title.unsupported_response_type': 'Este tipo de solicitud no se admite',
  'error_title.unsupported_token_type': 'Este tipo de token no se admite',
  'error_title.invalid_scope': 'La aplicación solicitó un permiso no válido',
  'error_title.invalid_target': 'La aplicación solicitó acceso a un recurso desconocido',
  'error_title.invalid_redirect_uri': 'Se rechazó un URI de redirección del registro',
  'error_title.invalid_client_metadata': 'Se rechazó el registro de la aplicación',
  'error_title.request_not_supported': 'Este tipo de solicitud no se admite',
  'error_title.invalid_request_uri': 'No se puede abrir esta solicitud',
  'error_title.invalid_request_object': 'La solicitud firmada no es válida',
  'error_title.access_denied': 'Acceso denegado',
  'error_title.login_required': 'Inicie sesión primero',
  'error_title.consent_required': 'Se necesita su consentimiento',
  'error_title.invalid_token': 'El acceso ha caducado o se revocó',
  'error_title.insufficient_scope': 'A la aplicación le falta un permiso',
  'error_title.not_found': 'Página no encontrada',
  'error_title.method_not_allowed': 'Este método de solicitud no se admite',
  'error_title.too_many_requests': 'Demasiadas solicitudes',
  'error_title.server_error': 'Se produjo un error',
  'error_title.temporarily_unavailable': 'No disponible temporalmente',
  'error_text.application':
    'La aplicación envió una solicitud que este servidor no puede aceptar. No es culpa suya y no se compartió ninguno de sus datos. Informe al desarrollador de la aplicación.',
  'error_text.invalid_request_uri':
    'Este enlace ya se ha utilizado, ha caducado o está incompleto. Vuelva a la aplicación y empiece allí de nuevo. No se ha compartido ninguno de sus datos.',
  'error_text.access_denied': 'Su cuenta no tiene acceso a esta página.',
  'error_text.login_required': 'Inicie sesión y abra de nuevo esta página.',
  'error_text.not_found': 'Es posible que la página se haya movido o que el enlace esté incompleto.',
  'error_text.method_not_allowed': 'La página existe, pero no admite lo que intentó hacer su navegador.',
  'error_text.too_many_requests': 'Espere un momento e inténtelo de nuevo.',
  'error_text.server_error':
    'Inténtelo de nuevo. Si el error persiste, comunique el ID de solicitud que aparece abajo al operador de este servidor.',
  'error_text.temporarily_unavailable':
    'El servidor no puede responder en este momento. Inténtelo de nuevo en un momento.',
};
