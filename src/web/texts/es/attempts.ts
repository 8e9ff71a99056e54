import type { attempts as english } from '../en/attempts.ts';

export const attempts: Record<keyof typeof english, string> = {
  'outcome.refused': 'Rechazada, como debe ser.',
  'outcome.denied': 'Usted denegó el acceso. La aplicación recibió un error y nada más.',
  'playground_problem.no_memory':
    'Llegó una respuesta, pero su navegador no envió ninguna cookie del área de pruebas, así que la aplicación no puede saber si hizo la solicitud. O bien ha pasado más de una hora, o bien usted empezó con otro nombre de host: una cookie de 127.0.0.1 no se envía a localhost. La respuesta se descartó. Empiece de nuevo aquí.',
  'playground_problem.already_used':
    'La aplicación no espera esta respuesta: ya se usó o es demasiado antigua. Un valor de state sirve para una sola respuesta. Esta respuesta se ignoró.',
  'playground_problem.state_mismatch':
    'El state de esta respuesta no es el que envió la aplicación. Es posible que alguien intente iniciar su sesión en otra cuenta, así que la aplicación descarta la respuesta (RFC 6749 §10.12). Si empezó en dos pestañas, solo cuenta el último intento.',
  'playground_problem.iss_mismatch':
    'Esta respuesta no procede del servidor al que la aplicación envió su solicitud: falta iss o indica otro servidor (RFC 9207). La aplicación descarta la respuesta y no envía el código a nadie.',
  'playground_problem.no_code':
    'Esta respuesta no contiene ni un único código ni un error, así que la aplicación no puede usarla.',
  'tries.use': 'Usar los tokens',
  'tries.text_use': 'Lo que una aplicación hace normalmente con sus tokens.',
  'tries.break': 'Atacar el flujo',
  'tries.text_break': 'Cada botón simula un ataque o un error. Vea cómo lo rechaza el servidor.',
  'break.refresh': 'Renovar el token de acceso',
  'break.change_profile': 'Actualizar su perfil',
  'break.revoke': 'Revocar el token',
  'break.reused_code': 'Canjear el código dos veces',
  'break.wrong_verifier': 'Enviar un code_verifier incorrecto',
  'break.foreign_redirect_uri': 'Enviar un redirect_uri no registrado',
  'break.expired_token': 'Usar un token caducado',
  'break.refresh_replay': 'Usar un token de actualización antiguo',
  'break.wrong_secret': 'Enviar un secreto de cliente incorrecto',
  'break.tampered_token': 'Cambiar un carácter del token',
  'break.token_twice': 'Enviar el token dos veces',
  'step.reused_code.title': 'El código se canjea otra vez',
  'step.reused_code.text':
    'Es posible que alguien haya copiado el código. El servidor lo rechaza y revoca los tokens emitidos con él.',
  'step.wrong_verifier.title': 'El código se canjea con un code_verifier incorrecto',
  'step.wrong_verifier.text':
    'Un atacante que intercepta un código en el navegador no conoce el code_verifier. Un solo intento incorrecto invalida el código.',
  'step.spent_code.title': 'El code_verifier correcto llega tarde',
  'step.spent_code.text':
    'El intento incorrecto ha invalidado el código, así que nadie puede probar dos veces. El error es el mismo que antes y no revela si el valor era correcto.',
  'step.foreign_redirect_uri.title': 'Un URI de redirección no registrado',
  'step.foreign_redirect_uri.text':
    'El servidor muestra una página de error y no redirige: es posible que la dirección no pertenezca a la aplicación.',
  'step.expired_token.title': 'Un token caducado',
  'step.expired_token.text':
    'Para ahorrarle una hora de espera, el área de pruebas adelantó en la base de datos la caducidad de este token. Todo lo demás es real: la respuesta indica a la aplicación que renueve el token.',
  'step.revoked_token.title': 'Un token revocado',
  'step.revoked_token.text': 'En cuanto se revoca un token, ningún endpoint lo acepta.',
  'step.refresh_replay.title': 'El primer token de actualización se usa otra vez',
  'step.refresh_replay.text':
    'Es posible que dos partes tengan este token, y el servidor no puede saber cuál lo robó. Por eso revoca todos los tokens de esta autorización, y la aplicación tiene que volver a pedirle permiso.',
  'step.wrong_secret.title': 'Un secreto de cliente incorrecto',
  'step.wrong_secret.text':
    'Un token de actualización robado no sirve sin el secreto de cliente. El intento fallido no revoca nada, como muestra la solicitud siguiente; de lo contrario, un ladrón podría cerrar la sesión de los usuarios.',
  'step.tampered_token.title': 'Un carácter es distinto',
  'step.tampered_token.text':
    'Cada token termina con una suma de comprobación. El servidor ve que nunca emitió este token, sin consultar la base de datos.',
  'step.token_twice.title': 'El token en dos lugares',
  'step.token_twice.text':
    'El token está en la cabecera y en la URL. Los programas intermedios podrían leer uno distinto, así que el servidor rechaza la solicitud, aunque ambos sean válidos.',
};
