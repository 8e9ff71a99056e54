import type { explained as english } from '../en/explained.ts';

export const explained: Record<keyof typeof english, string> = {
  'explain.causes': 'Häufige Ursachen und Lösungen',
  'explain.others': 'Alle Fehlercodes',
  'explain.reference':
    'Jede Antwort hat eine Anfrage-ID (X-Request-Id). Sie führt zum genauen Grund: Der Betreiber findet ihn im Log, der Entwickler der Anwendung in der Entwicklerkonsole unter „Letzte Ablehnungen“.',
  'explained.invalid_request.meaning':
    'Ein Parameter fehlt, ist mehrfach vorhanden oder fehlerhaft, oder zwei Teile der Anfrage widersprechen sich.',
  'explained.invalid_request.cause.1': 'Die redirect_uri ist nicht genau eine der registrierten URIs.',
  'explained.invalid_request.fix.1':
    'Vergleichen Sie Zeichen für Zeichen: Schema, Host, Port, Pfad, Schrägstrich am Ende, Query. Registrieren Sie genau die URI, die Sie senden.',
  'explained.invalid_request.cause.2':
    'Ein Parameter wurde zweimal gesendet (zum Beispiel in der Query und im Body) oder doppelt prozentkodiert.',
  'explained.invalid_request.fix.2':
    'Senden Sie jeden Parameter einmal und überlassen Sie die Kodierung Ihrer HTTP-Bibliothek.',
  'explained.invalid_request.cause.3':
    'Ein öffentlicher Client hat keine code_challenge gesendet, oder ihre Methode ist nicht S256.',
  'explained.invalid_request.fix.3':
    'Verwenden Sie PKCE: code_challenge = BASE64URL(SHA-256(code_verifier)), code_challenge_method=S256.',
  'explained.invalid_client.meaning':
    'Der Client ist unbekannt oder deaktiviert, oder seine Authentifizierung ist fehlgeschlagen.',
  'explained.invalid_client.cause.1':
    'Das Client-Secret ist falsch, wurde ausgetauscht oder endet mit einem Zeilenumbruch.',
  'explained.invalid_client.fix.1':
    'Prüfen Sie das Secret dort, wo es gespeichert ist, und vergleichen Sie seine Länge. Fügen Sie im Zweifel in der Entwicklerkonsole ein zweites hinzu.',
  'explained.invalid_client.cause.2': 'Bei HTTP Basic wurden client_id und client_secret nicht prozentkodiert.',
  'explained.invalid_client.fix.2':
    'Prozentkodieren Sie beide einzeln, verbinden Sie sie mit einem Doppelpunkt und kodieren Sie das Ergebnis mit Base64.',
  'explained.invalid_client.cause.3': 'Die client_id gehört zu einer anderen Umgebung.',
  'explained.invalid_client.fix.3': 'Prüfen Sie, ob der Issuer in Ihrer Konfiguration dieser Server ist.',
  'explained.invalid_client.cause.4':
    'Die client_id ist die URL eines Metadatendokuments, das nicht abgerufen oder verwendet werden kann.',
  'explained.invalid_client.fix.4':
    'Die Fehlerseite nennt den Grund. Berichtigen Sie das Dokument, warten Sie eine Minute und versuchen Sie es erneut.',
  'explained.invalid_grant.meaning':
    'Der Autorisierungscode oder das Refresh-Token ist abgelaufen, wurde bereits verwendet oder widerrufen oder passt nicht zur Anfrage. Die Antwort verrät nicht, was davon zutrifft, damit ein Angreifer nichts erfährt.',
  'explained.invalid_grant.cause.1':
    'Der Code wurde zweimal eingelöst, oft weil eine Seite neu geladen wurde. Die dafür ausgestellten Token werden dann widerrufen.',
  'explained.invalid_grant.fix.1':
    'Lösen Sie den Code einmal ein und leiten Sie danach auf eine URL ohne Code weiter. Beginnen Sie wieder bei /authorize.',
  'explained.invalid_grant.cause.2':
    'Die redirect_uri oder der code_verifier stimmt nicht mit der Autorisierungsanfrage überein.',
  'explained.invalid_grant.fix.2':
    'Bewahren Sie beide zwischen den zwei Anfragen in der Sitzung auf, für jeden Browser-Tab getrennt.',
  'explained.invalid_grant.cause.3':
    'Das Refresh-Token wurde ersetzt: Jede Verwendung liefert ein neues, und die spätere Verwendung eines alten widerruft alle.',
  'explained.invalid_grant.fix.3':
    'Speichern Sie das neue Refresh-Token, bevor Sie das neue Access-Token verwenden, und erneuern Sie nur an einer Stelle.',
  'explained.invalid_grant.cause.4': 'Der Benutzer hat den Zugriff widerrufen.',
  'explained.invalid_grant.fix.4':
    'Schicken Sie den Benutzer erneut zu /authorize. Die Entwicklerkonsole zeigt, was mit einem Token geschehen ist.',
  'explained.invalid_dpop_proof.meaning':
    'Der Header DPoP weist den Besitz eines Schlüssels für diese Anfrage nicht nach. Die Beschreibung nennt den Fehler.',
  'explained.invalid_dpop_proof.cause.1':
    'htm oder htu entspricht nicht der Methode und der Adresse der Anfrage, oft hinter einem Proxy.',
  'explained.invalid_dpop_proof.fix.1':
    'Schreiben Sie die Adresse so, wie sie in den Metadaten des Servers steht, ohne Query.',
  'explained.invalid_dpop_proof.cause.2':
    'Ein Nachweis wurde zweimal gesendet, oder die Uhr der Anwendung geht falsch.',
  'explained.invalid_dpop_proof.fix.2':
    'Erstellen Sie für jede Anfrage einen neuen Nachweis mit neuer jti, auch bei einer Wiederholung, und synchronisieren Sie die Uhr.',
  'explained.invalid_dpop_proof.cause.3': 'Dem Nachweis für /user fehlt ath.',
  'explained.invalid_dpop_proof.fix.3': 'Fügen Sie den SHA-256-Hashwert des Access-Tokens in Base64url hinzu.',
  'explained.use_dpop_nonce.meaning':
    'Dieser Server akzeptiert nur DPoP-Nachweise mit einer Nonce, die er in den letzten Minuten ausgegeben hat.',
  'explained.use_dpop_nonce.cause.1': 'Der Nachweis enthält keine oder eine alte Nonce.',
  'explained.use_dpop_nonce.fix.1':
    'Wiederholen Sie die Anfrage mit einem neuen Nachweis, der den Wert des Headers DPoP-Nonce enthält. Jede Antwort auf einen Nachweis enthält den Wert für den nächsten.',
  'explained.unauthorized_client.meaning': 'Der Client ist bekannt, aber nicht für diesen Grant-Typ registriert.',
  'explained.unauthorized_client.cause.1': 'Der grant_type ist nicht Teil der Registrierung.',
  'explained.unauthorized_client.fix.1': 'Verwenden Sie authorization_code oder lassen Sie die Registrierung ändern.',
  'explained.unsupported_grant_type.meaning': 'Der Token-Endpunkt unterstützt diesen grant_type nicht.',
  'explained.unsupported_grant_type.cause.1':
    'Die Anfrage verwendet einen Grant-Typ, den dieser Server nicht anbietet, zum Beispiel password.',
  'explained.unsupported_grant_type.fix.1':
    'Wählen Sie einen Wert aus grant_types_supported in den Metadaten des Servers. Für Benutzer ist es authorization_code.',
  'explained.unsupported_response_type.meaning': 'Der Autorisierungsendpunkt unterstützt diesen response_type nicht.',
  'explained.unsupported_response_type.cause.1': 'Die Anfrage verwendet den Implicit Flow (response_type=token).',
  'explained.unsupported_response_type.fix.1': 'Verwenden Sie response_type=code mit PKCE, auch in Browseranwendungen.',
  'explained.unsupported_token_type.meaning': 'Diese Art von Token kann hier nicht widerrufen werden.',
  'explained.unsupported_token_type.cause.1': 'Die Anfrage enthält weder ein Access-Token noch ein Refresh-Token.',
  'explained.unsupported_token_type.fix.1':
    'Senden Sie ein Access-Token oder ein Refresh-Token. token_type_hint ist optional.',
  'explained.invalid_scope.meaning':
    'Ein Scope ist fehlerhaft, unbekannt oder nicht in der Registrierung des Clients enthalten.',
  'explained.invalid_scope.cause.1': 'Der Client ist für den Scope nicht registriert.',
  'explained.invalid_scope.fix.1': 'Fügen Sie den Scope in der Entwicklerkonsole hinzu oder fordern Sie weniger an.',
  'explained.invalid_scope.cause.2': 'Beim Erneuern wurde mehr angefordert, als erteilt wurde.',
  'explained.invalid_scope.fix.2':
    'Beim Erneuern lässt sich der Scope nur einschränken. Um ihn zu erweitern, schicken Sie den Benutzer zu /authorize.',
  'explained.invalid_target.meaning':
    'Eine Ressource ist fehlerhaft oder unbekannt, oder der Client kann kein Token für sie erhalten.',
  'explained.invalid_target.cause.1':
    'Die Ressource ist hier nicht registriert: etwa ein MCP-Server, dessen Metadaten diesen Server nennen.',
  'explained.invalid_target.fix.1':
    'Nur die Betreiber dieses Servers können sie registrieren. Senden Sie ihnen die Adresse, genau wie sie in den Metadaten der Ressource unter resource steht, und die Scopes.',
  'explained.invalid_target.cause.2': 'Die Ressource ist nicht so geschrieben, wie sie registriert ist.',
  'explained.invalid_target.fix.2': 'Vergleichen Sie Zeichen für Zeichen, auch den Schrägstrich am Ende.',
  'explained.invalid_target.cause.3': 'Der Client ist für keinen der Scopes registriert, die die Ressource kennt.',
  'explained.invalid_target.fix.3': 'Fügen Sie einen dieser Scopes zur Registrierung des Clients hinzu.',
  'explained.invalid_target.cause.4':
    'Die Token-Anfrage nennt eine Ressource, die in der Autorisierungsanfrage fehlte, oder keine von mehreren.',
  'explained.invalid_target.fix.4': 'Senden Sie alle Ressourcen an /authorize, dann eine davon an /token.',
  'explained.invalid_redirect_uri.meaning': 'Eine Redirect-URI in einer Registrierung kann nicht angenommen werden.',
  'explained.invalid_redirect_uri.cause.1':
    'Sie ist weder https noch eine Loopback-Adresse noch ein privates Schema wie com.example.app:/callback, oder sie hat ein Fragment oder einen Platzhalter.',
  'explained.invalid_redirect_uri.fix.1':
    'Die Beschreibung nennt die Regel. Registrieren Sie genau die URI, zu der der Browser zurückkehrt.',
  'explained.invalid_redirect_uri.cause.2':
    'Die URIs gehören zu verschiedenen Hosts oder zu einem Host, den dieser Server nicht annimmt.',
  'explained.invalid_redirect_uri.fix.2':
    'Verwenden Sie einen Host und dessen Subdomains; registrieren Sie für einen anderen eine zweite Anwendung.',
  'explained.invalid_client_metadata.meaning':
    'Ein anderer Teil der Registrierung als die Redirect-URIs kann nicht angenommen werden.',
  'explained.invalid_client_metadata.cause.1':
    'Er hat einen anderen Typ, als RFC 7591 vorschreibt, oder einen Wert, den dieser Server nicht unterstützt.',
  'explained.invalid_client_metadata.fix.1':
    'Die Beschreibung nennt den Teil. Vergleichen Sie seinen Wert mit den Metadaten des Servers.',
  'explained.invalid_client_metadata.cause.2':
    'Eine Änderung gäbe der Anwendung mehr als ihre Registrierung: einen weiteren Scope oder kein Secret mehr.',
  'explained.invalid_client_metadata.fix.2': 'Registrieren Sie stattdessen eine weitere Anwendung.',
  'explained.request_not_supported.meaning':
    'Dieser Server unterstützt den Parameter request an dieser Adresse nicht: Ein signiertes Request-Objekt kann er nur an /par übertragen.',
  'explained.request_not_supported.cause.1': 'Die Bibliothek ist so konfiguriert, dass sie Request-Objekte verwendet.',
  'explained.request_not_supported.fix.1':
    'Senden Sie die Parameter direkt in der Query von /authorize, oder senden Sie das Request-Objekt an /par.',
  'explained.invalid_request_uri.meaning':
    'Die Anwendung hat ihre Anfrage vorab übermittelt; die request_uri, die darauf verweist, ist unbekannt, abgelaufen oder schon beantwortet.',
  'explained.invalid_request_uri.cause.1': 'Die Anfrage wurde mehr als eine Minute nach ihrer Erstellung geöffnet.',
  'explained.invalid_request_uri.fix.1': 'Beginnen Sie noch einmal in der Anwendung.',
  'explained.invalid_request_uri.cause.2': 'Die request_uri ist eine eigene URL des Clients.',
  'explained.invalid_request_uri.fix.2':
    'Senden Sie die Anfrage an /par und verwenden Sie die request_uri aus der Antwort.',
  'explained.invalid_request_object.meaning':
    'Die Anwendung hat ihre Anfrage signiert, aber die Signatur oder ein Claim dieses JWT entspricht nicht den Anforderungen.',
  'explained.invalid_request_object.cause.1':
    'Die Anwendung hat andere Schlüssel registriert als den, mit dem sie signiert hat, oder keine.',
  'explained.invalid_request_object.fix.1':
    'Registrieren Sie den öffentlichen Schlüssel mit der kid aus dem Header als jwks oder unter der jwks_uri.',
  'explained.invalid_request_object.cause.2':
    'Ein Claim fehlt oder ist falsch, oder die Anfrage wurde schon einmal mit derselben jti gesendet.',
  'explained.invalid_request_object.fix.2':
    'Setzen Sie iss und client_id auf die client_id, aud auf den Issuer, nbf auf jetzt, exp auf höchstens eine Stunde später und jti auf einen neuen Wert.',
  'explained.access_denied.meaning': 'Der Benutzer hat den Zugriff abgelehnt oder darf die Seite nicht öffnen.',
  'explained.access_denied.cause.1': 'Der Benutzer hat auf der Zustimmungsseite auf „Ablehnen“ geklickt.',
  'explained.access_denied.fix.1':
    'Respektieren Sie die Entscheidung: Erklären Sie, was ohne die Berechtigung nicht funktioniert, und bieten Sie an, später erneut zu fragen.',
  'explained.access_denied.cause.2':
    'Ein Formular wurde von einer anderen Website oder ohne sein CSRF-Token abgesendet.',
  'explained.access_denied.fix.2': 'Öffnen Sie die Seite erneut und senden Sie das Formular von dort ab.',
  'explained.access_denied.cause.3':
    'Eine Anwendung wollte einen Namen oder eine Adresse ändern, die von der Anmeldung der Person an anderer Stelle stammen.',
  'explained.access_denied.fix.3':
    'Schicken Sie die Person dorthin, wo sie sich anmeldet: Was sie dort ändert, kommt auch hier an.',
  'explained.login_required.meaning':
    'Die Anfrage verbietet es, eine Seite anzuzeigen, aber es ist kein Benutzer angemeldet.',
  'explained.login_required.cause.1': 'prompt=none wurde gesendet, nachdem die Sitzung des Benutzers beendet war.',
  'explained.login_required.fix.1': 'Senden Sie dieselbe Anfrage ohne prompt=none.',
  'explained.consent_required.meaning':
    'Die Anfrage verbietet es, eine Seite anzuzeigen, aber der Benutzer hat noch nicht alles erlaubt.',
  'explained.consent_required.cause.1':
    'prompt=none wurde mit einem Scope gesendet, über den der Benutzer noch nicht entschieden hat.',
  'explained.consent_required.fix.1': 'Senden Sie dieselbe Anfrage ohne prompt=none.',
  'explained.invalid_token.meaning': 'Das Access-Token ist fehlerhaft, unbekannt, abgelaufen oder widerrufen.',
  'explained.invalid_token.cause.1': 'Es ist abgelaufen: expires_in ist seine Lebensdauer in Sekunden.',
  'explained.invalid_token.fix.1':
    'Erneuern Sie es einmal und wiederholen Sie die Anfrage. Schlägt auch das fehl, schicken Sie den Benutzer zu /authorize.',
  'explained.invalid_token.cause.2': 'Der Benutzer oder die Anwendung hat es widerrufen.',
  'explained.invalid_token.fix.2':
    'Löschen Sie das Token und schicken Sie den Benutzer beim nächsten Besuch zu /authorize.',
  'explained.invalid_token.cause.3':
    'Es wurde abgeschnitten, oder es kamen Zeichen hinzu: Anführungszeichen, ein Leerzeichen, ein Zeilenumbruch.',
  'explained.invalid_token.fix.3': 'Vergleichen Sie seine Länge mit dem Token in der Antwort von /token.',
  'explained.insufficient_scope.meaning':
    'Das Token ist gültig, hat aber nicht den Scope, den diese Anfrage benötigt. WWW-Authenticate nennt ihn.',
  'explained.insufficient_scope.cause.1': 'Der Benutzer hat die Berechtigung nicht erteilt oder später entzogen.',
  'explained.insufficient_scope.fix.1':
    'Lesen Sie scope in jeder Token-Antwort und richten Sie sich danach. Fordern Sie die Berechtigung erst an, wenn Sie sie benötigen.',
  'explained.insufficient_scope.cause.2':
    'Der Scope ist da, aber email ist null: Niemand hat bestätigt, dass die Adresse dem Benutzer gehört.',
  'explained.insufficient_scope.fix.2':
    'Identifizieren Sie Personen durch sub, nie durch Adresse oder Name. Wenn Sie eine Adresse brauchen, fragen Sie danach und prüfen Sie sie.',
  'explained.not_found.meaning': 'Unter dieser Adresse existiert nichts, oder Sie dürfen es nicht sehen.',
  'explained.not_found.cause.1': 'Der Pfad ist falsch geschrieben, oder es fehlt der Pfad des Issuers.',
  'explained.not_found.fix.1': 'Entnehmen Sie alle Adressen den Metadaten des Servers.',
  'explained.method_not_allowed.meaning':
    'Die Adresse unterstützt diese Methode nicht. Der Header Allow nennt die unterstützten Methoden.',
  'explained.method_not_allowed.cause.1': 'GET wurde statt POST gesendet, oft nach einer Weiterleitung.',
  'explained.method_not_allowed.fix.1':
    'Senden Sie POST direkt an die Adresse aus den Metadaten, damit keine Weiterleitung GET daraus macht.',
  'explained.too_many_requests.meaning':
    'In kurzer Zeit wurden zu viele Anfragen gesendet. Retry-After gibt die Wartezeit in Sekunden an.',
  'explained.too_many_requests.cause.1': 'Der Client wiederholt die Anfrage nach jedem Fehlschlag sofort.',
  'explained.too_many_requests.fix.1':
    'Warten Sie so lange, wie Retry-After angibt, und nach jedem weiteren Fehlschlag länger.',
  'explained.server_error.meaning':
    'Auf dem Server ist ein unerwarteter Fehler aufgetreten. Die Antwort enthält absichtlich keine Einzelheiten.',
  'explained.server_error.cause.1': 'Ein Fehler des Servers oder seiner Umgebung.',
  'explained.server_error.fix.1': 'Nennen Sie dem Betreiber die Anfrage-ID.',
  'explained.temporarily_unavailable.meaning':
    'Der Server kann gerade nicht antworten, meist weil seine Datenbank nicht verfügbar ist.',
  'explained.temporarily_unavailable.cause.1': 'Ein Neustart, ein Ausfall oder zu hohe Last.',
  'explained.temporarily_unavailable.fix.1':
    'Wiederholen Sie dieselbe Anfrage nach der Zeit in Retry-After. Codes und Token bleiben gültig.',
};
