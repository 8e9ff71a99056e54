import type { security as english } from '../en/security.ts';

export const security: Record<keyof typeof english, string> = {
  'security.title': 'Sicherheit dieser Anwendung',
  'security.text':
    'Änderungen gelten ab der nächsten Anfrage. Stellen Sie Ihre Server also gleichzeitig um. Auch frühere Codes und Aktualisierungstoken folgen den neuen Einstellungen; frühere Zugriffstoken bleiben, wie sie sind, bis sie ablaufen.',
  'security.profile': 'Regeln',
  'security.profile.standard': 'Üblich: OAuth 2.0, wie es jede Bibliothek beherrscht.',
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
  'security.jwks_uri': 'Adresse der öffentlichen Schlüssel',
  'security.jwks_uri_hint':
    'Anstelle der Schlüssel selbst: Dieser Server ruft sie dort ab, sodass Sie sie ohne diese Seite ersetzen können. Die Website muss immer erreichbar sein.',
  'security.subject': 'Name im Zertifikat (subject)',
  'security.subject_hint':
    'Bei einem Zertifikat einer Zertifizierungsstelle füllen Sie eines dieser beiden Felder aus. Den Namen so, wie openssl x509 -noout -subject -nameopt RFC2253 ihn ausgibt.',
  'security.host': 'Hostname im Zertifikat',
  'security.tokens': 'Was eine Anfrage mit einem Zugriffstoken nachweisen muss',
  'security.token_binding.any':
    'Nichts, außer wenn Ihre Anwendung das Token mit einem DPoP-Nachweis angefordert hat: einfach, aber wer ein Token stiehlt, kann es verwenden.',
  'security.token_binding.dpop':
    'Einen Schlüssel (DPoP): Ein gestohlenes Token ist nutzlos. Ihre Anwendung signiert für jede Anfrage einen kurzen Nachweis.',
  'security.token_binding.certificate':
    'Das Zertifikat der Verbindung: Ein gestohlenes Token ist nutzlos. Jede Anfrage mit einem Token braucht eine Verbindung mit dem Zertifikat.',
  'security.token_binding.mac':
    'Einen MAC jeder Anfrage: ein aufgegebener Entwurf, für vorhandene Software. Nehmen Sie lieber DPoP.',
  'security.requests': 'Autorisierungsanfragen',
  'security.pushed':
    'Nur vorab übermittelte: Niemand kann sie im Browser ändern. Ihre Server stellen dafür jeweils eine weitere Anfrage.',
  'security.signed':
    'Nur signierte: Sie beweisen, von wem sie stammen. Ihre Server brauchen dafür einen Schlüssel und übermitteln sie vorab.',
  'security.algorithm': 'Sie sind signiert mit',
  'security.any_algorithm': 'Einem von diesen',
  'security_problem.token_endpoint_auth_method_too_weak': 'FAPI 2.0 verlangt einen Schlüssel oder ein Zertifikat.',
  'security_problem.token_endpoint_auth_method_refused': 'Das wurde nicht angenommen: {value}',
  'security_problem.jwks_missing':
    'Fügen Sie öffentliche Schlüssel ein oder nennen Sie ihre Adresse: Ihre Auswahl oben braucht sie.',
  'security_problem.jwks_twice': 'Fügen Sie die Schlüssel ein oder nennen Sie ihre Adresse, nicht beides.',
  'security_problem.jwks_malformed': 'Das ist kein JWK-Set mit einem bis zehn Schlüsseln.',
  'security_problem.jwks_secret':
    'Hier stand ein privater Schlüssel, der deshalb entfernt wurde. Wer ihn gesehen hat, kann sich als Ihre Anwendung ausgeben: Erzeugen Sie einen neuen und fügen Sie nur seine öffentliche Hälfte ein.',
  'security_problem.jwks_unusable':
    'Einer der Schlüssel ist weder RSA mit 2048 bis 4096 Bit noch EC P-256 noch Ed25519.',
  'security_problem.jwks_forgeable':
    'Bei einem dieser Schlüssel könnte jeder unterschreiben: Der Exponent eines RSA-Schlüssels muss eine ungerade Zahl ab 65537 sein, andere Schlüssel müssen Punkte ihrer Kurve sein.',
  'security_problem.jwks_purpose':
    'Einer der Schlüssel ist nicht für Signaturen, die dieser Server annimmt: Prüfen Sie use, key_ops und alg.',
  'security_problem.jwks_kid': 'Jeder Schlüssel braucht eine andere kid.',
  'security_problem.jwks_uri_not_https': 'Das ist keine https-URL.',
  'security_problem.jwks_uri_port':
    'Dieser Port gehört zu einem anderen Protokoll: 443 oder einer über 1023 ist möglich.',
  'security_problem.tls_client_auth_subject_dn_not_one':
    'Ein Zertifikat einer Zertifizierungsstelle braucht genau einen dieser beiden Namen. Lassen Sie sonst beide leer.',
  'security_problem.tls_client_auth_subject_dn_malformed': 'Das ist kein Name wie CN=app,O=Acme,C=DE.',
  'security_problem.tls_client_auth_san_dns_malformed': 'Das ist kein Hostname wie app.example.',
  'security_problem.profile_not_https': 'FAPI 2.0 verlangt Redirect-URIs mit https.',
  'security_problem.profile_mac': 'FAPI 2.0 erlaubt keine MAC-Token.',
  'security_problem.require_signed_request_object_no_key': 'Signierte Anfragen brauchen öffentliche Schlüssel.',
};
