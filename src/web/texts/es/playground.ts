import type { playground as english } from '../en/playground.ts';

export const playground: Record<keyof typeof english, string> = {
  'playground.title': 'Área de pruebas',
  'playground.text':
    'Una aplicación real, registrada en este servidor. Inicia su sesión, pide permisos y lee su perfil, y usted ve cada solicitud.',
  'playground.demo_user': 'Inicie sesión como {username} con la contraseña {password}.',
  'playground.start': 'Iniciar el flujo',
  'playground.start_text':
    'Abajo está la solicitud que enviará su navegador, con todos los parámetros. Después de su decisión verá todos los mensajes que siguieron.',
  'playground.ask_again': 'Preguntarme de nuevo, aunque ya haya decidido',
  'playground.other_host':
    'Ha abierto esta página en {host}, pero la dirección de este servidor es {domain}. Los navegadores no comparten cookies entre ambas.',
  'playground.open_there': 'Abrir allí el área de pruebas',
  'playground.restart': 'Empezar de nuevo',
  'playground.flow': 'Volver al flujo completo',
  'playground.ended':
    'Los tokens de este flujo ya no son válidos. Empiece de nuevo para probar lo que requiere un token.',
  'playground.permissions': 'Permisos solicitados y concedidos',
  'playground.granted': 'concedido',
  'playground.unticked': 'no concedido',
  'playground.received': 'Lo que recibió la aplicación',
  'playground.received_text': 'Exactamente lo que usted permitió, y nada más.',
  'playground.request': 'Solicitud',
  'playground.response': 'Respuesta',
  'playground.page': 'Mostrar la página que devolvió el servidor',
  'playground.curl': 'Como comando curl',
  'playground.by_browser': 'A través del navegador',
  'playground.by_application': 'Directamente al servidor',
  'step.authorization_request.title': 'La aplicación le envía al servidor',
  'step.authorization_request.text':
    'Su navegador se redirige al servidor, con la solicitud de la aplicación en la URL. Nada en ella es secreto.',
  'step.authorization_response.title': 'Usted decide y vuelve con un código',
  'step.authorization_response.text':
    'El código por sí solo no sirve: se puede canjear una vez, en pocos minutos y solo por esta aplicación.',
  'step.token_request.title': 'La aplicación canjea el código',
  'step.token_request.text':
    'Esta solicitud no pasa por el navegador. El secreto de cliente autentica a la aplicación (se muestra aquí porque esto es una demostración), y el code_verifier demuestra que la misma aplicación inició el flujo.',
  'step.resource_request.title': 'La aplicación lee su perfil',
  'step.resource_request.text':
    'El token de acceso da acceso a lo que usted permitió. La respuesta contiene los campos de esos permisos y ningún otro.',
  'step.refresh_request.title': 'La aplicación renueva el token de acceso',
  'step.refresh_request.text':
    'Cada token de actualización se puede usar una vez; la respuesta contiene el siguiente. Si más tarde se usa uno antiguo, se revocan todos.',
  'step.change_request.title': 'La aplicación actualiza su perfil',
  'step.change_request.text':
    'Envía de vuelta su propio nombre, sin cambios. Si usted no concedió este permiso, la respuesta es 403 e indica el scope que falta.',
  'step.revocation_request.title': 'La aplicación revoca el token',
  'step.revocation_request.text':
    'Una aplicación debería revocar un token que ya no necesita. La respuesta es 200, aunque el token ya no fuera válido.',
  'step.refused_response.title': 'Usted deniega el acceso y vuelve sin código',
  'step.refused_response.text':
    'La aplicación se entera de que se denegó el acceso, y de nada sobre usted. Toda aplicación debe contar con esta respuesta.',
  'parameter.response_type': 'Solicita un código de autorización.',
  'parameter.client_id': 'Identifica a la aplicación. Público, no es un secreto.',
  'parameter.redirect_uri': 'Adónde va la respuesta. Debe estar registrado, carácter por carácter.',
  'parameter.scope': 'Los permisos.',
  'parameter.state':
    'Un valor aleatorio de la aplicación, devuelto sin cambios, con el que reconoce su propia solicitud.',
  'parameter.code_challenge': 'El resumen (hash) del code_verifier, que solo conoce esta aplicación (PKCE).',
  'parameter.code_challenge_method': 'Cómo se calculó el resumen: SHA-256.',
  'parameter.prompt': 'Pregunta al usuario aunque ya haya permitido el acceso.',
  'parameter.code': 'El código de autorización: válido una vez, por poco tiempo.',
  'parameter.iss': 'El servidor que respondió, para que no se puedan confundir dos servidores.',
  'parameter.grant_type': 'Lo que se canjea por tokens.',
  'parameter.client_secret': 'La contraseña de la aplicación.',
  'parameter.code_verifier': 'El secreto mismo. Su resumen debe ser igual al code_challenge.',
  'parameter.access_token': 'Da acceso al recurso.',
  'parameter.token_type': 'Cómo se presenta el token. Quien tiene un token Bearer puede usarlo; DPoP exige una prueba.',
  'parameter.expires_in': 'Segundos hasta que caduca.',
  'parameter.refresh_token': 'Sirve para obtener el siguiente token de acceso.',
  'parameter.refresh_token_expires_in': 'Segundos hasta que caduca el token de actualización.',
  'parameter.authorization_expires_in': 'Segundos hasta que termina el acceso, según eligió el usuario.',
  'parameter.id': 'El número de la cuenta aquí.',
  'parameter.sub': 'Con esto la aplicación reconoce al usuario: no cambia nunca.',
  'parameter.name': 'El nombre del usuario. Puede cambiar.',
  'parameter.email': 'La dirección del usuario, si está confirmada.',
  'parameter.email_verified': 'Si hay una dirección confirmada.',
  'parameter.username': 'El nombre con el que el usuario inicia sesión aquí. Puede cambiar.',
  'parameter.error': 'El código del error.',
  'parameter.error_description': 'El motivo, para desarrolladores.',
  'parameter.error_uri': 'Una página sobre este error.',
  'parameter.token': 'El token del que se trata.',
  'parameter.request_id': 'Identifica este rechazo en el registro del operador.',
  'playground.steps': 'Pasos',
};
