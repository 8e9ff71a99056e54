import type { passkeys as english } from '../en/passkeys.ts';

export const passkeys: Record<keyof typeof english, string> = {
  'passkeys.sign_in': 'Iniciar sesión con una clave de acceso',
  'passkeys.none_used': 'No se ha usado ninguna clave de acceso. Inténtelo de nuevo o inicie sesión de otro modo.',
  'problem.passkey_refused':
    'No se ha podido iniciar sesión con esta clave de acceso. Inténtelo de nuevo o inicie sesión de otro modo.',
  'passkeys.title': 'Claves de acceso',
  'passkeys.text':
    'Con una clave de acceso inicia sesión con su huella, su cara o el PIN de su dispositivo, sin contraseña. Solo funciona en este sitio, así que ningún otro puede sonsacársela.',
  'passkeys.none': 'Aún no tiene ninguna clave de acceso.',
  'passkeys.since': 'Añadida el {date}',
  'passkeys.never_used': 'Nunca usada',
  'passkeys.only_second': 'Solo segundo factor',
  'passkeys.dead': 'Solo funciona en {host}',
  'passkeys.change': 'Cambiar el nombre o quitarla',
  'passkeys.add': 'Añadir una clave de acceso',
  'passkeys.add_key': 'Añadir una llave de seguridad como segundo factor',
  'passkeys.full': 'Tiene tantas claves de acceso como puede tener aquí una persona. Quite una para añadir otra.',
  'passkeys.elsewhere':
    'Su cuenta viene de otro sitio, y es allí donde inicia sesión. Por eso aquí no hay claves de acceso para ella.',
  'passkeys.new_text':
    'Su navegador le pregunta dónde guardar la clave de acceso: en este dispositivo, en un gestor de contraseñas, en su teléfono o en una llave de seguridad.',
  'passkeys.new_key_text':
    'Para una llave de seguridad sin PIN: no puede iniciar sesión por sí sola, solo confirmar quién es usted después de la contraseña.',
  'passkeys.name': 'Nombre',
  'passkeys.name_hint': 'Con el que la reconocerá, por ejemplo el dispositivo.',
  'passkeys.continue': 'Continuar',
  'passkeys.make': 'Crear',
  'passkeys.unavailable': 'Esto requiere JavaScript y un navegador que admita claves de acceso.',
  'passkeys.none_made': 'No se ha creado nada. Puede intentarlo de nuevo.',
  'passkeys.save': 'Cambiar el nombre',
  'passkeys.remove': 'Quitar',
  'passkeys.remove_text':
    'Después ya no podrá iniciar sesión con ella. Bórrela también en su dispositivo o en su gestor de contraseñas: este servidor no puede hacerlo.',
  'problem.passkey_not_added': 'No se ha podido añadir. Inténtelo de nuevo o con otro dispositivo.',
  'problem.passkey_name_missing': 'Escriba un nombre.',
  'problem.last_passkey':
    'Es su última forma de iniciar sesión o su único segundo factor, así que se conserva. Establezca antes una contraseña, añada otra clave de acceso o desactive el inicio de sesión en dos pasos.',
  'problem.no_passkey':
    'Antes de quitar la contraseña necesita una clave de acceso con la que pueda iniciar sesión aquí.',
  'notice.passkey_added': 'Añadida. Ya puede usarla.',
  'notice.passkey_renamed': 'Nombre cambiado.',
  'notice.passkey_removed': 'Quitada. Ya no funciona aquí.',
  'notice.password_removed': 'Contraseña quitada. A partir de ahora inicia sesión con una clave de acceso.',
  'notice.password_set': 'Contraseña establecida. Ya puede iniciar sesión con ella.',
  'password.remove': 'Quitar la contraseña',
  'password.remove_summary':
    'Tiene una clave de acceso y puede prescindir de la contraseña: lo que no existe no se puede robar.',
  'password.remove_text':
    'A partir de entonces solo iniciará sesión con una clave de acceso. Si pierde todas las que tiene, solo el operador de este servidor podrá dejarle entrar de nuevo.',
  'password.set': 'Establecer una contraseña',
  'password.set_text': 'Podrá iniciar sesión también con su nombre de usuario y esta contraseña.',
  'password.none': 'No tiene contraseña.',
};
