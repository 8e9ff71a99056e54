import type { attempts as english } from '../en/attempts.ts';

export const attempts: Record<keyof typeof english, string> = {
  'outcome.refused': 'Rechazado, como debe ser.',
  'outcome.denied': 'Lo rechazaste. La aplicación lo sabe, y no ha recibido nada más.',
  'playground_problem.no_memory':
    'Llegó una respuesta, pero este navegador no envió con ella ninguna cookie del campo de pruebas, así que la aplicación no puede saber si alguna vez preguntó. O ha pasado una hora, o empezaste con otro nombre de esta máquina: una cookie de 127.0.0.1 no se envía a localhost. La respuesta se ha descartado. Empieza otra vez aquí.',
  'playground_problem.already_used':
    'La aplicación no espera ninguna respuesta: esta ya se usó o es antigua. Un state vale para una respuesta. No se ha hecho nada con ella.',
  'playground_problem.state_mismatch':
    'El state de esta respuesta no es el que envió la aplicación. Alguien podría querer que entres como otra persona, así que la aplicación descarta la respuesta (RFC 6749 §10.12). Si empezaste en dos pestañas, solo cuenta el último comienzo.',
  'playground_problem.iss_mismatch':
    'Esta respuesta no viene del servidor al que preguntó la aplicación: falta iss o nombra a otro (RFC 9207). La aplicación la descarta y no entrega el código a nadie.',
  'playground_problem.no_code': 'Esta respuesta no trae ni un único código ni un error, así que no sirve para nada.',
  'tries.use': 'Usarlo como es debido',
  'tries.text_use': 'Lo que hace una aplicación con sus tokens a partir de aquí.',
  'tries.break': 'Romperlo a propósito',
  'tries.text_break': 'Cada uno es un ataque o un accidente que ocurre. Mira cómo lo rechaza el servidor.',
  'break.refresh': 'Renovar el acceso',
  'break.change_profile': 'Escribir tu nombre de nuevo',
  'break.revoke': 'Devolver el token',
  'break.reused_code': 'Canjear el código por segunda vez',
  'break.wrong_verifier': 'Canjear con un code_verifier incorrecto',
  'break.foreign_redirect_uri': 'Pedir con una redirect_uri ajena',
  'break.expired_token': 'Usar un token caducado',
  'break.refresh_replay': 'Usar un token de renovación antiguo',
  'break.wrong_secret': 'Presentar un secreto de cliente incorrecto',
  'break.tampered_token': 'Cambiar un carácter del token',
  'break.token_twice': 'Enviar el token dos veces',
  'step.reused_code.title': 'El mismo código otra vez',
  'step.reused_code.text':
    'Puede que alguien lo haya copiado. El servidor lo rechaza y termina lo que había producido.',
  'step.wrong_verifier.title': 'Un código sin su verificador',
  'step.wrong_verifier.text':
    'Quien atrapa un código en el navegador no conoce el verificador. Un intento fallido agota el código.',
  'step.spent_code.title': 'Ahora el verificador correcto',
  'step.spent_code.text':
    'Demasiado tarde: el intento fallido agotó el código, así que nadie puede adivinar dos veces. La respuesta es la misma, para no decir cuánto faltaba.',
  'step.foreign_redirect_uri.title': 'Una URI de redirección ajena',
  'step.foreign_redirect_uri.text':
    'El servidor muestra una página y no redirige a nadie: no sabe de quién es esa dirección.',
  'step.expired_token.title': 'Un token caducado',
  'step.expired_token.text':
    'Nadie quiere esperar aquí una hora, así que el campo de pruebas adelantó el final de este token en la base de datos. Lo demás es real: la respuesta le indica a la aplicación que lo renueve.',
  'step.revoked_token.title': 'Un token revocado',
  'step.revoked_token.text': 'Desde que se revoca, ningún punto de acceso conoce ya el token.',
  'step.refresh_replay.title': 'El primer token de renovación otra vez',
  'step.refresh_replay.text':
    'Ahora lo tienen dos, y nadie sabe cuál es el ladrón. Por eso el servidor termina toda la familia: ambos tienen que volver a empezar con la persona.',
  'step.wrong_secret.title': 'Un secreto de cliente incorrecto',
  'step.wrong_secret.text':
    'Un token de renovación no vale nada por sí solo: quien lo robó no es la aplicación. Tampoco termina nada por el intento, como muestra la siguiente solicitud; si no, un ladrón podría cerrar sesiones ajenas.',
  'step.tampered_token.title': 'Un carácter es distinto',
  'step.tampered_token.text':
    'Todo token acaba en una suma de comprobación. El servidor ve que este nunca se emitió, sin preguntar a la base de datos.',
  'step.token_twice.title': 'El token en dos sitios',
  'step.token_twice.text':
    'En la cabecera y en la dirección. Dos sitios pueden contradecirse, y dos programas del camino podrían leer cosas distintas; por eso se rechaza, aunque ambos sean correctos.',
};
