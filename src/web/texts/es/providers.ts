import type { providers as english } from '../en/providers.ts';

export const providers: Record<keyof typeof english, string> = {
  'login.or': 'o',
  'login.provider': 'Iniciar sesión con {provider}',

  'stopped.title': 'No ha iniciado sesión',
  'stopped.sign_in_lost':
    'Este inicio de sesión empezó hace más de diez minutos o en otro navegador, o ya ha terminado. Empiece de nuevo.',
  'stopped.cancelled': 'No ha iniciado sesión con {provider}. No ha cambiado nada.',
  'stopped.provider_away':
    '{provider} no responde como debería en este momento. Inténtelo de nuevo dentro de un minuto.',
  'stopped.provider_wrong':
    'No se aceptó la respuesta de {provider}. Si vuelve a ocurrir, avise al operador de este servidor e indique el ID de la solicitud.',
  'stopped.provider_gone': 'El inicio de sesión con {provider} está desactivado aquí.',
  'stopped.not_confirmed':
    'La aplicación quiere saber que acaba de iniciar sesión, y {provider} no lo ha confirmado. Vuelva a iniciar sesión allí o hágalo de otra forma.',
  'stopped.no_account':
    'Ninguna cuenta de aquí está conectada con su cuenta de {provider}. Si tiene una cuenta aquí, inicie sesión de otra forma; podrá conectar {provider} en la página de su cuenta.',
  'stopped.address_taken':
    'Una cuenta de aquí tiene la dirección de correo que ha dado {provider}. Si es suya, inicie sesión de otra forma; podrá conectar {provider} en la página de su cuenta.',
  'stopped.foreign_domain':
    'Con {provider} solo obtienen una cuenta aquí las personas con ciertas direcciones de correo.',
  'stopped.account_disabled': 'Su cuenta está desactivada aquí.',
  'stopped.identity_taken':
    'Su cuenta de {provider} ya está conectada con otra cuenta de aquí, o ha conectado demasiadas cuentas.',
  'stopped.connect_lost':
    'No se ha conectado nada: ya no tiene iniciada la sesión de la persona que empezó, o han pasado más de diez minutos.',
  'stopped.reference': 'ID de la solicitud: {id}',
  'stopped.back_to_sign_in': 'Iniciar sesión',

  'account.identities': 'Inicio de sesión con otras cuentas',
  'account.identities_text': 'Con estas cuentas de otros sitios puede iniciar sesión aquí.',
  'account.identity_since': 'Conectada el {date}',
  'account.identity_never_used': 'Nunca usada',
  'account.identity_remove': 'Quitar',
  'account.identity_connect': 'Conectar {provider}',
  'account.identity_unknown': 'Un sitio que ya no se ofrece aquí',
  'connect.provider': 'Conectar {provider}',
  'connect.text':
    'Pasará a {provider} e iniciará sesión allí. Desde entonces podrá iniciar sesión aquí también con esa cuenta: quien pueda usarla podrá usar esta.',
  'connect.go_on': 'Continuar a {provider}',
  'connect.by_operator':
    'Usted es administrador, así que solo el operador de este servidor puede conectar su cuenta, con la función SQL link_identity.',
  'connect.sign_in_again':
    'Primero cierre la sesión y vuelva a iniciarla: su último inicio de sesión fue hace más de 15 minutos.',
  'notice.identity_linked': 'Conectada. Ahora también puede iniciar sesión de esa forma.',
  'notice.identity_unlinked': 'Quitada. Ya no puede iniciar sesión de esa forma.',
  'problem.last_way_in': 'Es su última forma de iniciar sesión, así que se conserva. Conecte antes otra cuenta.',
};
