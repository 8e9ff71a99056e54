import type { playground as english } from '../en/playground.ts';

export const playground: Record<keyof typeof english, string> = {
  'playground.title': 'Playground',
  'playground.text':
    'Eine echte Anwendung, die auf diesem Server registriert ist. Sie meldet Sie an, bittet um Berechtigungen und liest Ihr Profil, und Sie sehen jede Anfrage.',
  'playground.demo_user': 'Melden Sie sich als {username} mit dem Passwort {password} an.',
  'playground.start': 'Ablauf starten',
  'playground.start_text':
    'Unten steht die Anfrage, die Ihr Browser senden wird, mit allen Parametern. Nach Ihrer Entscheidung sehen Sie alle Nachrichten, die darauf folgten.',
  'playground.ask_again': 'Erneut fragen, auch wenn ich schon entschieden habe',
  'playground.other_host':
    'Sie haben diese Seite unter {host} geöffnet, aber die Adresse dieses Servers ist {domain}. Browser teilen Cookies nicht zwischen den beiden.',
  'playground.open_there': 'Den Playground dort öffnen',
  'playground.restart': 'Von vorn beginnen',
  'playground.flow': 'Zurück zum ganzen Ablauf',
  'playground.ended':
    'Die Token dieses Ablaufs sind nicht mehr gültig. Beginnen Sie von vorn, um auszuprobieren, was ein Token benötigt.',
  'playground.permissions': 'Angeforderte und erteilte Berechtigungen',
  'playground.granted': 'erteilt',
  'playground.unticked': 'nicht erteilt',
  'playground.received': 'Was die Anwendung erhalten hat',
  'playground.received_text': 'Genau das, was Sie erlaubt haben, und sonst nichts.',
  'playground.request': 'Anfrage',
  'playground.response': 'Antwort',
  'playground.page': 'Die Seite anzeigen, die der Server zurückgegeben hat',
  'playground.curl': 'Als curl-Befehl',
  'playground.by_browser': 'Über den Browser',
  'playground.by_application': 'Direkt an den Server',
  'step.authorization_request.title': 'Die Anwendung schickt Sie zum Server',
  'step.authorization_request.text':
    'Ihr Browser wird zum Server weitergeleitet, mit der Anfrage der Anwendung in der URL. Nichts davon ist geheim.',
  'step.authorization_response.title': 'Sie entscheiden und kehren mit einem Code zurück',
  'step.authorization_response.text':
    'Allein ist der Code nutzlos: Er kann nur einmal, innerhalb weniger Minuten und nur von dieser Anwendung eingelöst werden.',
  'step.token_request.title': 'Die Anwendung löst den Code ein',
  'step.token_request.text':
    'Diese Anfrage läuft nicht über den Browser. Das Client-Secret authentifiziert die Anwendung (es ist hier nur zu sehen, weil dies eine Demo ist), und der code_verifier beweist, dass dieselbe Anwendung den Ablauf begonnen hat.',
  'step.resource_request.title': 'Die Anwendung liest Ihr Profil',
  'step.resource_request.text':
    'Das Access-Token gibt Zugriff auf das, was Sie erlaubt haben. Die Antwort enthält die Felder dieser Berechtigungen und keine anderen.',
  'step.refresh_request.title': 'Die Anwendung erneuert das Access-Token',
  'step.refresh_request.text':
    'Jedes Refresh-Token kann einmal verwendet werden; die Antwort enthält das nächste. Wird später ein altes verwendet, werden alle widerrufen.',
  'step.change_request.title': 'Die Anwendung ändert Ihr Profil',
  'step.change_request.text':
    'Sie sendet Ihren eigenen Namen unverändert zurück. Wenn Sie diese Berechtigung nicht erteilt haben, lautet die Antwort 403 und nennt den fehlenden Scope.',
  'step.revocation_request.title': 'Die Anwendung widerruft das Token',
  'step.revocation_request.text':
    'Eine Anwendung sollte ein Token widerrufen, das sie nicht mehr benötigt. Die Antwort ist 200, auch wenn das Token nicht mehr gültig war.',
  'step.refused_response.title': 'Sie lehnen ab und kehren ohne Code zurück',
  'step.refused_response.text':
    'Die Anwendung erfährt, dass der Zugriff abgelehnt wurde, und nichts über Sie. Mit dieser Antwort muss jede Anwendung rechnen.',
  'parameter.response_type': 'Fordert einen Autorisierungscode an.',
  'parameter.client_id': 'Identifiziert die Anwendung. Öffentlich, kein Geheimnis.',
  'parameter.redirect_uri': 'Wohin die Antwort geht. Muss Zeichen für Zeichen registriert sein.',
  'parameter.scope': 'Die Berechtigungen.',
  'parameter.state':
    'Ein Zufallswert der Anwendung, der unverändert zurückkommt: Daran erkennt sie ihre eigene Anfrage.',
  'parameter.code_challenge': 'Der Hashwert des code_verifier, den nur diese Anwendung kennt (PKCE).',
  'parameter.code_challenge_method': 'Wie der Hashwert berechnet wurde: SHA-256.',
  'parameter.prompt': 'Fragt den Benutzer auch dann, wenn er den Zugriff bereits erlaubt hat.',
  'parameter.code': 'Der Autorisierungscode: gilt einmal, für kurze Zeit.',
  'parameter.iss': 'Der Server, der geantwortet hat, damit zwei Server nicht verwechselt werden.',
  'parameter.grant_type': 'Was gegen Token eingetauscht wird.',
  'parameter.client_secret': 'Das Passwort der Anwendung.',
  'parameter.code_verifier': 'Das Geheimnis selbst. Sein Hashwert muss der code_challenge gleichen.',
  'parameter.access_token': 'Gibt Zugriff auf die Ressource.',
  'parameter.token_type':
    'Wie das Token vorgelegt wird. Ein Bearer-Token kann jeder verwenden, der es besitzt; DPoP verlangt einen Nachweis.',
  'parameter.expires_in': 'Sekunden bis zum Ablauf.',
  'parameter.refresh_token': 'Damit erhält die Anwendung das nächste Access-Token.',
  'parameter.refresh_token_expires_in': 'Sekunden, bis das Refresh-Token abläuft.',
  'parameter.authorization_expires_in': 'Sekunden, bis der Zugriff endet, wie der Benutzer es gewählt hat.',
  'parameter.id': 'Die Nummer des Kontos hier.',
  'parameter.sub': 'Daran erkennt die Anwendung den Benutzer: Es ändert sich nie.',
  'parameter.name': 'Der Name des Benutzers. Er kann sich ändern.',
  'parameter.email': 'Die Adresse des Benutzers, wenn sie bestätigt ist.',
  'parameter.email_verified': 'Ob es eine bestätigte Adresse gibt.',
  'parameter.username': 'Der Name, mit dem sich der Benutzer hier anmeldet. Er kann sich ändern.',
  'parameter.error': 'Der Fehlercode.',
  'parameter.error_description': 'Der Grund, für Entwickler.',
  'parameter.error_uri': 'Eine Seite zu diesem Fehler.',
  'parameter.token': 'Das Token, um das es geht.',
  'parameter.request_id': 'Identifiziert diese Ablehnung im Log des Betreibers.',
  'playground.steps': 'Schritte',
};
