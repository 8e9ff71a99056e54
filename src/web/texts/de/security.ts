import type { security as english } from '../en/security.ts';

export const security: Record<keyof typeof english, string> = {
  'security.title': 'Sicherheit dieser Anwendung',
  'security.text':
    'Änderungen gelten ab der nächsten Anfrage. Stellen Sie Ihre Server also gleichzeitig um. Auch frühere Codes und Refresh-Token folgen den neuen Einstellungen; frühere Access-Token bleiben, wie sie sind, bis sie ablaufen.',
  'security.profile': 'Regeln',
  'security.profile.standard': 'Üblich: OAuth 2.0, wie jede Bibliothek es unterstützt.',
  'security.profile.fapi2':
    'FAPI 2.0, für Bank- und Gesundheitsdaten: Schlüssel oder Zertifikat, vorab übermittelte Anfragen, gebundene Token. Ihre Bibliothek muss alle drei unterstützen, und Benutzer werden jedes Mal um Erlaubnis gebeten.',
  'security.method': 'Wie sie ihre Identität nachweist',
  'security.token_endpoint_auth_method.none':
    'Gar nicht: Sie ist öffentlich und verwendet PKCE. Benutzer werden jedes Mal um Erlaubnis gebeten.',
  'security.token_endpoint_auth_method.client_secret_basic':
    'Ein Client-Secret: Jede Bibliothek kann es senden. Wer es erlangt, kann sich als Ihre Anwendung ausgeben, bis Sie es ersetzen.',
  'security.token_endpoint_auth_method.private_key_jwt':
    'Ein Schlüssel (private_key_jwt): Dieser Server kennt nur die öffentliche Hälfte, also kann er hier nicht bekannt werden. Ihre Server signieren für jede Anfrage eine kurze Nachricht.',
  'security.token_endpoint_auth_method.tls_client_auth':
    'Ein Zertifikat einer Zertifizierungsstelle, die dieser Server anerkennt: Ihre Server legen es bei jeder Verbindung vor, und Sie erneuern es, bevor es abläuft.',
  'security.token_endpoint_auth_method.self_signed_tls_client_auth':
    'Ein eigenes Zertifikat: Es braucht keine Zertifizierungsstelle. Ihre Server legen es bei jeder Verbindung vor, und sein öffentlicher Schlüssel ist unten registriert.',
  'security.stays_confidential':
    'Eine Anwendung, die ihre Identität nachweist, kann nicht öffentlich werden. Registrieren Sie stattdessen eine weitere.',
  'security.keys': 'Schlüssel und Namen',
  'security.keys_text':
    'Für einen Schlüssel, ein Zertifikat oder signierte Anfragen. Lassen Sie diese Felder sonst leer.',
  'security.jwks': 'Öffentliche Schlüssel',
  'security.jwks_hint': 'Ein JWK-Set: JSON mit dem Feld keys. Fügen Sie nie einen privaten Schlüssel ein.',
  'security.tokens': 'Was eine Anfrage mit einem Access-Token nachweisen muss',
  'security.token_binding.any':
    'Nichts, außer wenn Ihre Anwendung das Token mit einem DPoP-Nachweis angefordert hat: einfach, aber wer ein Token stiehlt, kann es verwenden.',
  'security.token_binding.dpop':
    'Einen Schlüssel (DPoP): Ein gestohlenes Token ist nutzlos. Ihre Anwendung signiert für jede Anfrage einen kurzen Nachweis.',
  'security.token_binding.certificate':
    'Das Zertifikat der Verbindung: Ein gestohlenes Token ist nutzlos. Jede Anfrage mit einem Token braucht eine Verbindung mit dem Zertifikat.',
  'security.token_binding.mac':
    'Einen MAC jeder Anfrage: ein aufgegebener Entwurf, für vorhandene Software. Nehmen Sie lieber DPoP.',
  'security.requests': 'Autorisierungsanfragen',
  'security.any': 'Jeder dieser Algorithmen',
  'security.fapi2_preset': 'Ausfüllen, was FAPI 2.0 verlangt',
};
