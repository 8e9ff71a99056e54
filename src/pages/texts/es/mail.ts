import type { mail as english } from '../en/mail.ts';

export const mail: Record<keyof typeof english, string> = {
  'login.forgot': '¿Ha olvidado su contraseña?',
  'login.forgot_ask': 'Si ha olvidado su contraseña, pregunte a quien opera este servidor.',
  'login.support': 'Obtener ayuda',
  'forgot.title': 'Contraseña olvidada',
  'forgot.text':
    'Introduzca su nombre de usuario o su dirección de correo. Recibirá un correo con un enlace para establecer una nueva contraseña.',
  'forgot.send': 'Enviar el enlace',
  'forgot.sent_title': 'Revise su correo',
  'forgot.sent':
    'Si existe una cuenta con ese nombre y una dirección de correo confirmada, se le ha enviado un correo. Su enlace es válido durante una hora. Si no llega nada en unos minutos, mire en la carpeta de correo no deseado.',
  'reset.title': 'Establecer una nueva contraseña',
  'reset.account': 'Para la cuenta {username}.',
  'reset.text': 'Se cierran todas las sesiones de esta cuenta. Después inicie sesión con la nueva contraseña.',
  'reset.save': 'Guardar la nueva contraseña',
  'message.link_over.title': 'Este enlace ya no es válido',
  'message.link_over.text':
    'Ya se ha usado, es demasiado antiguo, lo ha sustituido otro más reciente o su cuenta ha cambiado desde entonces. Pida uno nuevo.',
  'message.password_reset.title': 'Su nueva contraseña está establecida',
  'message.password_reset.text':
    'Se han cerrado todas las sesiones de su cuenta. Inicie sesión con la nueva contraseña.',
  'back.sign_in': 'Iniciar sesión',
  'back.new_link': 'Pedir un nuevo enlace',
  'mail.footer': 'Enviado por {brand} ({host}). Nadie lee las respuestas a este correo.',
  'mail.set_password': 'Establecer una nueva contraseña',
  'mail.reset.subject': 'Una nueva contraseña para {brand}',
  'mail.reset.text':
    'Alguien, probablemente usted, ha pedido una nueva contraseña para su cuenta {username}.\nEl siguiente enlace es válido durante una hora y se puede usar una sola vez. Si no fue usted, no haga nada: su contraseña no cambia.',
  'mail.no_password.subject': 'Su cuenta en {brand} no tiene contraseña',
  'mail.no_password.text':
    'Alguien, probablemente usted, ha pedido una nueva contraseña para su cuenta {username}.\nLa cuenta no tiene contraseña, así que no hay ninguna que sustituir: inicie sesión como suele hacerlo. Si no fue usted, no haga nada.',
  'mail.test.subject': 'Los correos de {brand} llegan',
  'mail.test.text':
    'Un operador de {host} ha enviado este correo para comprobar que los correos llegan. No tiene que hacer nada.',
};
