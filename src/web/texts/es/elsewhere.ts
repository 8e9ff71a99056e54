import type { elsewhere as english } from '../en/elsewhere.ts';

export const elsewhere: Record<keyof typeof english, string> = {
  'login.website': 'Iniciar sesión en {host}',
  'signed_out.website': 'Es posible que siga con la sesión iniciada en {host}.',
  'signed_out.website_link': 'Ir a {host}',
  'back.again': 'Intentarlo de nuevo',
  'back.go_on': 'Continuar',
  'message.elsewhere_unknown.title': 'Este inicio de sesión no comenzó aquí',
  'message.elsewhere_unknown.text':
    'Comenzó en otro navegador o hace más de diez minutos. Nadie ha iniciado sesión. Si alguien le envió este enlace, no vuelva a abrirlo; si no, regrese a la aplicación y empiece de nuevo.',
  'message.elsewhere_over.title': 'Este inicio de sesión ha terminado',
  'message.elsewhere_over.text': 'Ya se completó o se canceló, quizá por un segundo clic.',
  'message.elsewhere_invalid.title': 'La respuesta no sirve',
  'message.elsewhere_invalid.text':
    'Lo que el otro sitio dijo de su inicio de sesión no es válido aquí. No ha iniciado sesión. Si vuelve a ocurrir, avise al operador de este servidor.',
  'message.elsewhere_stale.title': 'Hace falta iniciar sesión de nuevo',
  'message.elsewhere_stale.text':
    'La aplicación pide que inicie sesión de nuevo, pero el otro sitio le dejó pasar con una sesión anterior. Cierre la sesión allí e inténtelo otra vez.',
  'message.elsewhere_uncertain.title': 'Inténtelo de nuevo en un momento',
  'message.elsewhere_uncertain.text':
    'Ahora mismo no se puede comprobar si la respuesta viene del sitio correcto. No se ha perdido nada.',
  'message.elsewhere_failed.title': 'El otro sitio informa de un problema',
  'message.elsewhere_failed.text':
    'No ha iniciado sesión. Puede intentarlo de nuevo; si sigue fallando, avise al operador del otro sitio.',
  'message.elsewhere_denied.title': 'No ha iniciado sesión',
  'message.elsewhere_denied.text': 'Canceló el inicio de sesión en el otro sitio.',
  'message.elsewhere_of_another_source.title': 'Esta cuenta corresponde a otra forma de acceso',
  'message.elsewhere_of_another_source.text':
    'Aquí hay una cuenta con su número, pero se accede a ella de otra forma, así que no puede abrirla desde ese sitio. Acceda de esa otra forma o pregunte al operador de este servidor.',
  'message.elsewhere_disabled.title': 'Su cuenta está desactivada',
  'message.elsewhere_disabled.text': 'El operador de este servidor la ha desactivado. Consúltele, por favor.',
  'account.again': 'Iniciar sesión de nuevo',
  'account.again_hint': 'Antes de hacerlo, inicie sesión de nuevo: la última vez fue hace más de 15 minutos.',
  'account.email_again_hint':
    'Para escribir otra dirección, primero inicie sesión de nuevo: la última vez fue hace más de 15 minutos.',
  'account.no_password': 'Usted inicia sesión en otro sitio, así que no tiene contraseña aquí.',
  'problem.sign_in_elsewhere':
    'El sitio en el que inició sesión no indica cuándo comprobó su identidad por última vez, y para este cambio hay que saberlo. Inicie sesión de otra manera o pregunte al operador de este servidor.',
  'problem.sign_in_again':
    'Inició sesión por última vez hace más de 15 minutos. Iníciela de nuevo y vuelva a enviar el formulario.',
  'delete.profile_elsewhere':
    'Su nombre de usuario, su nombre y su correo electrónico se eliminan aquí, y se cierra su sesión en todas partes. Si más tarde vuelve a iniciar sesión, recibirá una cuenta nueva.',
  'playground.website_off_text':
    'La gente también puede iniciar sesión donde lo hace siempre: en la página de acceso de su sitio web. Un sitio de demostración muestra cómo.',
  'playground.website_switch_on': 'Activar el sitio de demostración',
  'playground.website_on_text':
    'El sitio de demostración está activado: la página de inicio de sesión tiene ahora un botón que lleva allí.',
  'playground.website_switch_off': 'Desactivarlo',
  'demo_website.title': 'El sitio de demostración',
  'demo_website.text':
    'Esta página hace de página de acceso de su propio sitio web. El servidor le ha enviado aquí con una solicitud firmada; su sitio comprueba la firma, inicia la sesión como siempre y le devuelve con una respuesta firmada.',
  'demo_website.sign_in': 'Iniciar sesión como {name}',
  'demo_website.cancel': 'Cancelar',
  'demo_website.request': 'La solicitud',
  'demo_website.refused':
    'El sitio de demostración no ha recibido una solicitud válida: se ha modificado o tiene más de diez minutos.',
};
