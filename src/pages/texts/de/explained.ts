import type { explained as english } from '../en/explained.ts';

export const explained: Record<keyof typeof english, string> = {
  'explain.causes': 'Übliche Ursachen und was zu tun ist',
  'explain.others': 'Alle Fehlercodes',
  'explain.reference':
    'Jede Antwort trägt eine Kennung (X-Request-Id). Unter ihr steht der genaue Grund: für den Betreiber im Protokoll, für die Entwickler der Anwendung in der Konsole unter „Letzte Ablehnungen“.',
  'explained.invalid_request.meaning':
    'Ein Parameter fehlt, kommt doppelt vor oder ist falsch aufgebaut, oder zwei Teile der Anfrage widersprechen sich.',
  'explained.invalid_request.cause.1': 'Die redirect_uri ist nicht genau eine der registrierten.',
  'explained.invalid_request.fix.1':
    'Vergleichen Sie Zeichen für Zeichen: Schema, Host, Port, Pfad, Schrägstrich am Ende, Abfrageteil. Registrieren Sie die, die Sie senden.',
  'explained.invalid_request.cause.2':
    'Ein Parameter wurde zweimal gesendet, in der Adresse und im Rumpf, oder doppelt kodiert.',
  'explained.invalid_request.fix.2':
    'Senden Sie jeden Parameter einmal und überlassen Sie das Kodieren Ihrer HTTP-Bibliothek.',
  'explained.invalid_request.cause.3':
    'Ein öffentlicher Client sendete keine code_challenge, oder ihre Methode ist nicht S256.',
  'explained.invalid_request.fix.3':
    'Nutzen Sie PKCE: code_challenge = BASE64URL(SHA-256(code_verifier)), code_challenge_method=S256.',
  'explained.invalid_client.meaning':
    'Der Client ist unbekannt oder abgeschaltet, oder er hat nicht bewiesen, wer er ist.',
  'explained.invalid_client.cause.1':
    'Das client_secret ist falsch, wurde ausgetauscht oder endet mit einem Zeilenumbruch.',
  'explained.invalid_client.fix.1':
    'Lesen Sie das Geheimnis dort, wo es liegt, und vergleichen Sie seine Länge. Im Zweifel legen Sie in der Konsole ein zweites an.',
  'explained.invalid_client.cause.2': 'Bei HTTP Basic wurden client_id und Geheimnis nicht prozentkodiert.',
  'explained.invalid_client.fix.2':
    'Kodieren Sie erst jede Hälfte, verbinden Sie sie dann mit einem Doppelpunkt, dann Base64.',
  'explained.invalid_client.cause.3': 'Die client_id gehört zu einer anderen Umgebung.',
  'explained.invalid_client.fix.3': 'Prüfen Sie, ob in Ihrer Konfiguration dieser Server als Issuer steht.',
  'explained.invalid_grant.meaning':
    'Der Autorisierungscode oder das Erneuerungstoken ist nicht brauchbar: abgelaufen, schon benutzt, widerrufen oder für etwas anderes ausgestellt. Die Antwort verrät nie, was davon, damit ein Dieb nichts erfährt.',
  'explained.invalid_grant.cause.1':
    'Der Code wurde zweimal eingelöst, oft durch eine neu geladene Seite. Was aus ihm entstanden war, ist dann widerrufen.',
  'explained.invalid_grant.fix.1':
    'Lösen Sie den Code einmal ein und leiten Sie danach auf eine saubere Adresse weiter. Beginnen Sie wieder bei /authorize.',
  'explained.invalid_grant.cause.2': 'Die redirect_uri oder der code_verifier ist nicht die der Autorisierungsanfrage.',
  'explained.invalid_grant.fix.2':
    'Heben Sie beide zwischen den zwei Anfragen in der Sitzung auf. Mehrere Tabs brauchen je eigene.',
  'explained.invalid_grant.cause.3':
    'Das Erneuerungstoken wurde ersetzt: Jede Benutzung ergibt ein neues, und eine späte zweite beendet alle.',
  'explained.invalid_grant.fix.3':
    'Speichern Sie das neue Erneuerungstoken, bevor Sie das neue Zugriffstoken benutzen, und erneuern Sie nur an einer Stelle.',
  'explained.invalid_grant.cause.4': 'Die Person hat den Zugang widerrufen.',
  'explained.invalid_grant.fix.4':
    'Fragen Sie erneut, indem Sie sie zu /authorize schicken. Die Konsole erzählt die Geschichte Ihres Tokens.',
  'explained.unauthorized_client.meaning':
    'Der Client ist bekannt, aber nicht für diese Art der Erlaubnis registriert.',
  'explained.unauthorized_client.cause.1': 'Der grant_type gehört nicht zur Registrierung.',
  'explained.unauthorized_client.fix.1': 'Nutzen Sie authorization_code, oder lassen Sie die Registrierung ändern.',
  'explained.unsupported_grant_type.meaning': 'Der Token-Endpunkt kennt diesen grant_type nicht.',
  'explained.unsupported_grant_type.cause.1': 'Es wurde eine Art benutzt, die es hier nicht gibt, etwa password.',
  'explained.unsupported_grant_type.fix.1':
    'Siehe grant_types_supported in den Metadaten des Servers. Für Menschen ist es authorization_code.',
  'explained.unsupported_response_type.meaning': 'Der Autorisierungsendpunkt kennt diesen response_type nicht.',
  'explained.unsupported_response_type.cause.1': 'Der implizite Ablauf wurde verlangt: response_type=token.',
  'explained.unsupported_response_type.fix.1':
    'Nutzen Sie response_type=code mit PKCE, auch in einer Browseranwendung.',
  'explained.unsupported_token_type.meaning': 'Diese Art von Token lässt sich hier nicht widerrufen.',
  'explained.unsupported_token_type.cause.1':
    'Es wurde etwas anderes als ein Zugriffs- oder Erneuerungstoken gesendet.',
  'explained.unsupported_token_type.fix.1': 'Senden Sie eines von beiden. token_type_hint kann wegbleiben.',
  'explained.invalid_scope.meaning':
    'Ein Scope ist falsch geschrieben, unbekannt oder mehr, als der Client verlangen darf.',
  'explained.invalid_scope.cause.1': 'Der Scope gehört nicht zur Registrierung des Clients.',
  'explained.invalid_scope.fix.1': 'Fügen Sie ihn in der Konsole hinzu, oder verlangen Sie weniger.',
  'explained.invalid_scope.cause.2': 'Beim Erneuern wurde mehr verlangt, als erlaubt war.',
  'explained.invalid_scope.fix.2':
    'Beim Erneuern darf der Scope nur kleiner werden. Für mehr schicken Sie die Person zu /authorize.',
  'explained.request_not_supported.meaning':
    'Der Parameter request, eine in ein signiertes Objekt verpackte Anfrage, wird hier nicht angenommen.',
  'explained.request_not_supported.cause.1': 'Die Bibliothek ist auf Request-Objekte eingestellt.',
  'explained.request_not_supported.fix.1': 'Senden Sie die Parameter offen, in der Query von /authorize.',
  'explained.request_uri_not_supported.meaning':
    'Der Parameter request_uri zeigt auf etwas, das dieser Server nicht abruft.',
  'explained.request_uri_not_supported.cause.1': 'Als request_uri wurde eine eigene Adresse gesendet.',
  'explained.request_uri_not_supported.fix.1': 'Senden Sie die Parameter selbst, in der Query von /authorize.',
  'explained.access_denied.meaning': 'Die Person hat abgelehnt, oder die Seite ist nicht für sie bestimmt.',
  'explained.access_denied.cause.1': 'Jemand hat auf der Zustimmungsseite auf Ablehnen gedrückt.',
  'explained.access_denied.fix.1':
    'Achten Sie das: Sagen Sie, was ohne die Erlaubnis nicht geht, und bieten Sie an, später wieder zu fragen.',
  'explained.access_denied.cause.2': 'Ein Formular kam von einer fremden Website oder ohne sein Token.',
  'explained.access_denied.fix.2': 'Öffnen Sie die Seite noch einmal und senden Sie das Formular von dort.',
  'explained.login_required.meaning': 'Die Anfrage wollte keine Seite zeigen lassen, aber niemand ist angemeldet.',
  'explained.login_required.cause.1': 'prompt=none wurde für jemanden gesendet, dessen Sitzung beendet ist.',
  'explained.login_required.fix.1': 'Senden Sie dieselbe Anfrage noch einmal ohne prompt=none.',
  'explained.consent_required.meaning':
    'Die Anfrage wollte keine Seite zeigen lassen, aber die Person hat noch nicht allem zugestimmt.',
  'explained.consent_required.cause.1': 'prompt=none wurde mit einem neuen Scope gesendet.',
  'explained.consent_required.fix.1': 'Senden Sie dieselbe Anfrage noch einmal ohne prompt=none.',
  'explained.invalid_token.meaning': 'Das Zugriffstoken ist beschädigt, unbekannt, abgelaufen oder widerrufen.',
  'explained.invalid_token.cause.1': 'Es ist abgelaufen: expires_in sagt, nach wie vielen Sekunden.',
  'explained.invalid_token.fix.1':
    'Erneuern Sie einmal und wiederholen Sie die Anfrage. Schlägt auch das fehl, fragen Sie die Person erneut.',
  'explained.invalid_token.cause.2': 'Die Person oder die Anwendung hat es widerrufen.',
  'explained.invalid_token.fix.2':
    'Vergessen Sie das Token und schicken Sie die Person beim nächsten Besuch zu /authorize.',
  'explained.invalid_token.cause.3':
    'Es wurde abgeschnitten, oder es kam etwas hinzu: Anführungszeichen, Leerzeichen, Zeilenumbruch.',
  'explained.invalid_token.fix.3': 'Vergleichen Sie seine Länge mit dem, was /token geantwortet hat.',
  'explained.insufficient_scope.meaning':
    'Das Token ist gut, reicht aber nicht so weit. Welcher Scope nötig ist, steht in WWW-Authenticate.',
  'explained.insufficient_scope.cause.1': 'Die Person hat die Berechtigung nicht angekreuzt oder später ausgeschaltet.',
  'explained.insufficient_scope.fix.1':
    'Lesen Sie scope in jeder Token-Antwort und richten Sie sich danach. Verlangen Sie ihn erst, wenn er gebraucht wird.',
  'explained.not_found.meaning': 'Unter dieser Adresse ist nichts, oder es ist nicht für Sie bestimmt.',
  'explained.not_found.cause.1': 'Der Pfad ist vertippt, oder der Pfad des Issuers fehlt davor.',
  'explained.not_found.fix.1': 'Nehmen Sie jede Adresse aus den Metadaten des Servers.',
  'explained.method_not_allowed.meaning':
    'Die Adresse gibt es, aber nicht für diese Methode. Allow zählt die möglichen auf.',
  'explained.method_not_allowed.cause.1': 'GET wurde benutzt, wo POST nötig ist, oft nach einer Weiterleitung.',
  'explained.method_not_allowed.fix.1':
    'Senden Sie POST direkt an die Adresse aus den Metadaten, damit keine Weiterleitung GET daraus macht.',
  'explained.too_many_requests.meaning':
    'Zu viele Anfragen in zu kurzer Zeit. Retry-After sagt, wie viele Sekunden zu warten ist.',
  'explained.too_many_requests.cause.1': 'Etwas versucht es nach jedem Fehlschlag sofort wieder.',
  'explained.too_many_requests.fix.1': 'Warten Sie so lange, wie Retry-After sagt, danach jedes Mal länger.',
  'explained.server_error.meaning':
    'Auf dem Server ist etwas Unerwartetes geschehen. Mehr sagt die Antwort mit Absicht nicht.',
  'explained.server_error.cause.1': 'Ein Fehler des Servers oder seiner Umgebung.',
  'explained.server_error.fix.1': 'Nennen Sie dem Betreiber die Kennung.',
  'explained.temporarily_unavailable.meaning':
    'Der Server kann gerade nicht entscheiden, meist weil seine Datenbank weg ist. Es ist nichts verloren.',
  'explained.temporarily_unavailable.cause.1': 'Ein Neustart oder ein Ausfall.',
  'explained.temporarily_unavailable.fix.1':
    'Wiederholen Sie dieselbe Anfrage nach Retry-After. Codes und Token gelten weiter.',
};
