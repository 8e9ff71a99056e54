import type { security as english } from '../en/security.ts';

export const security: Record<keyof typeof english, string> = {
  'security.title': 'Seguridad de esta aplicación',
  'security.text':
    'Los cambios se aplican a partir de la siguiente solicitud; cambie sus servidores al mismo tiempo. Los códigos y los tokens de actualización ya emitidos siguen también los nuevos ajustes; los tokens de acceso ya emitidos quedan como están hasta que caduquen.',
  'security.profile': 'Reglas',
  'security.profile.standard': 'Habituales: OAuth 2.0 como lo habla cualquier biblioteca.',
  'security.profile.fapi2':
    'FAPI 2.0, para datos bancarios y de salud: una clave o un certificado, solicitudes enviadas por adelantado y tokens vinculados. Su biblioteca debe admitir las tres cosas, y se pide permiso a los usuarios cada vez.',
  'security.method': 'Cómo demuestra su identidad',
  'security.token_endpoint_auth_method.none':
    'No la demuestra: es pública y usa PKCE. Se pide permiso a los usuarios cada vez.',
  'security.token_endpoint_auth_method.client_secret_basic':
    'Un secreto de cliente: cualquier biblioteca puede enviarlo. Quien lo obtenga puede hacerse pasar por su aplicación hasta que usted lo sustituya.',
  'security.token_endpoint_auth_method.private_key_jwt':
    'Una clave (private_key_jwt): este servidor solo conoce la mitad pública, así que no puede filtrarse desde aquí. Sus servidores firman un mensaje breve en cada solicitud.',
  'security.token_endpoint_auth_method.tls_client_auth':
    'Un certificado de una autoridad que este servidor acepta: sus servidores lo presentan en cada conexión y usted lo renueva antes de que caduque.',
  'security.token_endpoint_auth_method.self_signed_tls_client_auth':
    'Un certificado propio: no necesita autoridad. Sus servidores lo presentan en cada conexión y su clave pública se registra abajo.',
  'security.stays_confidential':
    'Una aplicación que demuestra su identidad no puede hacerse pública. Registre otra en su lugar.',
  'security.keys': 'Claves y nombres',
  'security.keys_text':
    'Para una clave, un certificado o solicitudes firmadas. En los demás casos, deje estos campos vacíos.',
  'security.jwks': 'Claves públicas',
  'security.jwks_hint': 'Un conjunto JWK: JSON con el miembro keys. No pegue nunca una clave privada.',
  'security.jwks_uri': 'Dirección de las claves públicas',
  'security.jwks_uri_hint':
    'En lugar de las propias claves: este servidor las obtiene de ahí, así que puede sustituirlas sin esta página. El sitio debe estar siempre disponible.',
  'security.subject': 'Sujeto del certificado',
  'security.subject_hint':
    'Para un certificado de una autoridad, rellene uno de estos dos campos. El sujeto, tal como lo muestra openssl x509 -noout -subject -nameopt RFC2253.',
  'security.host': 'Nombre de host en el certificado',
  'security.tokens': 'Qué debe demostrar una solicitud con un token de acceso',
  'security.token_binding.any':
    'Nada, salvo que su aplicación haya pedido el token con una prueba DPoP: es sencillo, pero quien robe un token puede usarlo.',
  'security.token_binding.dpop':
    'Una clave (DPoP): un token robado no sirve. Su aplicación firma una prueba breve en cada solicitud.',
  'security.token_binding.certificate':
    'El certificado de la conexión: un token robado no sirve. Cada solicitud con un token necesita una conexión con el certificado.',
  'security.token_binding.mac':
    'Un MAC de cada solicitud: un borrador abandonado, para software existente. Es preferible DPoP.',
  'security.requests': 'Solicitudes de autorización',
  'security.pushed':
    'Solo enviadas por adelantado: nadie puede cambiarlas en el navegador. Sus servidores envían una solicitud más cada vez.',
  'security.signed':
    'Solo firmadas: demuestran quién las hizo. Sus servidores necesitan una clave para ello y las envían por adelantado.',
  'security.algorithm': 'Se firman con',
  'security.any_algorithm': 'Cualquiera de estos',
  'security_problem.token_endpoint_auth_method_too_weak': 'FAPI 2.0 exige una clave o un certificado.',
  'security_problem.token_endpoint_auth_method_refused': 'Esto no se aceptó: {value}',
  'security_problem.jwks_missing':
    'Pegue las claves públicas o indique su dirección: lo que eligió arriba las necesita.',
  'security_problem.jwks_twice': 'Pegue las claves o indique su dirección, no ambas cosas.',
  'security_problem.jwks_malformed': 'Esto no es un conjunto JWK con una a diez claves.',
  'security_problem.jwks_secret':
    'Aquí había una clave privada, por lo que se quitó. Quien la haya visto puede hacerse pasar por su aplicación: cree una nueva y pegue solo su mitad pública.',
  'security_problem.jwks_unusable': 'Una de las claves no es RSA de 2048 a 4096 bits, ni EC P-256, ni Ed25519.',
  'security_problem.jwks_forgeable':
    'Cualquiera podría firmar en lugar de una de estas claves: el exponente de una clave RSA debe ser un número impar desde 65537; las demás claves deben ser puntos de su curva.',
  'security_problem.jwks_purpose':
    'Una de las claves no es para firmas que este servidor acepta: revise use, key_ops y alg.',
  'security_problem.jwks_kid': 'Cada clave necesita un kid distinto.',
  'security_problem.jwks_uri_not_https': 'Esto no es una URL https.',
  'security_problem.jwks_uri_port': 'Este puerto es de otro protocolo: use el 443 o uno superior a 1023.',
  'security_problem.tls_client_auth_subject_dn_not_one':
    'Un certificado de una autoridad necesita exactamente uno de estos dos nombres. En los demás casos, deje ambos vacíos.',
  'security_problem.tls_client_auth_subject_dn_malformed': 'Esto no es un sujeto como CN=app,O=Acme,C=DE.',
  'security_problem.tls_client_auth_san_dns_malformed': 'Esto no es un nombre de host como app.example.',
  'security_problem.profile_not_https': 'FAPI 2.0 exige URI de redirección con https.',
  'security_problem.profile_mac': 'FAPI 2.0 no permite tokens MAC.',
  'security_problem.require_signed_request_object_no_key': 'Las solicitudes firmadas necesitan claves públicas.',
};
