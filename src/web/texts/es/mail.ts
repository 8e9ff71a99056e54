import type { mail as english } from '../en/mail.ts';

export const mail: Record<keyof typeof english, string> = {
  'login.forgot': '¿Ha olvidado su contraseña?',
  'login.forgot_ask': 'Si ha olvidado su contraseña, pregunte al operador de este servidor.',
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
  'account.link_sent':
    'La dirección {address} aún no está confirmada. Un correo enviado a ella contiene un enlace; ábralo en un navegador en el que haya iniciado sesión.',
  'account.send_again': 'Enviar el enlace',
  'notice.confirmation_sent': 'Guardado. La dirección valdrá en cuanto abra el enlace del correo que se le ha enviado.',
  'notice.address_confirmed': 'Dirección confirmada.',
  'confirm.title': 'Confirmar su dirección',
  'confirm.text': '{address} pasa a ser la dirección de correo de su cuenta {username}.',
  'confirm.save': 'Confirmar',
  'message.address_taken.title': 'Otra cuenta tiene esta dirección',
  'message.address_taken.text':
    'Se ha confirmado para otra cuenta, por lo que la suya no la recibe. Si esa cuenta también es suya, inicie sesión en ella o pregunte al operador de este servidor.',
  'message.other_account.title': 'Este enlace pertenece a otra cuenta',
  'message.other_account.text':
    'Ha iniciado sesión con una cuenta distinta de aquella para la que se pidió el correo. Cierre la sesión y abra el enlace de nuevo.',
  'message.secured.title': 'Todo ha terminado',
  'message.secured.text':
    'Ya nadie tiene iniciada una sesión en su cuenta. Inicie sesión como suele hacerlo y revise su cuenta.',
  'message.secured_without_way_in.title': 'Todo ha terminado',
  'message.secured_without_way_in.text':
    'Ya no hay nadie conectado a su cuenta, y todo lo que permitía abrirla se había añadido desde entonces. Pida a quien gestiona este servidor una nueva forma de iniciar sesión.',
  'not_me.title': 'No fue usted',
  'not_me.address': 'La cuenta conserva la dirección {address} o la recupera.',
  'not_me.sessions': 'Se cierran todas las sesiones. Después elige una nueva contraseña, si la cuenta tiene una.',
  'not_me.since':
    'Las aplicaciones autorizadas desde entonces pierden su acceso, y las cuentas de otros sitios conectadas desde entonces se quitan. Las claves de acceso y los códigos de recuperación creados desde entonces dejan de servir.',
  'not_me.factor':
    'Un segundo factor configurado desde entonces se desactiva si introduce su contraseña. Deje el campo vacío si fue usted.',
  'not_me.factor_stays':
    'Un segundo factor configurado desde entonces se mantiene, porque este enlace por sí solo no lo desactiva. Si no fue usted, pregunte al operador de este servidor.',
  'not_me.since_when': 'Esto deshace lo que se ha hecho desde:',
  'not_me.submit': 'Terminarlo todo',
  'mail.confirm': 'Confirmar esta dirección',
  'mail.not_me': 'No fui yo',
  'mail.confirm_address.subject': 'Confirme su dirección para {brand}',
  'mail.confirm_address.text':
    'Alguien, probablemente usted, ha introducido esta dirección en una cuenta de {brand}.\nPara confirmarla, abra el siguiente enlace en un navegador en el que haya iniciado sesión allí. Es válido durante un día. Si no fue usted, no haga nada.',
  'mail.address_changing.subject': 'Su dirección en {brand} va a cambiar',
  'mail.address_changing.text':
    'Alguien, probablemente usted, ha introducido otra dirección para su cuenta {username}. Sustituirá a esta en cuanto se confirme.\nSi no fue usted, abra el siguiente enlace en el plazo de una semana: la cuenta conserva esta dirección, se cierran todas las sesiones y usted elige una nueva contraseña.',
  'mail.address_replaced.subject': 'Se ha sustituido su dirección en {brand}',
  'mail.address_replaced.text':
    'El operador de {brand} ha puesto otra dirección en su cuenta {username}. A partir de ahora, los correos sobre la cuenta se envían allí y ya no a esta dirección.\nSi usted no lo pidió, avísele de inmediato: quien lea el correo de esa dirección puede elegir una nueva contraseña.',
  'mails.title': 'Correos de la demo',
  'mails.text': 'La demo no tiene servidor de correo: lo que habría enviado está aquí durante un día.',
  'mails.none': 'Todavía no hay ningún correo. Vuelva a cargar esta página en un momento.',
  'mails.to': 'Para {address}, {date}',
  'mails.here': 'Ver los correos de la demo',
  'back.playground': 'Volver al área de pruebas',
  'account.notices': 'Correos',
  'account.notices_text': 'En cualquier caso se le avisa de lo que afecta a la seguridad de su cuenta.',
  'account.wants_notices': 'Avisarme cuando una aplicación obtenga acceso duradero',
  'notice.notices_saved': 'Guardado.',
  'mail.password_changed.subject': 'Se ha cambiado su contraseña en {brand}',
  'mail.password_changed.text':
    'La contraseña de su cuenta {username} se cambió el {date} desde la dirección de internet {address}.\nSi no fue usted, abra el siguiente enlace en el plazo de una semana: se cierran todas las sesiones, se quita lo que se haya añadido desde entonces y usted elige una nueva contraseña.',
  'mail.password_set.subject': 'Se ha establecido su contraseña en {brand}',
  'mail.password_set.text':
    'El operador de {brand} estableció el {date} la contraseña de su cuenta {username} y cerró todas las sesiones.\nSi usted no lo pidió, abra el siguiente enlace en el plazo de una semana: se cierran todas las sesiones, se quita lo que se haya añadido desde entonces y usted elige una nueva contraseña.',
  'mail.factor_reset.subject': 'Se ha desactivado su segundo factor en {brand}',
  'mail.factor_reset.text':
    'El operador de {brand} desactivó el {date} el inicio de sesión en dos pasos de su cuenta {username} y cerró todas las sesiones. Hasta que vuelva a configurarlo, basta la contraseña.\nSi usted no lo pidió, abra el siguiente enlace en el plazo de una semana: se cierran todas las sesiones, se quita lo que se haya añadido desde entonces y usted elige una nueva contraseña.',
  'mail.new_browser.subject': 'Un nuevo navegador en {brand}',
  'mail.new_browser.text':
    'Alguien ha iniciado sesión en su cuenta {username} con un navegador en el que usted no lo había hecho antes: el {date}, desde la dirección de internet {address}.\nSi no fue usted, abra el siguiente enlace en el plazo de una semana: se cierran todas las sesiones, se quita lo que se haya añadido desde entonces y usted elige una nueva contraseña.',
  'mail.wrong_codes.subject': 'Alguien conoce su contraseña de {brand}',
  'mail.wrong_codes.text':
    'Alguien ha introducido la contraseña de su cuenta {username} y después códigos incorrectos: el {date}, desde la dirección de internet {address}. Ninguno de los códigos era correcto.\nSi no fue usted, abra el siguiente enlace en el plazo de una semana: se cierran todas las sesiones y usted elige una nueva contraseña.',
  'mail.way_in_added.subject': 'Una nueva forma de iniciar sesión en {brand}',
  'mail.way_in_added.text':
    'El {date} se añadió desde la dirección de internet {address} una nueva forma de iniciar sesión en su cuenta {username}.\nSi no fue usted, abra el siguiente enlace en el plazo de una semana: se cierran todas las sesiones, se quita lo que se haya añadido desde entonces y usted elige una nueva contraseña.',
  'mail.factor_changed.subject': 'Se ha cambiado su segundo factor en {brand}',
  'mail.factor_changed.text':
    'El inicio de sesión en dos pasos de su cuenta {username} se ha activado, desactivado o cambiado el {date} desde la dirección de internet {address}.\nSi no fue usted, abra el siguiente enlace en el plazo de una semana: se cierran todas las sesiones, se quita lo que se haya añadido desde entonces y usted elige una nueva contraseña. Para desactivar un segundo factor nuevo, allí se pide su contraseña.',
  'mail.application_allowed.subject': 'Una aplicación tiene acceso a su cuenta en {brand}',
  'mail.application_allowed.text':
    'La aplicación «{client}» recibió acceso a su cuenta {username} el {date}, desde la dirección de internet {address}. Dura hasta que usted lo retire en la página de su cuenta, donde también puede desactivar estos correos.\nSi no fue usted, abra el siguiente enlace en el plazo de una semana: se cierran todas las sesiones, se quita lo que se haya añadido desde entonces y usted elige una nueva contraseña.',
  'login.sign_up': 'Crear una cuenta',
  'sign_up.title': 'Crear una cuenta',
  'sign_up.text':
    'Introduzca su dirección de correo. Recibirá un correo con un enlace para elegir un nombre de usuario y una contraseña.',
  'sign_up.sent':
    'Se ha enviado un correo a esta dirección. Su enlace es válido durante un día. Si no llega nada en unos minutos, mire en la carpeta de correo no deseado.',
  'sign_up.for': 'La cuenta tendrá la dirección {address}.',
  'sign_up.username_hint': 'De 2 a 40 letras de la a a la z y cifras; en medio también . _ -',
  'sign_up.save': 'Crear la cuenta',
  'problem.username_malformed':
    'El nombre de usuario debe tener de 2 a 40 letras de la a a la z y cifras, al menos una letra, y . _ - solo en medio.',
  'problem.username_reserved': 'Este nombre de usuario está reservado. Elija otro.',
  'problem.username_taken': 'Alguien ya tiene este nombre de usuario o esta dirección. Elija otro nombre.',
  'message.signed_up.title': 'Su cuenta está creada',
  'message.signed_up.text': 'Inicie sesión con su nombre de usuario y su contraseña.',
  'mail.make_account': 'Crear una cuenta',
  'mail.sign_in': 'Iniciar sesión',
  'mail.sign_up.subject': 'Su cuenta en {brand}',
  'mail.sign_up.text':
    'Alguien, probablemente usted, quiere crear una cuenta en {brand} con esta dirección.\nEl siguiente enlace es válido durante un día; en él elige un nombre de usuario y una contraseña. Si no fue usted, no haga nada: no hay ninguna cuenta.',
  'mail.invitation.subject': 'Invitación a {brand}',
  'mail.invitation.text':
    'Le invitamos a crear una cuenta en {brand}.\nEl siguiente enlace es válido durante una semana; en él elige un nombre de usuario y una contraseña.',
  'mail.account_exists.subject': 'Usted tiene una cuenta en {brand}',
  'mail.account_exists.text':
    'Alguien, probablemente usted, quería crear una cuenta en {brand} con esta dirección, que ya tiene una.\nInicie sesión con ella. Si ha olvidado la contraseña, la página de inicio de sesión tiene un enlace para ello. Si no fue usted, no haga nada.',
};
