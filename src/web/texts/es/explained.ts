import type { explained as english } from '../en/explained.ts';

export const explained: Record<keyof typeof english, string> = {
  'explain.causes': 'Causas frecuentes y soluciones',
  'explain.others': 'Todos los códigos de error',
  'explain.reference':
    'Cada respuesta tiene un ID de solicitud (X-Request-Id). Con él se encuentra el motivo exacto: el operador lo encuentra en el registro del servidor; el desarrollador de la aplicación, en el área de desarrolladores, en «Rechazos recientes».',
  'explained.invalid_request.meaning':
    'Falta un parámetro, está repetido o mal formado, o dos partes de la solicitud se contradicen.',
  'explained.invalid_request.cause.1': 'El redirect_uri no es exactamente uno de los URI registrados.',
  'explained.invalid_request.fix.1':
    'Compare carácter por carácter: esquema, host, puerto, ruta, barra final, consulta. Registre exactamente el URI que envía.',
  'explained.invalid_request.cause.2':
    'Un parámetro se envió dos veces (en la URL y en el cuerpo, por ejemplo) o se codificó dos veces.',
  'explained.invalid_request.fix.2': 'Envíe cada parámetro una sola vez y deje que su biblioteca HTTP lo codifique.',
  'explained.invalid_request.cause.3': 'Un cliente público no envió code_challenge, o el método no es S256.',
  'explained.invalid_request.fix.3':
    'Use PKCE: code_challenge = BASE64URL(SHA-256(code_verifier)), code_challenge_method=S256.',
  'explained.invalid_client.meaning': 'El cliente es desconocido o está desactivado, o su autenticación falló.',
  'explained.invalid_client.cause.1':
    'El secreto de cliente es incorrecto, fue sustituido o termina con un salto de línea.',
  'explained.invalid_client.fix.1':
    'Revise el secreto en el lugar donde está guardado y compare su longitud. En caso de duda, añada un segundo secreto en el área de desarrolladores.',
  'explained.invalid_client.cause.2': 'Con HTTP Basic, client_id y client_secret no se codificaron (percent-encoding).',
  'explained.invalid_client.fix.2':
    'Codifique cada valor por separado (percent-encoding), únalos con dos puntos y codifique el resultado en Base64.',
  'explained.invalid_client.cause.3': 'El client_id pertenece a otro entorno.',
  'explained.invalid_client.fix.3': 'Compruebe que el emisor (issuer) de su configuración sea este servidor.',
  'explained.invalid_client.cause.4':
    'El client_id es la URL de un documento de metadatos que no se puede obtener o utilizar.',
  'explained.invalid_client.fix.4':
    'La página de error indica el motivo. Corrija el documento, espere un minuto e inténtelo de nuevo.',
  'explained.invalid_grant.meaning':
    'El código de autorización o el token de actualización ha caducado, ya se usó o se revocó, o no corresponde a la solicitud. La respuesta no dice cuál de estos casos se da, para que un atacante no averigüe nada.',
  'explained.invalid_grant.cause.1':
    'El código se canjeó dos veces, a menudo porque se recargó una página. En ese caso se revocan los tokens emitidos con él.',
  'explained.invalid_grant.fix.1':
    'Canjee el código una sola vez y redirija después a una URL que no lo contenga. Empiece de nuevo en /authorize.',
  'explained.invalid_grant.cause.2': 'El redirect_uri o el code_verifier no coincide con la solicitud de autorización.',
  'explained.invalid_grant.fix.2':
    'Guarde ambos en la sesión entre las dos solicitudes, por separado para cada pestaña del navegador.',
  'explained.invalid_grant.cause.3':
    'El token de actualización fue sustituido: cada uso devuelve uno nuevo, y usar más tarde uno antiguo los revoca todos.',
  'explained.invalid_grant.fix.3':
    'Guarde el nuevo token de actualización antes de usar el nuevo token de acceso, y renueve en un solo lugar.',
  'explained.invalid_grant.cause.4': 'El usuario revocó el acceso.',
  'explained.invalid_grant.fix.4':
    'Envíe de nuevo al usuario a /authorize. El área de desarrolladores muestra qué ocurrió con un token.',
  'explained.invalid_dpop_proof.meaning':
    'La cabecera DPoP no demuestra la posesión de una clave para esta solicitud. La descripción indica el error.',
  'explained.invalid_dpop_proof.cause.1':
    'htm o htu no corresponde al método y a la dirección de la solicitud, a menudo detrás de un proxy.',
  'explained.invalid_dpop_proof.fix.1':
    'Escriba la dirección como figura en los metadatos del servidor, sin parámetros.',
  'explained.invalid_dpop_proof.cause.2': 'Una prueba se envió dos veces, o el reloj de la aplicación no está en hora.',
  'explained.invalid_dpop_proof.fix.2':
    'Cree para cada solicitud, también si la repite, una prueba nueva con un jti nuevo, y sincronice el reloj.',
  'explained.invalid_dpop_proof.cause.3': 'A la prueba para /user le falta ath.',
  'explained.invalid_dpop_proof.fix.3': 'Añada el resumen SHA-256 del token de acceso, en base64url.',
  'explained.use_dpop_nonce.meaning':
    'Este servidor solo acepta pruebas DPoP con un nonce que haya entregado en los últimos minutos.',
  'explained.use_dpop_nonce.cause.1': 'La prueba no contiene ningún nonce, o uno antiguo.',
  'explained.use_dpop_nonce.fix.1':
    'Repita la solicitud con una prueba nueva que contenga el valor de la cabecera DPoP-Nonce. Cada respuesta a una prueba incluye el valor para la siguiente.',
  'explained.unauthorized_client.meaning':
    'El cliente es conocido, pero no está registrado para este tipo de concesión (grant type).',
  'explained.unauthorized_client.cause.1': 'El grant_type no forma parte del registro.',
  'explained.unauthorized_client.fix.1': 'Use authorization_code o solicite que se cambie el registro.',
  'explained.unsupported_grant_type.meaning': 'El endpoint de tokens no admite este grant_type.',
  'explained.unsupported_grant_type.cause.1':
    'La solicitud usa un grant_type que este servidor no ofrece, como password.',
  'explained.unsupported_grant_type.fix.1':
    'Elija un valor de grant_types_supported en los metadatos del servidor. Para usuarios es authorization_code.',
  'explained.unsupported_response_type.meaning': 'El endpoint de autorización no admite este response_type.',
  'explained.unsupported_response_type.cause.1': 'La solicitud usa el flujo implícito (response_type=token).',
  'explained.unsupported_response_type.fix.1': 'Use response_type=code con PKCE, también en aplicaciones de navegador.',
  'explained.unsupported_token_type.meaning': 'Este tipo de token no se puede revocar aquí.',
  'explained.unsupported_token_type.cause.1':
    'La solicitud no contiene ni un token de acceso ni un token de actualización.',
  'explained.unsupported_token_type.fix.1':
    'Envíe un token de acceso o un token de actualización. token_type_hint es opcional.',
  'explained.invalid_scope.meaning':
    'Un scope está mal formado, es desconocido o no figura en el registro del cliente.',
  'explained.invalid_scope.cause.1': 'El cliente no está registrado para el scope.',
  'explained.invalid_scope.fix.1': 'Añada el scope en el área de desarrolladores o solicite menos.',
  'explained.invalid_scope.cause.2': 'Una renovación solicitó más de lo que se había concedido.',
  'explained.invalid_scope.fix.2':
    'Una renovación solo puede reducir el scope. Para ampliarlo, envíe al usuario a /authorize.',
  'explained.invalid_target.meaning':
    'Un recurso está mal formado o es desconocido, o el cliente no puede obtener un token para él.',
  'explained.invalid_target.cause.1':
    'El recurso no está registrado aquí: por ejemplo, un servidor MCP cuyos metadatos nombran este servidor.',
  'explained.invalid_target.fix.1':
    'Solo los operadores de este servidor pueden registrarlo. Envíeles su dirección, tal como figura en resource en los metadatos del recurso, y sus scopes.',
  'explained.invalid_target.cause.2': 'El recurso no está escrito como está registrado.',
  'explained.invalid_target.fix.2': 'Compare carácter por carácter, incluida la barra final.',
  'explained.invalid_target.cause.3': 'El cliente no está registrado para ninguno de los scopes que el recurso conoce.',
  'explained.invalid_target.fix.3': 'Añada uno de estos scopes al registro del cliente.',
  'explained.invalid_target.cause.4':
    'La solicitud de token nombra un recurso que no estaba en la solicitud de autorización, o ninguno de varios.',
  'explained.invalid_target.fix.4': 'Envíe todos los recursos a /authorize y después uno de ellos a /token.',
  'explained.invalid_redirect_uri.meaning': 'Un URI de redirección de un registro no se puede aceptar.',
  'explained.invalid_redirect_uri.cause.1':
    'No es https, ni una dirección de bucle local, ni un esquema privado como com.example.app:/callback, o contiene un fragmento o un comodín.',
  'explained.invalid_redirect_uri.fix.1':
    'La descripción indica la regla. Registre exactamente el URI al que vuelve el navegador.',
  'explained.invalid_redirect_uri.cause.2':
    'Los URI pertenecen a hosts distintos, o a un host que este servidor no acepta.',
  'explained.invalid_redirect_uri.fix.2':
    'Use un solo host y sus subdominios; registre una segunda aplicación para otro.',
  'explained.invalid_client_metadata.meaning':
    'Un elemento del registro, distinto de los URI de redirección, no se puede aceptar.',
  'explained.invalid_client_metadata.cause.1':
    'Su tipo no es el que indica RFC 7591, o este servidor no admite su valor.',
  'explained.invalid_client_metadata.fix.1':
    'La descripción indica el elemento. Compare su valor con los metadatos del servidor.',
  'explained.invalid_client_metadata.cause.2':
    'Un cambio daría a la aplicación más que su registro: otro scope, o ningún secreto.',
  'explained.invalid_client_metadata.fix.2': 'Registre otra aplicación en su lugar.',
  'explained.request_not_supported.meaning':
    'Este servidor no admite el parámetro request en esta dirección: solo puede llevar un objeto de solicitud firmado a /par.',
  'explained.request_not_supported.cause.1': 'La biblioteca está configurada para usar objetos de solicitud.',
  'explained.request_not_supported.fix.1':
    'Envíe los parámetros directamente, en la URL de /authorize, o envíe el objeto de solicitud a /par.',
  'explained.invalid_request_uri.meaning':
    'La aplicación envió su solicitud por adelantado; el request_uri que se refiere a ella es desconocido, ha caducado o ya recibió respuesta.',
  'explained.invalid_request_uri.cause.1': 'La solicitud se abrió más de un minuto después de crearse.',
  'explained.invalid_request_uri.fix.1': 'Empiece de nuevo desde la aplicación.',
  'explained.invalid_request_uri.cause.2': 'El request_uri es una URL propia del cliente.',
  'explained.invalid_request_uri.fix.2': 'Envíe la solicitud a /par y use el request_uri de la respuesta.',
  'explained.invalid_request_object.meaning':
    'La aplicación firmó su solicitud, pero la firma o una declaración de ese JWT no es como debe ser.',
  'explained.invalid_request_object.cause.1':
    'La aplicación registró otras claves que aquella con la que firmó, o ninguna.',
  'explained.invalid_request_object.fix.1':
    'Registre la clave pública, con el kid de la cabecera, como jwks o en el jwks_uri.',
  'explained.invalid_request_object.cause.2':
    'Falta una declaración o es incorrecta, o la solicitud ya se envió con el mismo jti.',
  'explained.invalid_request_object.fix.2':
    'Ponga el client_id en iss y client_id, el emisor en aud, la hora actual en nbf, como máximo una hora más en exp y un valor nuevo en jti.',
  'explained.access_denied.meaning': 'El usuario denegó el acceso o no puede abrir la página.',
  'explained.access_denied.cause.1': 'El usuario pulsó «Denegar» en la página de consentimiento.',
  'explained.access_denied.fix.1':
    'Respete la decisión: explique qué no funciona sin el permiso y ofrezca preguntar de nuevo más adelante.',
  'explained.access_denied.cause.2': 'Un formulario se envió desde otro sitio web o sin su token CSRF.',
  'explained.access_denied.fix.2': 'Abra de nuevo la página y envíe el formulario desde ella.',
  'explained.access_denied.cause.3':
    'Una aplicación quiso cambiar un nombre o una dirección que procede del lugar donde la persona inicia sesión.',
  'explained.access_denied.fix.3':
    'Remita a la persona al lugar donde inicia sesión: lo que cambie allí llegará también aquí.',
  'explained.login_required.meaning':
    'La solicitud prohíbe mostrar una página, pero ningún usuario ha iniciado sesión.',
  'explained.login_required.cause.1': 'Se envió prompt=none cuando la sesión del usuario ya había terminado.',
  'explained.login_required.fix.1': 'Envíe la misma solicitud sin prompt=none.',
  'explained.consent_required.meaning':
    'La solicitud prohíbe mostrar una página, pero el usuario todavía no lo ha permitido todo.',
  'explained.consent_required.cause.1': 'Se envió prompt=none con un scope sobre el que el usuario no ha decidido.',
  'explained.consent_required.fix.1': 'Envíe la misma solicitud sin prompt=none.',
  'explained.invalid_token.meaning': 'El token de acceso está mal formado, es desconocido, ha caducado o se revocó.',
  'explained.invalid_token.cause.1': 'Ha caducado: expires_in es su duración en segundos.',
  'explained.invalid_token.fix.1':
    'Renuévelo una vez y repita la solicitud. Si la renovación también falla, envíe al usuario a /authorize.',
  'explained.invalid_token.cause.2': 'El usuario o la aplicación lo revocó.',
  'explained.invalid_token.fix.2': 'Elimine el token y envíe al usuario a /authorize en su próxima visita.',
  'explained.invalid_token.cause.3': 'Se cortó, o se le añadieron caracteres: comillas, un espacio, un salto de línea.',
  'explained.invalid_token.fix.3': 'Compare su longitud con la del token en la respuesta de /token.',
  'explained.insufficient_scope.meaning':
    'El token es válido, pero le falta el scope que necesita esta solicitud. WWW-Authenticate lo indica.',
  'explained.insufficient_scope.cause.1': 'El usuario no concedió el permiso o lo retiró más tarde.',
  'explained.insufficient_scope.fix.1':
    'Lea scope en cada respuesta de token y adáptese a él. Solicite el permiso solo cuando lo necesite.',
  'explained.insufficient_scope.cause.2':
    'El scope está, pero email es null: nadie ha confirmado que la dirección sea del usuario.',
  'explained.insufficient_scope.fix.2':
    'Identifique a las personas por sub, nunca por la dirección o el nombre. Si necesita una dirección, pídala y verifíquela.',
  'explained.not_found.meaning': 'No existe nada en esta dirección, o usted no puede verlo.',
  'explained.not_found.cause.1': 'La ruta está mal escrita o le falta la ruta del emisor (issuer).',
  'explained.not_found.fix.1': 'Tome todas las direcciones de los metadatos del servidor.',
  'explained.method_not_allowed.meaning':
    'La dirección no admite este método. La cabecera Allow indica los que admite.',
  'explained.method_not_allowed.cause.1': 'Se envió GET en lugar de POST, a menudo tras una redirección.',
  'explained.method_not_allowed.fix.1':
    'Envíe POST directamente a la dirección de los metadatos, para que ninguna redirección lo convierta en GET.',
  'explained.too_many_requests.meaning':
    'Se enviaron demasiadas solicitudes en poco tiempo. Retry-After indica cuántos segundos hay que esperar.',
  'explained.too_many_requests.cause.1': 'El cliente reintenta inmediatamente después de cada fallo.',
  'explained.too_many_requests.fix.1': 'Espere el tiempo que indica Retry-After, y más tras cada nuevo fallo.',
  'explained.server_error.meaning':
    'Se produjo un error inesperado en el servidor. La respuesta no contiene detalles a propósito.',
  'explained.server_error.cause.1': 'Un fallo del servidor o de su entorno.',
  'explained.server_error.fix.1': 'Comunique el ID de solicitud al operador.',
  'explained.temporarily_unavailable.meaning':
    'El servidor no puede responder en este momento, normalmente porque su base de datos no está disponible.',
  'explained.temporarily_unavailable.cause.1': 'Un reinicio, una interrupción o demasiada carga.',
  'explained.temporarily_unavailable.fix.1':
    'Repita la misma solicitud pasado el tiempo de Retry-After. Los códigos y los tokens siguen siendo válidos.',
};
