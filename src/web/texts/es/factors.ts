import type { factors as english } from '../en/factors.ts';

/** Signing in with a second factor. */
export const factors: Record<keyof typeof english, string> = {
  'factor.title': 'Inicio de sesión en dos pasos',
  'factor.text':
    'Además de la contraseña, iniciar sesión requiere entonces un código de una aplicación de su teléfono. Una contraseña robada no abre nada por sí sola.',
  'factor.is_on': 'Está activado.',
  'factor.is_off': 'Está desactivado.',
  'factor.set_up': 'Configurar',
  'factor.replace': 'Configurar otra aplicación',
  'factor.remove': 'Desactivar',
  'factor.new_codes': 'Nuevos códigos de recuperación',
  'factor.codes_left': 'Códigos de recuperación restantes: {count}.',
  'factor.elsewhere':
    'No tiene contraseña aquí, así que no hay nada que proteger con un código: active el inicio de sesión en dos pasos en el sitio donde inicia sesión.',
  'factor.setup': 'Configurar una aplicación',
  'factor.setup_app':
    'Abra una aplicación de códigos de inicio de sesión o instale una. Muchos gestores de contraseñas también sirven.',
  'factor.setup_scan': 'Escanee con ella esta imagen.',
  'factor.picture': 'Imagen para la aplicación',
  'factor.setup_type': '¿No puede escanearla? Escriba esta clave en la aplicación:',
  'factor.setup_code': 'El código que la aplicación muestra ahora',
  'factor.confirm': 'Activar',
  'factor.demanded_now':
    'Aquí todos inician sesión con un segundo factor. Configúrelo ahora; después continuará el inicio de sesión.',
  'factor.asked_by_application':
    'La aplicación exige dos factores y su cuenta solo tiene uno. Configure el segundo ahora; después continuará el inicio de sesión.',
  'factor.decline': 'Ahora no',
  'factor.codes': 'Sus códigos de recuperación',
  'factor.codes_once': 'Solo se muestran ahora.',
  'factor.codes_text':
    'Si pierde la aplicación, cada uno le permite entrar una vez. Imprímalos o guárdelos con sus contraseñas.',
  'factor.codes_kept': 'Los he guardado',
  'factor.step': 'Segundo paso',
  'factor.step_text': 'Introduzca el código que muestra su aplicación.',
  'factor.code': 'Código de su aplicación',
  'factor.code_hint': 'O uno de sus códigos de recuperación.',
  'factor.trust': 'No volver a preguntar en este navegador durante {days} días',
  'factor.use_key': 'Usar una clave de acceso o una llave de seguridad',
  'factor.other_way': 'Otra forma',
  'factor.recovery_code': 'Código de recuperación',
  'factor.recovery_code_hint': 'Cada uno sirve una vez.',
  'factor.ask_operator':
    '¿No tiene ni la aplicación ni un código de recuperación? El operador de este servidor puede desactivar el segundo paso cuando esté seguro de que es usted.',
  'notice.factor_removed': 'El inicio de sesión en dos pasos está desactivado. Sus demás sesiones han terminado.',
  'problem.changed_meanwhile':
    'Sus formas de iniciar sesión se cambiaron entretanto, así que no se guardó nada. Esta página muestra cómo están ahora.',
  'problem.code_needed': 'Introduzca un código de su aplicación.',
  'problem.wrong_code':
    'Este código es incorrecto. Introduzca el que la aplicación muestra ahora; el reloj de su teléfono debe estar en hora.',
  'problem.used_code': 'Este código ya se ha usado. Espere a que la aplicación muestre el siguiente.',
  'problem.unreadable_factor':
    'Los códigos de su aplicación no se pueden comprobar aquí en este momento. Use un código de recuperación o pregunte al operador de este servidor.',
  'problem.factor_demanded': 'El operador de este servidor lo exige, así que no se puede desactivar.',
  'problem.sign_in_over':
    'Este inicio de sesión ha durado más de diez minutos, o entretanto se ha cambiado su contraseña o su segundo factor. Inicie sesión de nuevo.',
};
