import type { account as english } from '../en/account.ts';

export const account: Record<keyof typeof english, string> = {
  'account.title': 'Su cuenta',
  'account.profile': 'Perfil',
  'account.name': 'Nombre',
  'account.email': 'Correo electrónico',
  'account.email_pending':
    'Esta dirección aún no está confirmada. Hasta entonces, la suya sigue siendo {email}, y es la que reciben las aplicaciones.',
  'account.email_unconfirmed': 'Esta dirección no está confirmada, por lo que no se comunica a las aplicaciones.',
  'account.username': 'Nombre de usuario',
  'account.save': 'Guardar',
  'account.password': 'Cambiar la contraseña',
  'account.password_text': 'Al cambiar la contraseña se cierran todas sus demás sesiones.',
  'account.old_password': 'Contraseña actual',
  'account.current_password_hint':
    'Solo hace falta para una nueva dirección de correo electrónico, que entonces no se comunica a las aplicaciones.',
  'account.new_password': 'Contraseña nueva',
  'account.new_password_hint':
    'Al menos 8 caracteres. Varias palabras seguidas se recuerdan mejor que los caracteres especiales.',
  'account.repeat_password': 'Repetir la contraseña nueva',
  'account.applications_keep': 'Las aplicaciones conservan su acceso cuando usted cambia la contraseña.',
  'account.end_access': 'Revocar también el acceso de todas las aplicaciones',
  'account.change_password': 'Cambiar la contraseña',
  'account.sessions': 'Dónde ha iniciado sesión',
  'account.this_session': 'Esta sesión',
  'account.session_since': 'Iniciada el {date}',
  'account.session_used': 'Último uso: {ago}',
  'account.end_session': 'Cerrar sesión',
  'account.end_others': 'Cerrar todas las demás sesiones',
  'account.activity': 'Actividad reciente',
  'account.no_activity': 'No hay actividad reciente.',

  'activity.signed_in': 'Inicio de sesión',
  'activity.sign_in_failed': 'Inicio de sesión fallido: contraseña incorrecta',
  'activity.signed_out': 'Cierre de sesión',
  'activity.password_changed': 'Contraseña cambiada',
  'activity.profile_changed': 'Perfil modificado',
  'activity.session_ended': 'Sesión cerrada',
  'activity.application_allowed': 'Acceso de {client} permitido',
  'activity.application_refused': 'Acceso de {client} denegado',
  'activity.application_revoked': 'Acceso de {client} revocado',
  'activity.permission_changed': 'Permisos de {client} cambiados',
  'activity.refresh_token_reused':
    'Un token de actualización de {client} se usó dos veces y puede haber sido copiado. Se revocaron todos los tokens relacionados; los permisos que usted concedió se mantienen.',
  'activity.code_reused':
    'Un código de autorización de {client} se usó dos veces y puede haber sido copiado. Se revocaron los tokens emitidos con él; los permisos que usted concedió se mantienen.',
  'activity.token_leaked':
    'Se notificó la filtración de un token de {client}. Se revocaron todos los tokens relacionados; los permisos que usted concedió se mantienen.',

  'notice.profile_saved': 'Perfil guardado.',
  'notice.password_changed': 'Contraseña cambiada. Se cerraron todas sus demás sesiones.',
  'notice.password_changed_access_ended':
    'Contraseña cambiada. Se cerraron todas sus demás sesiones y se revocó el acceso de todas las aplicaciones.',
  'notice.session_ended': 'Sesión cerrada.',
  'notice.sessions_ended': 'Se cerraron todas las demás sesiones.',
  'notice.permission_changed': 'Permisos guardados. El cambio ya está en vigor.',
  'notice.application_revoked': 'Acceso revocado. Los tokens de la aplicación ya no son válidos.',
  'problem.wrong_old_password': 'La contraseña actual es incorrecta.',
  'problem.password_needed': 'Introduzca su contraseña actual para cambiar la dirección de correo electrónico.',
  'problem.password_too_short': 'La contraseña nueva debe tener al menos 8 caracteres.',
  'problem.password_too_long':
    'La contraseña nueva es demasiado larga. El límite es de 72 bytes, es decir, 72 letras sin acento.',
  'problem.passwords_differ': 'Las dos contraseñas nuevas no coinciden.',
  'problem.name_invalid': 'El nombre debe tener entre 1 y 200 caracteres.',
  'problem.email_invalid': 'Esta dirección de correo electrónico no es válida.',

  'delete.title': 'Eliminar la cuenta',
  'delete.summary': 'Elimina su perfil y pone fin a todo lo que las aplicaciones pueden hacer en su nombre.',
  'delete.final': 'El efecto es inmediato y no se puede deshacer.',
  'delete.profile':
    'Se eliminan su nombre de usuario, su nombre, su correo electrónico y su contraseña, y se cierran todas sus sesiones. Si más adelante alguien recibe su nombre de usuario, será una cuenta nueva.',
  'delete.access':
    'Todas las aplicaciones pierden el acceso a su cuenta. Lo que han guardado sobre usted sigue en su poder: pídales que lo eliminen.',
  'delete.applications':
    'Las aplicaciones que usted gestiona dejan de funcionar para todos. Solo un administrador puede volver a activarlas:',
  'delete.more': 'Todas sus aplicaciones',
  'delete.kept':
    'El registro de eventos de seguridad se conserva {days} días: qué ocurrió y cuándo, la dirección de internet y el número de su cuenta, pero no su nombre.',
  'delete.submit': 'Eliminar mi cuenta',
  'delete.keep': 'Conservar mi cuenta',
  'problem.last_administrator':
    'Usted es el único administrador de este servidor, por lo que su cuenta no se puede eliminar. Pida antes un segundo administrador a quien opera el servidor.',

  'applications.title': 'Aplicaciones conectadas',
  'applications.text': 'Estas aplicaciones tienen acceso a su cuenta, limitado a los permisos que usted les concedió.',
  'applications.none': 'No ha permitido ninguna aplicación.',
  'applications.none_text':
    'Las aplicaciones que permita aparecerán aquí. Puede revocar su acceso en cualquier momento.',
  'applications.claims_domain': 'Dice que pertenece a {domain}. Nadie aquí lo ha comprobado.',
  'applications.allowed': 'Permitido',
  'applications.allowed_by': 'por {brand}, sin preguntarle',
  'applications.since': 'Acceso desde',
  'applications.used': 'Último uso',
  'applications.never_used': 'Nunca',
  'applications.ends': 'Caduca',
  'applications.ends_on': 'El {date}',
  'applications.ends_when_revoked': 'Cuando usted lo revoque',
  'applications.once': 'Solo esta vez, hasta el {date} como máximo',
  'applications.may': 'Esta aplicación puede:',
  'applications.may_nothing': 'Esta aplicación no tiene permisos.',
  'applications.details': 'Cambiar permisos',
  'applications.revoke': 'Revocar acceso',
  'application.permissions': 'Permisos',
  'application.permissions_text':
    'Desmarque un permiso para retirárselo a la aplicación. El cambio se aplica en cuanto lo guarde.',
  'application.save': 'Guardar permisos',
  'application.revoke_title': 'Revocar acceso',
  'application.revoke_text':
    'Todos los tokens de {client} dejan de ser válidos de inmediato. La aplicación podrá volver a pedirle acceso.',
};
