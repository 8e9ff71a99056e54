import type { security as english } from '../en/security.ts';

export const security: Record<keyof typeof english, string> = {
  'security.title': 'Seguridad de esta aplicación',
  'security.text':
    'Los cambios se aplican a partir de la siguiente solicitud; cambie sus servidores al mismo tiempo. Los códigos y los tokens de actualización ya emitidos siguen también los nuevos ajustes; los tokens de acceso ya emitidos quedan como están hasta que caduquen.',
  'security.profile': 'Reglas',
  'security.profile.standard': 'Habituales: OAuth 2.0 tal como lo admite cualquier biblioteca.',
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
  'security.any': 'Cualquiera de estos',
  'security.fapi2_preset': 'Rellenar lo que exige FAPI 2.0',
};
