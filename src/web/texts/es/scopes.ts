import type { scopes as english } from '../en/scopes.ts';

export const scopes: Record<keyof typeof english, string> = {
  'admin.part.scopes': 'Scopes',
  'admin.part.resources': 'Recursos',
  'admin.no_scopes': 'No hay ningún scope.',
  'admin.used_by': 'Lo usan: {names}.',
  'admin.not_used': 'Nadie lo usa.',
  'admin.from_seed': 'Procede del seed {seed}.',
  'admin.new_scope': 'Crear un scope',
  'admin.scope_name': 'Nombre',
  'admin.scope_name_hint':
    'Con él lo solicitan las aplicaciones. Una letra minúscula y después minúsculas, cifras y : _ . -. No se puede cambiar más adelante.',
  'admin.sentence': 'Frase',
  'admin.sentence_hint':
    'Lo que leen los usuarios: qué le permite hacer a una aplicación. Los demás idiomas se añaden después.',
  'admin.group': 'Grupo',
  'admin.group_hint': 'Con su nombre, una aplicación puede solicitar todos los scopes de un grupo.',
  'admin.scope_changes': 'Permite hacer cambios, no solo leer (igual que cualquier nombre que termine en :write)',
  'admin.uses': 'Quién lo usa',
  'admin.uses_text': 'Como máximo, cinco aplicaciones, cinco recursos y cinco claims.',
  'admin.use.client': 'Aplicación',
  'admin.use.resource': 'Recurso',
  'admin.use.claim': 'Claim',
  'admin.sentences': 'Lo que leen los usuarios',
  'admin.sentences_text':
    'No le dé nunca un significado más amplio: a quienes ya lo permitieron no se les vuelve a preguntar. Un campo vacío no cambia nada.',
  'admin.sentence_others': 'Todos los idiomas sin frase propia',
  'admin.built_in': 'Pertenece a este servidor, que tiene su frase en todos los idiomas.',
  'admin.group_title': 'El grupo {group}',
  'admin.group_text': 'Cómo llaman las páginas al conjunto de los scopes de este grupo. Un campo vacío no cambia nada.',
  'admin.delete_scope': 'Eliminar el scope',
  'admin.in_use_text': 'Un scope en uso no se elimina: quíteselo antes a todos los que lo usan.',
  'admin.own_scope': 'Este servidor lo usa para los perfiles de las personas: no se puede eliminar.',
  'admin.ask.delete_scope':
    'Las aplicaciones ya no podrán solicitar {name}. Si se crea otro scope con el mismo nombre, se considera permitido por quienes permitieron este.',
  'admin.ask.delete_built_in':
    'Las aplicaciones ya no podrán solicitar {name}. Pertenece a este servidor: ni esta página ni ningún comando pueden volver a crearlo.',
  'admin.resources_text': 'Otros servidores que aceptan tokens de este.',
  'admin.no_resources': 'No hay ningún recurso registrado.',
  'admin.new_resource': 'Registrar un recurso',
  'admin.resource_address': 'URL',
  'admin.resource_hint':
    'Empieza por https:// y no tiene nombre de usuario ni fragmento (#…). Las aplicaciones la indican en resource; los tokens, en aud.',
  'admin.resource_scopes_hint': 'Los que conoce, o sus grupos, separados por espacios.',
  'admin.resource_client': 'ID de cliente de su servidor',
  'admin.resource_client_hint': 'Este cliente puede preguntar en /introspect por los tokens para el recurso.',
  'admin.no_resource_client': 'ninguno',
  'admin.format': 'Tokens de acceso',
  'admin.format.opaque': 'Opacos: su servidor pregunta aquí por cada uno',
  'admin.format.jwt': 'JWT: su servidor comprueba la firma por sí mismo',
  'admin.resource_off': 'Desactivado',
  'admin.resource_disabled': 'Un seed ya no lo nombra. No hay tokens para él, como si no estuviera registrado.',
  'admin.delete_resource': 'Eliminar el recurso',
  'admin.ask.delete_resource':
    'Todos los tokens para {resource} dejan de funcionar y las aplicaciones no reciben otros. Un servidor que comprueba los JWT por sí mismo los acepta hasta que caducan: diez minutos como máximo.',
  'problem.scope_in_use': 'No se ha eliminado nada: el scope está en uso. Quíteselo antes a todos los que lo usan.',
  'problem.changed_since':
    'No se ha eliminado nada: alguien hizo cambios después de que usted abriera la página. Así está ahora.',
  'problem.sentence_malformed':
    'No se ha guardado nada: una frase tiene como máximo 200 caracteres, en una sola línea.',
  'field_problem.malformed_name':
    'Un nombre es una letra minúscula seguida de un máximo de 63 minúsculas, cifras y : _ . -. Se recibió: {value}',
  'field_problem.built_in': 'Este scope pertenece al servidor: {value}',
  'field_problem.is_group':
    'Ya hay un grupo con este nombre, y las solicitudes se refieren con él a todos sus scopes: {value}',
  'field_problem.is_scope': 'Ya hay un scope con este nombre, así que no puede ser un grupo: {value}',
  'field_problem.malformed_sentence': 'Una frase tiene como máximo 200 caracteres, en una sola línea.',
  'field_problem.not_a_resource':
    'Esto no es una URL de la forma https://host/ruta, con el host en minúsculas y sin nombre de usuario ni fragmento: {value}',
  'field_problem.unknown_scope': 'No existe ese scope: {value}',
  'field_problem.unknown_client': 'No existe ninguna aplicación con ese ID de cliente: {value}',
  'field_problem.exists': 'Ya está registrado: {value}',
};
