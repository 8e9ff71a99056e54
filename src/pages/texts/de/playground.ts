import type { playground as english } from '../en/playground.ts';

export const playground: Record<keyof typeof english, string> = {
  'playground.title': 'Spielwiese',
  'playground.text':
    'Eine echte, bei diesem Server registrierte Anwendung. Sie meldet Sie an, bittet um eine Berechtigung und liest Ihr Profil, und Sie können alles mitlesen.',
  'playground.demo_user': 'Melden Sie sich als {username} mit dem Passwort {password} an.',
  'playground.start': 'Ablauf starten',
  'playground.start_text':
    'Unten steht die Anfrage, die Ihr Browser überbringen wird, mit jedem Parameter. Nach Ihrer Antwort sehen Sie jede Nachricht, die darauf folgte.',
  'playground.ask_again': 'Mich noch einmal fragen, auch wenn ich schon entschieden habe',
  'playground.other_host':
    'Diese Seite ist unter dem Namen {host} geöffnet, der Server selbst nennt sich {domain}. Ein Cookie des einen wird nicht an den anderen geschickt.',
  'playground.open_there': 'Die Spielwiese dort öffnen',
  'playground.restart': 'Noch einmal von vorn',
  'playground.flow': 'Zurück zum ganzen Ablauf',
  'playground.ended':
    'Die Tokens dieses Ablaufs sind beendet. Fangen Sie von vorn an, um zu versuchen, was welche braucht.',
  'playground.permissions': 'Worum sie bat und was Sie angekreuzt ließen',
  'playground.granted': 'gewährt',
  'playground.unticked': 'nicht gewährt',
  'playground.received': 'Was die Anwendung bekommen hat',
  'playground.received_text': 'Genau das, was Sie angekreuzt ließen, und sonst nichts.',
  'playground.request': 'Anfrage',
  'playground.response': 'Antwort',
  'playground.page': 'Die Seite ansehen, mit der der Server antwortet',
  'playground.curl': 'Als Befehl',
  'playground.once':
    'Der Code ist schon benutzt. Dieser Befehl legt ihn noch einmal vor: Der Server lehnt ab und beendet die Tokens, die aus ihm entstanden sind.',
  'playground.by_browser': 'Über den Browser',
  'playground.by_application': 'Direkt, Anwendung zu Server',
  'step.authorization_request.title': 'Die Anwendung schickt Sie hierher',
  'step.authorization_request.text':
    'Ihr Browser wird zum Server weitergeleitet, mit dem Wunsch der Anwendung in der Adresse. Nichts davon ist geheim.',
  'step.authorization_response.title': 'Sie entscheiden und kehren mit einem Code zurück',
  'step.authorization_response.text':
    'Für sich allein ist der Code nichts wert: Er gilt einmal, für Minuten, und nur für diese Anwendung.',
  'step.token_request.title': 'Die Anwendung löst den Code ein',
  'step.token_request.text':
    'Am Browser vorbei. Die Anwendung weist sich mit ihrem Geheimnis aus, das hier zu sehen ist, weil es nur der Vorführung gehört, und der code_verifier beweist, dass sie es war, die angefangen hat.',
  'step.resource_request.title': 'Sie liest Ihr Profil',
  'step.resource_request.text':
    'Das Token öffnet, was Sie erlaubt haben. Die Antwort enthält die Felder dieser Berechtigungen und keine anderen.',
  'step.refresh_request.title': 'Sie erneuert den Zugang',
  'step.refresh_request.text':
    'Jedes Erneuerungstoken gilt einmal; die Antwort enthält das nächste. Kommt ein altes wieder, enden alle.',
  'step.change_request.title': 'Sie ändert Ihr Profil',
  'step.change_request.text':
    'Ihr eigener Name, unverändert zurückgeschrieben. Haben Sie diese Berechtigung nicht angekreuzt gelassen, ist die Antwort 403 und nennt den fehlenden Scope.',
  'step.revocation_request.title': 'Sie gibt das Token zurück',
  'step.revocation_request.text':
    'Eine Anwendung, die den Zugang nicht mehr braucht, sagt es. Die Antwort ist 200, auch für ein Token, das schon beendet war.',
  'step.refused_response.title': 'Sie lehnen ab und kehren ohne Code zurück',
  'step.refused_response.text':
    'Die Anwendung erfährt, dass der Zugang verweigert wurde, und nichts über Sie. Eine gewöhnliche Antwort, mit der sie leben muss.',
  'parameter.response_type': 'Die Antwort soll ein Code sein.',
  'parameter.client_id': 'Wer fragt. Öffentlich, kein Geheimnis.',
  'parameter.redirect_uri': 'Wohin die Antwort geht. Muss Zeichen für Zeichen registriert sein.',
  'parameter.scope': 'Welche Berechtigungen.',
  'parameter.state': 'Von der Anwendung erdacht, unverändert zurückgegeben: Daran erkennt sie ihre eigene Anfrage.',
  'parameter.code_challenge': 'Der Prüfwert eines Geheimnisses, das nur diese Anwendung kennt (PKCE).',
  'parameter.code_challenge_method': 'Wie der Prüfwert entstand: SHA-256.',
  'parameter.prompt': 'Die Person auch dann fragen, wenn sie schon zugestimmt hat.',
  'parameter.code': 'Der Autorisierungscode: gilt einmal und nur kurz.',
  'parameter.iss': 'Welcher Server geantwortet hat, damit sich zwei nicht verwechseln lassen.',
  'parameter.grant_type': 'Was eingelöst wird.',
  'parameter.client_secret': 'Das Passwort der Anwendung.',
  'parameter.code_verifier': 'Das Geheimnis selbst. Sein Prüfwert muss der code_challenge gleichen.',
  'parameter.access_token': 'Der Schlüssel zur Ressource.',
  'parameter.token_type': 'Wer das Token bei sich trägt, darf es benutzen.',
  'parameter.expires_in': 'Sekunden, bis das Zugriffstoken endet.',
  'parameter.refresh_token': 'Für das nächste Zugriffstoken.',
  'parameter.error': 'Der Code der Ablehnung.',
  'parameter.error_description': 'Der Grund, für Entwickler.',
  'parameter.error_uri': 'Die Seite zu diesem Fehler.',
  'parameter.token': 'Das Token, das enden soll.',
  'parameter.request_id': 'Führt den Betreiber im Protokoll zu dieser Ablehnung.',
};
