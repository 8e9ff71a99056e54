import type { developer as english } from '../en/developer.ts';

export const developer: Record<keyof typeof english, string> = {
  'developer.title': 'Sus aplicaciones',
  'developer.none': 'Todavía no ha registrado ninguna aplicación.',
  'developer.new': 'Registrar una aplicación',
  'developer.confidential': 'Confidencial',
  'developer.public': 'Pública',
  'developer.disabled': 'Desactivada',
  'developer.refusals': 'Rechazos recientes',
  'developer.refusals_text':
    'Solicitudes rechazadas en los últimos siete días, con el motivo exacto, que la respuesta no contiene. Una nota («note») indica lo que se ignoró en una solicitud.',
  'developer.refusals_times': 'al menos {count} veces en esta hora',
  'developer.no_refusals': 'Ninguno.',
  'developer.refusals_reference': 'ID de solicitud (X-Request-Id)',
  'developer.refusals_find': 'Buscar',
  'developer.refusal_not_found':
    'No se conserva ningún rechazo con este ID de solicitud. De cada aplicación se conservan por minuto como máximo 20 de una misma red y 40 en total, o menos si hay muchas aplicaciones afectadas; de ellos, los 300 más recientes durante siete días. El log del servidor los contiene todos.',

  'register.title': 'Registrar una aplicación',
  'register.name': 'Nombre',
  'register.name_hint': 'Los usuarios lo ven cuando se les pide permiso.',
  'register.domain': 'Dominio del sitio',
  'register.domain_hint':
    'Los usuarios también lo ven. Todos los URI de redirección deben estar en este host o en un subdominio.',
  'register.homepage': 'Página principal',
  'register.logo': 'Logotipo',
  'register.logo_hint': 'La URL https de una imagen cuadrada del sitio.',
  'register.redirects': 'URI de redirección',
  'register.redirects_hint':
    'Uno por línea, comparados carácter por carácter. Sin comodines ni fragmento. Empiezan por https; http es solo para el sitio localhost, para hacer pruebas en su equipo. En una aplicación pública, también un esquema privado, como com.example.app:/callback para el sitio example.com, y http en localhost.',
  'register.kind': 'Tipo',
  'register.is_confidential': 'Confidencial: se ejecuta en un servidor y puede guardar un secreto de cliente.',
  'register.is_public':
    'Pública: se ejecuta en un navegador, en un teléfono o en un ordenador. No tiene secreto de cliente y usa PKCE.',
  'register.optional_field': 'opcional',
  'register.presets': 'Partir de',
  'register.preset.web':
    'Se ejecuta en un servidor suyo: tiene un secreto de cliente, usa PKCE, recibe la respuesta por https y mantiene la sesión con tokens de actualización.',
  'register.preset.spa':
    'Se ejecuta en el navegador: no tiene secreto, está protegida por PKCE, recibe la respuesta por https y obtiene un token de actualización nuevo con cada uso.',
  'register.preset.native':
    'Se ejecuta en un teléfono o un ordenador: no tiene secreto, está protegida por PKCE y recibe la respuesta en su dominio en orden inverso o en este dispositivo.',
  'register.preset.api':
    'Comprueba los tokens que otros le envían preguntando a este servidor con su secreto de cliente. No inicia la sesión de nadie, pero necesita igualmente un URI de redirección. Los operadores de este servidor añaden su recurso y sus scopes.',
  'register.preset.mcp':
    'Se ejecuta junto a su usuario: no tiene secreto, está protegido por PKCE y recibe la respuesta en cualquier puerto de este dispositivo.',
  'register.tokens': 'Cuando caduca el token de acceso',
  'register.refreshes': 'Con tokens de actualización: mantiene la sesión hasta que el usuario la termine.',
  'register.refreshes_not': 'Sin tokens de actualización: vuelve a enviar al usuario aquí.',
  'register.example': 'Por ejemplo: {uris}',
  'register.permissions': 'Permisos',
  'register.permissions_text':
    'Solicite solo lo que necesite. Los usuarios pueden denegar cada permiso opcional por separado.',
  'register.no': 'No solicitado',
  'register.optional': 'Opcional',
  'register.required': 'Obligatorio',
  'register.reason': 'Motivo',
  'register.reason_hint': 'Una frase: para qué lo necesita la aplicación o qué no funciona sin él.',
  'register.submit': 'Registrar',
  'register.save': 'Guardar cambios',

  'field_problem.missing': 'Este campo es obligatorio.',
  'field_problem.none_chosen': 'Elija al menos uno.',
  'field_problem.too_long': 'Es demasiado largo.',
  'field_problem.too_many': 'Hay demasiadas entradas. El límite es de 50.',
  'field_problem.not_a_domain': 'Esto no es un nombre de dominio. Ejemplo: printer.example.',
  'field_problem.host_too_long': 'Un nombre de host tiene como máximo 253 caracteres, y 63 entre dos puntos.',
  'field_problem.public_suffix':
    'Cualquiera puede tener un nombre bajo este dominio. Indique su propio nombre bajo él.',
  'field_problem.not_https': 'La URL debe empezar por https://: {value}',
  'field_problem.not_https_redirect':
    'El URI debe empezar por https://. Una aplicación confidencial puede usar http solo si su sitio es localhost, para hacer pruebas en su equipo: {value}',
  'field_problem.outside_domain': 'El URI está fuera del dominio del sitio: {value}',
  'field_problem.not_reversed_domain':
    'El esquema debe empezar por el dominio del sitio en orden inverso, por ejemplo com.example para example.com: {value}',
  'field_problem.has_fragment': 'No se permite un fragmento (#…): {value}',
  'field_problem.has_wildcard': 'No se permiten comodines: {value}',
  'field_problem.not_a_uri':
    'Esto no tiene la forma https://host/path ni la de un esquema privado, que lleva un punto porque es su dominio en orden inverso, como com.example.app:/callback: {value}',
  'field_problem.refused': 'Este valor no se aceptó: {value}',

  'developer.connect': 'Conectarla: endpoints y programas listos para usar',
  'connect.title': 'Conectar su aplicación',
  'connect.next': 'Próximos pasos',
  'connect.try': 'Probar',
  'connect.try_text': 'Verá lo que verán sus usuarios. Nadie puede canjear el código que recibe su aplicación.',
  'connect.programs': 'Programas listos para usar',
  'connect.secret':
    'Ponga el secreto de cliente en la variable de entorno CLIENT_SECRET. Todo lo demás ya está rellenado.',
  'connect.complete': 'Todo está rellenado.',
  'connect.placeholder':
    'Un valor no se puede escribir de forma segura en este lenguaje. Sustituya {placeholder} usted mismo.',
  'connect.needs_secret': 'Para esto hace falta un secreto de cliente, que una aplicación pública no tiene.',
  'connect.needs_public':
    'Este programa se ejecuta en el navegador, donde ningún secreto lo es. Registre para él una aplicación pública.',
  'connect.demands_more':
    'El registro de esta aplicación exige más de lo que hace este programa, por ejemplo una clave o una solicitud enviada por adelantado.',
  'connect.unregistered': '{library} necesita otro URI de redirección. Registre primero este:',

  'developer.settings': 'Registro',
  'developer.client_id': 'ID de cliente',
  'developer.deep_link': 'Enlace para sus usuarios',
  'developer.deep_link_text':
    'En esta página, los usuarios ven y cambian los permisos que concedieron a su aplicación. Enlácela desde su sitio.',
  'developer.secrets': 'Secretos de cliente',
  'developer.secrets_text':
    'Puede haber dos válidos a la vez: añada uno nuevo, cambie sus servidores a él y elimine después el antiguo.',
  'developer.secret_created': 'Creado el {date}',
  'developer.secret_unused': 'nunca usado',
  'developer.secret_use_unseen': 'Ningún uso registrado',
  'developer.deleting': '¿Eliminar el secreto {secret}?',
  'developer.deleting_text':
    'Este secreto está en uso: una aplicación se autenticó con él el {when}. En cuanto se elimine, todo programa que aún lo envíe será rechazado y nadie podrá iniciar sesión allí.',
  'developer.deleting_first':
    'Cambie primero todos sus servidores al otro secreto; cuando este ya no muestre usos nuevos, puede eliminarlo.',
  'developer.delete_anyway': 'Eliminar de todos modos',
  'developer.keys': 'Claves públicas',
  'developer.keys_text': 'Esta aplicación demuestra que posee una clave en lugar de un secreto.',
  'developer.add_secret': 'Añadir un secreto de cliente',
  'developer.delete_secret': 'Eliminar',
  'developer.vouching': 'Confianza',
  'developer.origin_seed': 'Procede del seed {seed}. La próxima ejecución restablecerá sus valores.',
  'developer.origin_drift': 'Cambiado desde la última ejecución: {members}.',
  'developer.origin_console': 'Registrada en el área de desarrolladores.',
  'developer.origin_command': 'Registrada mediante un comando.',
  'developer.origin_application': 'Se registró a sí misma.',
  'developer.origin_document': 'Procede del documento de metadatos que publica.',
  'developer.unvouched': 'Sin aprobar',
  'developer.vouched_text':
    'Un administrador ha aprobado esta aplicación: si se produce un error, los usuarios se redirigen directamente a ella.',
  'developer.unvouched_text':
    'Ningún administrador ha aprobado todavía esta aplicación. Si se produce un error, los usuarios ven una página de este servidor antes de ser redirigidos; la página de consentimiento muestra el host del URI de redirección y cita el nombre; los scripts del sitio solo pueden leer las respuestas de este servidor si un administrador ha aprobado otra aplicación del sitio. Todos los puertos de localhost cuentan como un solo sitio.',
  'developer.vouch': 'Aprobar esta aplicación',
  'developer.unvouch': 'Retirar la aprobación',
  'developer.danger': 'Desactivar o eliminar',
  'developer.disable': 'Desactivar',
  'developer.disable_text':
    'Todos los tokens de la aplicación dejan de ser válidos de inmediato. Podrá activarla de nuevo.',
  'developer.enable': 'Activar',
  'developer.enable_text': 'Cuando la active, los usuarios podrán volver a usarla sin tener que autorizarla de nuevo.',
  'developer.blocked_text':
    'Un administrador ha desactivado esta aplicación, así que solo un administrador puede activarla de nuevo.',
  'developer.block': 'Bloquear',
  'developer.block_text':
    'El propietario ha desactivado esta aplicación y puede activarla de nuevo. Si la bloquea, solo un administrador podrá activarla.',
  'developer.delete': 'Eliminar definitivamente',
  'developer.delete_text':
    'Elimina la aplicación y todos los permisos que los usuarios le concedieron. Esta acción no se puede deshacer.',
  'developer.confirm': 'Para confirmar, escriba el nombre de la aplicación: {name}',
  'secret.title': 'Su nuevo secreto de cliente',
  'secret.text':
    'Se muestra una sola vez: este servidor solo guarda un resumen criptográfico (hash). Cópielo en el lugar donde su servidor guarda sus secretos.',
  'secret.done': 'Ya lo he guardado',
  'notice.application_registered': 'Aplicación registrada.',
  'notice.application_saved': 'Cambios guardados. Ya están en vigor.',
  'notice.application_disabled': 'Aplicación desactivada. Sus tokens ya no son válidos.',
  'notice.application_enabled': 'Aplicación activada.',
  'notice.application_vouched': 'Ha aprobado la aplicación.',
  'notice.application_unvouched': 'Ha retirado la aprobación de la aplicación.',
  'notice.secret_deleted': 'Secreto de cliente eliminado.',
  'notice.application_deleted': 'Aplicación eliminada.',
  'problem.two_secrets': 'La aplicación ya tiene dos secretos de cliente. Elimine uno primero.',
  'problem.wrong_name': 'Ese no es el nombre de la aplicación, así que no se eliminó nada.',

  'token_history.title': '¿Por qué dejó de ser válido este código o token?',
  'token_history.text':
    'Pegue un código de autorización, un token de acceso o un token de actualización de esta aplicación para ver su historial.',
  'token_history.token': 'Código o token',
  'token_history.submit': 'Mostrar historial',
  'token_history.unknown':
    'Esta aplicación no tiene ese código o token. Es posible que pertenezca a otra aplicación o que sea anterior a los registros.',
  'token_history.malformed':
    'Esto no es un código ni un token de este servidor: su formato o su suma de comprobación es incorrecta. Es posible que se cortara al copiarlo.',
  'token_history.client_secret':
    'Esto es un secreto de cliente, no un código ni un token. Si alguien más lo ha visto, sustitúyalo en el área de desarrolladores, en su aplicación.',
  'token_history.authorization_code': 'Código de autorización',
  'token_history.access_token': 'Token de acceso',
  'token_history.refresh_token': 'Token de actualización',
  'token_history.alive': 'Es válido.',
  'token_history.ends': 'Caduca el {date}.',
  'token_history.dead': 'Ya no es válido.',
  'event.issued': 'Emitido',
  'event.code_redeemed': 'Código de autorización canjeado',
  'event.refreshed': 'Renovado',
  'event.replaced': 'Sustituido por un nuevo token de actualización',
  'event.reused':
    'Usado de nuevo cuando su sustituto ya estaba en uso, quizá por otra persona: se revocaron todos los tokens relacionados',
  'event.family_reused':
    'Un token de actualización del mismo código se usó de nuevo cuando su sustituto ya estaba en uso, quizá por otra persona: se revocaron todos los tokens relacionados',
  'event.code_replayed':
    'Código de autorización canjeado por segunda vez: se revocaron todos los tokens emitidos con él',
  'event.verifier_wrong':
    'Canjeado con un code_verifier incorrecto: se revocó el código para que nadie pueda probar dos veces',
  'event.leaked': 'Notificado como filtrado: se revocaron todos los tokens relacionados',
  'event.revoked': 'Revocado, con todos los tokens de la misma autorización',
  'event.revoked_by_user': 'Revocado por el usuario',
  'event.revoked_by_operator': 'Revocado por el operador de este servidor',
  'event.revoked_by_client': 'Revocado por la aplicación',
  'event.client_disabled': 'Aplicación desactivada',
  'event.user_disabled': 'Usuario desactivado',
  'event.permission_removed': 'El usuario retiró un permiso',
  'event.scope_unregistered': 'Se eliminó un permiso del registro de la aplicación',
  'event.expired': 'Caducado',
  'event.alive': 'Sigue vigente',
  'console.parts': 'Secciones de la aplicación',
  'console.overview': 'Resumen',
  'console.credentials': 'Credenciales',
  'console.registration': 'Registro',
  'console.connect': 'Conectar',
  'console.security': 'Seguridad',
  'console.activity': 'Actividad',
  'console.redirects_none': 'Ninguno: añada uno o nadie podrá volver.',
  'console.delete_secret_warning': 'Un programa que aún use un secreto eliminado se rechaza al instante.',
};
