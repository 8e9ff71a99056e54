import type { bound as english } from '../en/bound.ts';

export const bound: Record<keyof typeof english, string> = {
  'mode.label': 'Tipo de flujo',
  'mode.plain': 'Flujo simple',
  'mode.bound': 'Solicitud enviada por adelantado y token vinculado (PAR + DPoP)',
  'mode.text_plain': 'La solicitud está en la URL, y quien tiene el token puede usarlo.',
  'mode.text_bound':
    'La aplicación envía su solicitud directamente al servidor, y el token solo funciona junto con la clave privada de la aplicación.',
  'mode.start_text':
    'Abajo está la solicitud que enviará la aplicación, con todos los parámetros. Su navegador lleva después solo una referencia a ella. Después de su decisión verá todos los mensajes que siguieron.',
  'step.push_request.title': 'La aplicación envía su solicitud por adelantado',
  'step.push_request.text':
    'Se autentica y envía la solicitud directamente al servidor, así que nadie puede leerla ni cambiarla en el navegador. La respuesta es una referencia a la solicitud.',
  'step.authorization_by_reference.title': 'La aplicación le envía al servidor',
  'step.authorization_by_reference.text':
    'La URL contiene la referencia en lugar de la solicitud. El servidor ya ha comprobado la solicitud.',
  'step.introspection_request.title': 'El servidor indica la clave a la que está vinculado el token',
  'step.introspection_request.text':
    'La huella en cnf es la de la clave con la que la aplicación firma sus pruebas. Un servidor que acepta el token compara las dos.',
  'step.nonce_demanded.title': 'El servidor exige un nonce',
  'step.nonce_demanded.text':
    'La cabecera DPoP-Nonce de la respuesta lo contiene. La aplicación repite la solicitud con una prueba nueva.',
  'proof.title': 'La prueba DPoP, descodificada',
  'proof.header': 'Cabecera',
  'proof.claims': 'Contenido',
  'proof.thumbprint': 'huella',
  'proof.thumbprint_text':
    'El resumen SHA-256 de jwk. Debe ser igual a jkt en cnf, que la introspección muestra para el token.',
  'proof.typ': 'El tipo de JWT, para que ningún otro JWT pase por una prueba.',
  'proof.alg': 'El algoritmo de la firma.',
  'proof.jwk': 'La clave pública, que verifica la firma. La clave privada nunca sale de la aplicación.',
  'proof.htm': 'El método de esta solicitud. Con cualquier otro se rechaza la prueba.',
  'proof.htu': 'La dirección de esta solicitud. En cualquier otra se rechaza la prueba.',
  'proof.ath': 'El resumen SHA-256 del token de acceso. Con cualquier otro token se rechaza la prueba.',
  'proof.nonce':
    'Procede de la cabecera DPoP-Nonce de una respuesta anterior, así que la prueba no se creó mucho antes.',
  'proof.iat': 'Cuándo se creó la prueba. El servidor la acepta durante dos minutos.',
  'proof.jti': 'Un nombre aleatorio por el que el servidor reconoce una prueba ya usada.',
  'repeated.code':
    'El código ya se canjeó. Este comando lo canjea otra vez: el servidor lo rechaza y revoca los tokens emitidos con él.',
  'repeated.proof':
    'El servidor rechaza este comando: acepta una prueba una sola vez, dentro de dos minutos. Para repetir la solicitud, la aplicación firma una prueba nueva con su clave privada, que no se muestra.',
  'repeated.request_uri':
    'Usted ya ha respondido a la solicitud enviada por adelantado, así que este comando recibe una página de error. La solicitud se puede enviar de nuevo por adelantado.',
  'parameter.request_uri':
    'Una referencia a la solicitud enviada por adelantado. Solo esta aplicación puede usarla, una vez y durante poco tiempo.',
  'parameter.dpop_jkt': 'La huella de la clave de la aplicación. El código también está vinculado a ella.',
  'parameter.active': 'Si el token es válido en este momento.',
  'parameter.cnf': 'La huella (jkt) de la clave a la que está vinculado el token.',
  'outcome.stolen': 'Aceptada: el ladrón lee su perfil.',
  'tries.theft': 'Robar el token',
  'tries.text_theft':
    'Suponga que un ladrón ha leído una solicitud de la aplicación con su token de acceso, por ejemplo en un registro. Cada botón envía lo que el ladrón puede enviar.',
  'break.stolen_bearer': 'Enviarlo como token Bearer',
  'break.stolen_replayed': 'Enviarlo con una prueba usada',
  'break.stolen_other_key': 'Enviarlo con la prueba de otra clave',
  'step.stolen_accepted.title': 'El ladrón envía el token',
  'step.stolen_accepted.text':
    'Quien tiene un token Bearer puede usarlo: el servidor no puede distinguir al ladrón de la aplicación. Empiece de nuevo con PAR + DPoP e inténtelo otra vez.',
  'step.stolen_bearer.title': 'El ladrón envía el token como token Bearer',
  'step.stolen_bearer.text':
    'Este token está vinculado a una clave. Sin una prueba de la clave, el servidor lo trata como no válido.',
  'step.stolen_replayed.title': 'El ladrón envía la misma solicitud otra vez',
  'step.stolen_replayed.text':
    'El token y la prueba son los de la solicitud anterior. El servidor recuerda cada prueba hasta que caduca y la rechaza la segunda vez.',
  'step.stolen_other_key.title': 'El ladrón crea una prueba con otra clave',
  'step.stolen_other_key.text':
    'La prueba en sí es correcta, pero el token está vinculado a otra clave. El ladrón necesitaría la clave privada, que la aplicación nunca envía.',
};
