import type { stepUp as english } from '../en/step-up.ts';

export const stepUp: Record<keyof typeof english, string> = {
  'login.step_up':
    'Ya ha iniciado sesión, pero la aplicación exige dos factores; por ejemplo, una clave de acceso, o su contraseña y un código. Vuelva a iniciar sesión.',
  'problem.password_common':
    'Esta contraseña es una de las 10\u202f000 más comunes, que son las primeras que prueban otros. Elija otra.',
  'problem.password_is_name':
    'Su contraseña no puede ser su nombre de usuario ni su dirección, ni el nombre de este servidor.',
  'export.title': 'Descargar sus datos',
  'export.summary':
    'Todo lo que se guarda aquí sobre usted en un solo archivo: su perfil, las cuentas conectadas, las sesiones, los accesos de aplicaciones y su actividad.',
  'export.download': 'Descargar como JSON',
  'method.password': 'contraseña',
  'method.website': 'cuenta del sitio web',
  'method.provider': 'otro proveedor',
  'method.passkey': 'clave de acceso',
  'method.security_key': 'llave de seguridad',
  'method.totp': 'código de una aplicación',
  'method.recovery_code': 'código de recuperación',
  'method.trusted_browser': 'navegador de confianza',
  'error_title.insufficient_user_authentication': 'Tiene que volver a iniciar sesión',
  'error_title.unmet_authentication_requirements': 'La aplicación exige un segundo factor',
  'error_text.unmet_authentication_requirements':
    'Ha iniciado sesión con un solo factor. Si puede, añada un segundo a su cuenta y empiece de nuevo desde la aplicación.',
  'explained.insufficient_user_authentication.meaning':
    'El token es válido, pero el usuario inició sesión hace demasiado tiempo, o con menos factores de los que exige un scope de esta solicitud. WWW-Authenticate indica el nivel (acr_values) y la antigüedad (max_age).',
  'explained.insufficient_user_authentication.cause.1':
    'El usuario inició sesión con un solo factor, o antes de lo que permite max_age. Renovar no es iniciar sesión: el nuevo token tiene los mismos acr y auth_time.',
  'explained.insufficient_user_authentication.fix.1':
    'Envíe al usuario a /authorize con los valores de acr_values y max_age que da WWW-Authenticate, y use el token que obtenga. No repita nunca la solicitud con el mismo token.',
  'explained.insufficient_user_authentication.cause.2':
    'El token lo emitió una versión que no guardaba el inicio de sesión, o el usuario inició sesión en un proveedor que no dice cuándo.',
  'explained.insufficient_user_authentication.fix.2': 'Lo mismo: una nueva autorización trae lo que falta.',
  'explained.unmet_authentication_requirements.meaning':
    'El usuario no puede iniciar sesión como exige acr_values o uno de los scopes.',
  'explained.unmet_authentication_requirements.cause.1':
    'El usuario no tiene segundo factor, o el sitio en el que inicia sesión no informa de ninguno.',
  'explained.unmet_authentication_requirements.fix.1':
    'Continúe con menos, o pida al usuario que añada un segundo factor. Enviar otra vez la misma solicitud no cambia nada.',
  'explained.unmet_authentication_requirements.cause.2': 'acr_values no nombra ningún nivel que este servidor conozca.',
  'explained.unmet_authentication_requirements.fix.2':
    'Tome los nombres de acr_values_supported, en los metadatos del servidor.',
};
