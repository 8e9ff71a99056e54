import type { playground as english } from '../en/playground.ts';

export const playground: Record<keyof typeof english, string> = {
  'playground.title': 'Campo de pruebas',
  'playground.text':
    'Una aplicación de verdad, registrada en este servidor. Inicia tu sesión, pide un permiso y lee tu perfil, y tú puedes leerlo todo.',
  'playground.demo_user': 'Inicia sesión como {username} con la contraseña {password}.',
  'playground.start': 'Empezar el flujo',
  'playground.start_text':
    'Abajo está la solicitud que llevará tu navegador, con todos sus parámetros. Después de tu respuesta verás cada mensaje que siguió.',
  'playground.ask_again': 'Preguntarme otra vez aunque ya haya decidido',
  'playground.other_host':
    'Esta página está abierta con el nombre {host}, pero el servidor se llama {domain}. Una cookie de uno no se envía al otro.',
  'playground.open_there': 'Abrir allí el campo de pruebas',
  'playground.restart': 'Empezar otra vez',
  'playground.flow': 'Volver al flujo completo',
  'playground.ended': 'Los tokens de este flujo han terminado. Empieza otra vez para probar lo que los necesita.',
  'playground.permissions': 'Qué pidió y qué dejaste marcado',
  'playground.granted': 'concedido',
  'playground.unticked': 'no concedido',
  'playground.received': 'Qué ha recibido la aplicación',
  'playground.received_text': 'Exactamente lo que dejaste marcado, y nada más.',
  'playground.request': 'Solicitud',
  'playground.response': 'Respuesta',
  'playground.page': 'Ver la página con la que responde el servidor',
  'playground.curl': 'Como comando',
  'playground.once':
    'El código ya se usó. Este comando lo presenta otra vez: el servidor lo rechaza y termina los tokens que salieron de él.',
  'playground.by_browser': 'A través del navegador',
  'playground.by_application': 'Directamente, de la aplicación al servidor',
  'step.authorization_request.title': 'La aplicación te envía aquí',
  'step.authorization_request.text':
    'Tu navegador se redirige al servidor con el deseo de la aplicación en la dirección. Nada de ello es secreto.',
  'step.authorization_response.title': 'Decides y vuelves con un código',
  'step.authorization_response.text':
    'El código no vale nada por sí solo: sirve una vez, unos minutos, y solo a esta aplicación.',
  'step.token_request.title': 'La aplicación canjea el código',
  'step.token_request.text':
    'Fuera de la vista del navegador. La aplicación se identifica con su secreto, visible aquí porque es solo de la demostración, y el code_verifier demuestra que es la que empezó.',
  'step.resource_request.title': 'Lee tu perfil',
  'step.resource_request.text':
    'El token abre lo que permitiste. La respuesta trae los campos de esos permisos y ningún otro.',
  'step.refresh_request.title': 'Renueva el acceso',
  'step.refresh_request.text':
    'Cada token de renovación sirve una vez; la respuesta trae el siguiente. Si vuelve uno antiguo, terminan todos.',
  'step.change_request.title': 'Cambia tu perfil',
  'step.change_request.text':
    'Tu propio nombre, escrito de nuevo sin cambios. Si no dejaste marcado ese permiso, la respuesta es 403 y nombra el ámbito que falta.',
  'step.revocation_request.title': 'Devuelve el token',
  'step.revocation_request.text':
    'Una aplicación que ya no necesita el acceso lo dice. La respuesta es 200 incluso para un token que ya había terminado.',
  'step.refused_response.title': 'Rechazas y vuelves sin código',
  'step.refused_response.text':
    'La aplicación sabe que se denegó el acceso, y nada sobre ti. Una respuesta normal, con la que tiene que vivir.',
  'parameter.response_type': 'La respuesta debe ser un código.',
  'parameter.client_id': 'Quién pide. Es público, no un secreto.',
  'parameter.redirect_uri': 'Adónde va la respuesta. Debe estar registrada, carácter por carácter.',
  'parameter.scope': 'Qué permisos.',
  'parameter.state': 'Lo inventa la aplicación y vuelve sin cambios: así reconoce su propia solicitud.',
  'parameter.code_challenge': 'El resumen de un secreto que solo esta aplicación conoce (PKCE).',
  'parameter.code_challenge_method': 'Cómo se hizo el resumen: SHA-256.',
  'parameter.prompt': 'Preguntar a la persona aunque ya haya dado permiso.',
  'parameter.code': 'El código de autorización: sirve una vez y poco tiempo.',
  'parameter.iss': 'Qué servidor respondió, para que no se confundan dos.',
  'parameter.grant_type': 'Qué se canjea.',
  'parameter.client_secret': 'La contraseña de la aplicación.',
  'parameter.code_verifier': 'El secreto mismo. Su resumen debe ser igual al code_challenge.',
  'parameter.access_token': 'La llave del recurso.',
  'parameter.token_type': 'Quien lleva el token puede usarlo.',
  'parameter.expires_in': 'Segundos hasta que termina el token de acceso.',
  'parameter.refresh_token': 'Para el próximo token de acceso.',
  'parameter.error': 'El código del rechazo.',
  'parameter.error_description': 'El motivo, para desarrolladores.',
  'parameter.error_uri': 'La página sobre este error.',
  'parameter.token': 'El token que debe terminar.',
  'parameter.request_id': 'Lleva al operador a este rechazo en el registro.',
};
