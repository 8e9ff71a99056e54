import type { portal as english } from '../en/portal.ts';

export const portal: Record<keyof typeof english, string> = {
  'portal.title': 'Desarrollar con {brand}',
  'portal.about':
    'Los usuarios inician sesión en {brand} y deciden qué puede hacer su aplicación. Mediante OAuth 2.0, esta recibe tokens exactamente para eso, y nunca una contraseña.',
  'portal.contents': 'Contenido',
  'portal.plain': 'Todas las páginas en un solo texto sin formato, para agentes de programación.',
  'portal.tasks': '¿Qué puedo crear?',
  'portal.begin': '¿Cómo empiezo?',
  'portal.begin.register': 'Registre su aplicación: {page}',
  'portal.begin.task': 'Abra la página de su tarea. Sus programas funcionan tal como se muestran.',
  'portal.begin.flow':
    'El programa envía el navegador a {authorize}, canjea el código en {token} y lee el perfil en {user}.',
  'portal.begin.refused':
    'Si se rechaza una solicitud, su error tiene una página con las causas habituales, y el área de desarrolladores indica la razón exacta: {console}',
  'portal.begin.demo': 'El área de pruebas muestra cada mensaje de este flujo: {playground}',
  'portal.not': 'Lo que este servidor no ofrece',
  'portal.not.openid': 'No hay id_token ni scope openid. Lo que puede hacer en su lugar: {page}',
  'portal.not.device':
    'Un dispositivo sin navegador no puede iniciar la sesión de nadie. Deje que lo haga su aplicación en el teléfono o el ordenador.',
  'portal.not.client': 'Un servidor no obtiene un token para sí mismo, solo para una persona que lo ha autorizado.',
  'portal.not.exchange': 'Un token no se puede cambiar por el de otro servicio. Solicite un token para cada recurso.',
  'portal.not.obsolete': 'Ambos están obsoletos. Use un código de autorización con PKCE.',
  'portal.machines': 'Para programas y agentes de programación',
  'portal.questions': 'Preguntas',
  'portal.questions.text': 'Pregunte a los operadores de este servidor: {support}',
  'portal.register': 'Registrar una aplicación',
  'portal.register.about': 'Quién puede hacerlo aquí y qué se registra.',
  'portal.register.console': 'Por una persona',
  'portal.register.open':
    'Cualquier persona con una cuenta registra aplicaciones en el área de desarrolladores: {console}',
  'portal.register.admins':
    'Los administradores de este servidor registran las aplicaciones. Envíeles el nombre, el sitio, los URI de redirección y los scopes de la suya, y también su nombre de usuario, para que figure como propietario.',
  'portal.register.off':
    'Los operadores de este servidor registran las aplicaciones. Envíeles el nombre, el sitio, los URI de redirección y los scopes de la suya, y también su nombre de usuario, para que figure como propietario.',
  'portal.register.form': 'Quien pueda hacerlo encuentra el formulario aquí: {form}',
  'portal.register.redirects':
    'Un URI de redirección se compara carácter por carácter. Empieza por https y está en el sitio de la aplicación; http es solo para el sitio localhost, para hacer pruebas en su equipo. Una aplicación pública puede usar también una dirección de bucle local, cuyo puerto puede variar, o un esquema privado que empiece por el dominio de su sitio en orden inverso: {scheme} para {site}.',
  'portal.register.kinds':
    'Una aplicación en un servidor es confidencial: tiene un secreto. En un navegador, un teléfono o un ordenador es pública: no tiene secreto, y PKCE la protege.',
  'portal.register.methods': 'Una aplicación confidencial prueba su identidad de una de estas formas: {methods}',
  'portal.register.itself': 'Por la propia aplicación',
  'portal.register.itself_open': 'Cualquier aplicación se registra a sí misma en {address} [RFC 7591].',
  'portal.register.itself_token':
    'Una aplicación se registra a sí misma en {address} [RFC 7591] con un token de acceso inicial, que se pide a los operadores de este servidor.',
  'portal.register.unvouched':
    'Ningún administrador ha aprobado una aplicación así: la página de consentimiento nombra primero su host, y los scripts del sitio solo pueden leer las respuestas si un administrador ha aprobado otra aplicación del sitio. Todos los puertos de localhost cuentan como un solo sitio.',
  'portal.register.document': 'Por un documento de metadatos',
  'portal.register.document_text':
    'Una aplicación no necesita registro si su {client_id} es la dirección https de un documento como este, que este servidor obtiene.',
  'portal.program':
    'Para el ID de cliente {client_id}, el URI de redirección {redirect_uri} y el scope {scope}. El área de desarrolladores lo muestra con su registro.',
  'portal.program.api':
    'Con el ID de cliente {client_id}, con el que la API pregunta por los tokens. El área de desarrolladores lo muestra con su registro.',
  'portal.program.secret': 'Lee el secreto de cliente de la variable de entorno {variable}.',
  'portal.program.revoke': 'Lee el secreto de cliente y el token de las variables de entorno {secret} y {token}.',
  'portal.refresh':
    'Un token de actualización se usa una vez, y la respuesta contiene el siguiente: guárdelo antes de continuar. Si se pierde una respuesta, repita la solicitud en un plazo de {grace}.',
  'portal.keep':
    'Con 429 y 503, conserve sus tokens e inténtelo de nuevo después de Retry-After. Con invalid_grant, la persona debe volver a iniciar sesión.',
  'portal.web': 'Aplicación web',
  'portal.web.about': 'Su servidor guarda un secreto e inicia la sesión de los usuarios.',
  'portal.web.session': 'Guarde los tokens en su servidor. El navegador recibe solo la cookie de su propia sesión.',
  'portal.web.state':
    'Envíe con cada solicitud un state y un desafío PKCE nuevos, y compare state e iss en la respuesta.',
  'portal.spa': 'Aplicación de una sola página',
  'portal.spa.about': 'Una página web sin servidor propio.',
  'portal.spa.site':
    'Los scripts solo pueden leer las respuestas en el sitio de una aplicación que un administrador ha aprobado: pídalo. Todos los puertos de localhost cuentan como un solo sitio; lo que allí funciona puede fallar en su propio sitio.',
  'portal.spa.memory':
    'Guarde los tokens en memoria, nunca en localStorage, donde cualquier script del sitio puede leerlos.',
  'portal.native': 'Aplicación nativa y móvil',
  'portal.native.about': 'En un teléfono, un ordenador o una línea de comandos.',
  'portal.native.browser':
    'Abra el navegador del sistema, nunca una vista web propia: nadie debería escribir su contraseña en una aplicación.',
  'portal.native.redirect':
    'Registre {loopback} y escuche en cualquier puerto libre, como hace el primer programa; o, para el sitio {site}, un esquema privado que empiece por ese dominio en orden inverso, como {scheme}; o una dirección https que el sistema abra en su aplicación.',
  'portal.native.public': 'La aplicación es pública: un secreto en su interior lo conocería todo el mundo.',
  'portal.mcp': 'Cliente MCP',
  'portal.mcp.about': 'Un agente que usa las herramientas de un servidor MCP.',
  'portal.mcp.finds':
    'El cliente solo conoce la dirección del servidor MCP, cuyos metadatos nombran este servidor. Con el parámetro {resource} solicita tokens para ese servidor MCP, que no sirven en otra parte.',
  'portal.mcp.unknown':
    'Si ese servidor MCP no está registrado aquí como recurso, la respuesta es {error}, o {scope_error} si el servidor MCP publica scopes que aquí se desconocen. Solo los operadores de este servidor pueden registrarlo: envíeles su dirección, tal como figura en resource en sus metadatos, y sus scopes. Recursos registrados: {page}',
  'portal.mcp.itself': 'Puede registrarse a sí mismo aquí: sin un valor para {member}, el programa lo hace.',
  'portal.mcp.document': 'No necesita registro si publica un documento de metadatos: {page}',
  'portal.mcp.registered': 'Antes hay que registrarlo aquí: {page}',
  'portal.api': 'Su propia API',
  'portal.api.about': 'Acepta los tokens de este servidor.',
  'portal.api.registered':
    'Los operadores de este servidor registran la API como recurso, con sus scopes y el cliente con el que pregunta por los tokens. Cualquier otra aplicación solo se informa de sus propios tokens.',
  'portal.api.introspect':
    'Pregunte a {introspect} por cada token. Acéptelo si active es true, aud es su recurso, scope contiene lo necesario y token_type es Bearer, sin cnf.',
  'portal.api.jwt':
    'Un recurso puede tener tokens firmados [RFC 9068]. Compruébelos con las claves de {jwks}: alg es ES256, typ es at+jwt, iss es {issuer}, aud es su recurso, exp no ha pasado. Son válidos {ttl} como máximo, aunque se revoquen.',
  'portal.api.jwt_library':
    'Para Node, use {node} con {base} (este emisor) y {audience} (su recurso); para Python, {python}, con el que usted mismo compara {type}. Abajo hay un ejemplo del contenido de un token así.',
  'portal.api.refuse':
    'Responda 401 con WWW-Authenticate a un token no válido, 403 si falta un scope, y 503 si no puede preguntar: con un 401, las aplicaciones descartan sus tokens.',
  'portal.api.nginx':
    'nginx solo averigua que el token es válido y de esta aplicación, ni para un recurso ni vinculado a una clave: por los scopes pregunta la propia API.',
  'portal.sign_in': 'Iniciar sesión con {brand}',
  'portal.sign_in.about': 'Las cuentas de su sitio, sin id_token.',
  'portal.sign_in.how':
    'Inicie la sesión de los usuarios como una aplicación web, {page}, y lea {user} con el token de acceso en su servidor.',
  'portal.sign_in.sub':
    'Reconozca a los usuarios solo por {sub}. El nombre, el nombre de usuario y la dirección cambian y pueden pasar a otra persona.',
  'portal.sign_in.proves':
    'Esto demuestra: quien está ante este navegador tiene una cuenta aquí y ha permitido que su aplicación la conozca. Solo lo demuestra un código que usted mismo canjea, con su propio verificador PKCE y state.',
  'portal.sign_in.not':
    'Un token de acceso que un navegador o una aplicación entrega a su servidor no demuestra nada: puede ser de otra aplicación. Tampoco una renovación demuestra que la persona esté presente.',
  'portal.sign_in.time':
    'Con {max_age} en {authorize} se pide un nuevo inicio de sesión. {introspect} indica con auth_time y acr cuándo y cómo se hizo.',
  'portal.messages': 'Solicitudes y respuestas',
  'portal.messages.about': 'Cada mensaje del flujo, para un cliente sin biblioteca.',
  'portal.messages.authorize': 'Solicitud de autorización',
  'portal.messages.authorize_text':
    'El navegador va allí y vuelve al URI de redirección con {answer}, o con {error} si se rechaza la solicitud.',
  'portal.messages.response_type': 'Siempre {code}.',
  'portal.messages.registered':
    'Tal como están registrados. El segundo puede omitirse si solo hay un URI registrado; entonces se omite también en el endpoint de tokens.',
  'portal.messages.requested': 'Separados por espacios. Sin él, se pide todo lo registrado.',
  'portal.messages.state': 'Un valor aleatorio nuevo para cada solicitud, que vuelve sin cambios.',
  'portal.messages.challenge':
    'El resumen SHA-256 de su code_verifier en base64url, y {method}. Una aplicación pública debe enviarlos.',
  'portal.messages.prompt':
    '{none}: no se muestra ninguna página; si hace falta una, el error es uno de {errors}. {login}: volver a iniciar sesión. {consent}: volver a preguntar. {select_account}: elegir la cuenta.',
  'portal.messages.login_hint':
    'El nombre de usuario o la dirección de la persona que espera. Rellena el formulario de inicio de sesión.',
  'portal.messages.ui_locales': 'El idioma de las páginas, por ejemplo {language}.',
  'portal.messages.max_age': 'Cuántos segundos pueden haber pasado desde el inicio de sesión. {now} pide uno nuevo.',
  'portal.messages.acr_values':
    '{one}: basta un factor. {two}: dos factores. Para quien no pueda, el error es {error}.',
  'portal.messages.resource': 'El servicio para el que es el token, si no es este: {page}',
  'portal.messages.response_mode':
    'Con {form}, una página envía la respuesta como formulario. Sin él, va en la consulta de la URL.',
  'portal.messages.token': 'Solicitud de token',
  'portal.messages.authenticate':
    'Una aplicación pública envía {id}. Una confidencial añade {secret}, o envía ambos por HTTP Basic. También se lee JSON.',
  'portal.messages.lines': 'Los saltos de línea en los formularios son solo para facilitar la lectura.',
  'portal.messages.granted':
    '{scope} dice qué se concedió, que puede ser menos de lo pedido. Si fue todo, se escribe como usted lo envió.',
  'portal.messages.once':
    'Si la persona lo permite solo esta vez, no hay {refresh_token}. Si eligió un final, {member} indica los segundos que faltan.',
  'portal.messages.refresh': 'Renovación',
  'portal.messages.reuse':
    'Si un token de actualización antiguo llega más tarde, o después de usarse su sucesor, se revocan todos los tokens del código, y la respuesta es {error}.',
  'portal.messages.narrow':
    'Con {scope} el nuevo token de acceso tiene menos, nunca más de lo concedido. La siguiente renovación puede volver a pedirlo todo.',
  'portal.messages.user': 'Perfil',
  'portal.messages.user_text': '{always} están siempre; los demás campos, con sus scopes: {page}',
  'portal.messages.email':
    '{email} es {null}, y {verified} es false, mientras la dirección no esté confirmada. {name} también puede ser {null}.',
  'portal.messages.introspect': 'Introspección',
  'portal.messages.introspect_text':
    'Si {active} es false, no hay nada más. {aud} aparece en un token para un recurso, {cnf} en uno vinculado a una clave; un token de actualización no tiene {token_type}.',
  'portal.messages.revoke': 'Revocación',
  'portal.messages.revoke_text':
    'Con un token de actualización terminan todos los tokens de su código. Con un token de acceso termina solo este: el de actualización sigue valiendo. Un token desconocido recibe la misma respuesta.',
  'portal.messages.refusal': 'Rechazo',
  'portal.messages.refusal_text':
    'Cada dirección para programas responde así a un error; en /user está también en {header}. Qué hacer en cada caso: {page}',
  'portal.end': 'Revocar y cerrar sesión',
  'portal.end.about': 'Cómo termina el acceso.',
  'portal.end.revoke':
    'Cuando una persona se desconecta, revoque el token de actualización en {revoke}: con él terminan todos los tokens del mismo código.',
  'portal.end.session':
    'Cerrar sesión en su aplicación termina su propia sesión, no la de aquí: no hay cierre de sesión único. Los usuarios la terminan en la página de su cuenta: {account}',
  'portal.end.people':
    'Enlace la página en la que los usuarios ven, cambian y retiran lo que han permitido a su aplicación: {page}',
  'portal.end.leaked':
    'Envíe a {leaked} un token que haya encontrado en público: se revoca, con todos los que le pertenecen.',
  'portal.reference': 'Scopes, direcciones, duraciones',
  'portal.reference.about': 'Lo que tiene este servidor.',
  'portal.scopes': 'Scopes',
  'portal.scopes.text':
    'Pida solo lo necesario. Una aplicación puede pedir los scopes de su registro, y los usuarios pueden rechazar cada uno que no esté registrado como obligatorio. La respuesta con el token dice qué se concedió.',
  'portal.scopes.parent':
    '{group} representa {members} en conjunto. Una solicitud puede nombrarlo, y una respuesta lo nombra en su lugar si se concedieron todos. Acepte, pues, un scope o el grupo del que forma parte.',
  'portal.scopes.fields': 'Campos en /user: {fields}.',
  'portal.scopes.opens': 'Da acceso a {addresses}.',
  'portal.scopes.at': 'Para {resources}.',
  'portal.scopes.elsewhere': 'No da acceso a ninguna dirección de este servidor: es para un recurso.',
  'portal.scopes.strangers':
    'Una aplicación que nadie ha registrado obtiene los que no cambian nada, si no nombra ninguno.',
  'portal.scopes.group': 'Parte de {group}.',
  'portal.scopes.changes': 'Permite cambios.',
  'portal.scopes.factors': 'Exige un inicio de sesión con dos factores.',
  'portal.scopes.recent': 'Exige un inicio de sesión de hace menos de {time}.',
  'portal.resources': 'Recursos',
  'portal.resources.text':
    'Otros servicios que aceptan tokens de este servidor, con sus scopes. Nombre uno como {resource}, y el token será solo para él.',
  'portal.resources.public':
    'Aquí solo figuran los recursos con una dirección https pública; uno con otra dirección, como localhost, también acepta tokens.',
  'portal.resources.jwt': 'Tokens firmados.',
  'portal.endpoints': 'Direcciones',
  'portal.endpoints.text': 'Las bibliotecas las encuentran por los metadatos: {metadata}',
  'portal.endpoints.dpop':
    'Un token se puede vincular a una clave mediante DPoP [RFC 9449]: así no le sirve a un ladrón.',
  'portal.endpoints.nonce': 'Las pruebas necesitan el nonce de la cabecera {header}.',
  'portal.endpoints.github': 'El software escrito para GitHub Enterprise usa {authorize} y {api}.',
  'portal.lifetimes': 'Duraciones',
  'portal.lifetimes.signed': 'Token de acceso firmado',
  'portal.lifetimes.family': 'Todos los tokens de un código, aunque se renueven',
  'portal.lifetimes.grace': 'Una renovación repetida obtiene la misma respuesta',
  'portal.lifetimes.pushed': '{member} de una solicitud enviada por adelantado',
  'portal.errors': 'Límites y errores',
  'portal.errors.about': 'Qué significa un rechazo.',
  'portal.errors.text':
    'Un error tiene error, error_description y error_uri, que lleva a su página. Con {id}, los operadores de este servidor y el área de desarrolladores encuentran la razón.',
  'portal.limits': 'Límites',
  'portal.limits.text': 'Por encima, la respuesta es 429 con {header}. Las credenciales correctas se aceptan siempre.',
  'portal.limits.credentials': 'Secretos, códigos y tokens de actualización erróneos de una red',
  'portal.limits.tokens': 'Tokens de acceso erróneos de una red',
  'portal.limits.proofs':
    'Pruebas, o solicitudes enviadas por adelantado, de una aplicación confidencial que no ha aprobado ningún administrador',
  'portal.limits.registrations': 'Registros desde una red',
  'home.portal': 'Documentación para desarrolladores',
  'home.portal_text': 'Qué puede crear con {brand} y cómo empezar.',
};
