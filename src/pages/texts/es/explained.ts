import type { explained as english } from '../en/explained.ts';

export const explained: Record<keyof typeof english, string> = {
  'explain.causes': 'Causas habituales y qué hacer',
  'explain.others': 'Todos los códigos de error',
  'explain.reference':
    'Cada respuesta lleva una referencia (X-Request-Id). Bajo ella está el motivo exacto: para el operador en el registro, para quien desarrolla la aplicación en la consola, en «Rechazos recientes».',
  'explained.invalid_request.meaning':
    'Falta un parámetro, está repetido o mal formado, o dos partes de la solicitud se contradicen.',
  'explained.invalid_request.cause.1': 'La redirect_uri no es exactamente una de las registradas.',
  'explained.invalid_request.fix.1':
    'Compara carácter por carácter: esquema, host, puerto, ruta, barra final, consulta. Registra la que envías.',
  'explained.invalid_request.cause.2':
    'Un parámetro se envió dos veces, en la dirección y en el cuerpo, o se codificó dos veces.',
  'explained.invalid_request.fix.2': 'Envía cada parámetro una vez y deja la codificación a tu biblioteca HTTP.',
  'explained.invalid_request.cause.3': 'Un cliente público no envió code_challenge, o su método no es S256.',
  'explained.invalid_request.fix.3':
    'Usa PKCE: code_challenge = BASE64URL(SHA-256(code_verifier)), code_challenge_method=S256.',
  'explained.invalid_client.meaning': 'El cliente es desconocido o está desactivado, o no demostró quién es.',
  'explained.invalid_client.cause.1': 'El client_secret es incorrecto, se reemplazó o termina con un salto de línea.',
  'explained.invalid_client.fix.1':
    'Lee el secreto donde está guardado y compara su longitud. En caso de duda, añade otro en la consola.',
  'explained.invalid_client.cause.2': 'Con HTTP Basic, client_id y secreto no se codificaron con porcentajes.',
  'explained.invalid_client.fix.2': 'Codifica primero cada mitad, únelas con dos puntos y después Base64.',
  'explained.invalid_client.cause.3': 'El client_id es de otro entorno.',
  'explained.invalid_client.fix.3': 'Comprueba que el emisor de tu configuración es este servidor.',
  'explained.invalid_grant.meaning':
    'El código de autorización o el token de renovación no se puede usar: caducado, ya usado, revocado o emitido para otra cosa. La respuesta nunca dice cuál, para no enseñar nada a un ladrón.',
  'explained.invalid_grant.cause.1':
    'El código se canjeó dos veces, a menudo por una página recargada. Lo que había producido queda revocado.',
  'explained.invalid_grant.fix.1':
    'Canjea el código una vez y redirige después a una dirección limpia. Empieza de nuevo en /authorize.',
  'explained.invalid_grant.cause.2': 'La redirect_uri o el code_verifier no es el de la solicitud de autorización.',
  'explained.invalid_grant.fix.2':
    'Guarda ambos en la sesión entre las dos solicitudes. Cada pestaña necesita los suyos.',
  'explained.invalid_grant.cause.3':
    'El token de renovación fue sustituido: cada uso da uno nuevo, y un segundo uso tardío los termina todos.',
  'explained.invalid_grant.fix.3':
    'Guarda el nuevo token de renovación antes de usar el nuevo token de acceso, y renueva en un solo lugar.',
  'explained.invalid_grant.cause.4': 'La persona revocó el acceso.',
  'explained.invalid_grant.fix.4':
    'Pídelo otra vez enviándola a /authorize. La consola cuenta la historia de tu token.',
  'explained.unauthorized_client.meaning':
    'El cliente es conocido, pero no está registrado para este tipo de concesión.',
  'explained.unauthorized_client.cause.1': 'El grant_type no figura en el registro.',
  'explained.unauthorized_client.fix.1': 'Usa authorization_code, o pide que cambien el registro.',
  'explained.unsupported_grant_type.meaning': 'El punto de tokens no conoce este grant_type.',
  'explained.unsupported_grant_type.cause.1': 'Se usó un tipo que aquí no existe, como password.',
  'explained.unsupported_grant_type.fix.1':
    'Mira grant_types_supported en los metadatos del servidor. Para personas es authorization_code.',
  'explained.unsupported_response_type.meaning': 'El punto de autorización no conoce este response_type.',
  'explained.unsupported_response_type.cause.1': 'Se pidió el flujo implícito: response_type=token.',
  'explained.unsupported_response_type.fix.1':
    'Usa response_type=code con PKCE, también en una aplicación de navegador.',
  'explained.unsupported_token_type.meaning': 'Este tipo de token no se puede revocar aquí.',
  'explained.unsupported_token_type.cause.1': 'Se envió algo que no es un token de acceso ni de renovación.',
  'explained.unsupported_token_type.fix.1': 'Envía uno de los dos. token_type_hint se puede omitir.',
  'explained.invalid_scope.meaning':
    'Un alcance está mal formado, es desconocido o es más de lo que el cliente puede pedir.',
  'explained.invalid_scope.cause.1': 'El alcance no forma parte del registro del cliente.',
  'explained.invalid_scope.fix.1': 'Añádelo en la consola, o pide menos.',
  'explained.invalid_scope.cause.2': 'Al renovar se pidió más de lo concedido.',
  'explained.invalid_scope.fix.2':
    'Al renovar, el alcance solo puede reducirse. Para más, envía a la persona a /authorize.',
  'explained.request_not_supported.meaning':
    'El parámetro request, una solicitud envuelta en un objeto firmado, no se acepta aquí.',
  'explained.request_not_supported.cause.1': 'La biblioteca está configurada para usar objetos de solicitud.',
  'explained.request_not_supported.fix.1': 'Envía los parámetros tal cual, en la consulta de /authorize.',
  'explained.request_uri_not_supported.meaning':
    'El parámetro request_uri apunta a algo que este servidor no va a buscar.',
  'explained.request_uri_not_supported.cause.1': 'Se envió una dirección propia como request_uri.',
  'explained.request_uri_not_supported.fix.1': 'Envía los parámetros mismos, en la consulta de /authorize.',
  'explained.access_denied.meaning': 'La persona rechazó, o la página no es para ella.',
  'explained.access_denied.cause.1': 'Alguien pulsó Rechazar en la página de consentimiento.',
  'explained.access_denied.fix.1': 'Respétalo: di qué no funciona sin el permiso y ofrece preguntar más adelante.',
  'explained.access_denied.cause.2': 'Un formulario vino de otro sitio web, o sin su token.',
  'explained.access_denied.fix.2': 'Abre la página de nuevo y envía el formulario desde allí.',
  'explained.login_required.meaning': 'La solicitud no quería mostrar ninguna página, pero nadie ha iniciado sesión.',
  'explained.login_required.cause.1': 'Se envió prompt=none para alguien cuya sesión ha terminado.',
  'explained.login_required.fix.1': 'Envía la misma solicitud sin prompt=none.',
  'explained.consent_required.meaning':
    'La solicitud no quería mostrar ninguna página, pero la persona aún no lo ha permitido todo.',
  'explained.consent_required.cause.1': 'Se envió prompt=none con un alcance nuevo.',
  'explained.consent_required.fix.1': 'Envía la misma solicitud sin prompt=none.',
  'explained.invalid_token.meaning': 'El token de acceso está mal formado, es desconocido, caducó o fue revocado.',
  'explained.invalid_token.cause.1': 'Ha caducado: expires_in dice al cabo de cuántos segundos.',
  'explained.invalid_token.fix.1':
    'Renueva una vez y repite la solicitud. Si también falla, pide permiso de nuevo a la persona.',
  'explained.invalid_token.cause.2': 'La persona o la aplicación lo revocó.',
  'explained.invalid_token.fix.2': 'Olvida el token y envía a la persona a /authorize cuando vuelva.',
  'explained.invalid_token.cause.3': 'Se cortó, o se le añadió algo: comillas, un espacio, un salto de línea.',
  'explained.invalid_token.fix.3': 'Compara su longitud con la de la respuesta de /token.',
  'explained.insufficient_scope.meaning':
    'El token es válido, pero no llega tan lejos. El alcance necesario figura en WWW-Authenticate.',
  'explained.insufficient_scope.cause.1': 'La persona no marcó el permiso, o lo desactivó después.',
  'explained.insufficient_scope.fix.1':
    'Lee scope en cada respuesta de token y adáptate. Pídelo solo cuando haga falta.',
  'explained.not_found.meaning': 'No hay nada en esta dirección, o no te corresponde verlo.',
  'explained.not_found.cause.1': 'La ruta está mal escrita, o le falta delante la ruta del emisor.',
  'explained.not_found.fix.1': 'Toma todas las direcciones de los metadatos del servidor.',
  'explained.method_not_allowed.meaning':
    'La dirección existe, pero no para este método. Allow enumera los que acepta.',
  'explained.method_not_allowed.cause.1': 'Se usó GET donde hace falta POST, a menudo tras una redirección.',
  'explained.method_not_allowed.fix.1':
    'Envía POST directamente a la dirección de los metadatos, para que ninguna redirección lo convierta en GET.',
  'explained.too_many_requests.meaning':
    'Demasiadas solicitudes en muy poco tiempo. Retry-After dice cuántos segundos esperar.',
  'explained.too_many_requests.cause.1': 'Algo vuelve a intentarlo al instante después de cada fallo.',
  'explained.too_many_requests.fix.1': 'Espera lo que diga Retry-After, y cada vez más.',
  'explained.server_error.meaning': 'Ocurrió algo inesperado en el servidor. La respuesta no dice más a propósito.',
  'explained.server_error.cause.1': 'Un fallo del servidor o de su entorno.',
  'explained.server_error.fix.1': 'Comunica la referencia al operador.',
  'explained.temporarily_unavailable.meaning':
    'El servidor no puede decidir ahora mismo, casi siempre porque falta su base de datos. No se ha perdido nada.',
  'explained.temporarily_unavailable.cause.1': 'Un reinicio o una avería.',
  'explained.temporarily_unavailable.fix.1':
    'Repite la misma solicitud después de Retry-After. Los códigos y tokens siguen siendo válidos.',
};
