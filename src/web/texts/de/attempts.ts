import type { attempts as english } from '../en/attempts.ts';

export const attempts: Record<keyof typeof english, string> = {
  'outcome.refused': 'Abgelehnt, wie es sein soll.',
  'outcome.denied': 'Sie haben den Zugriff abgelehnt. Die Anwendung hat eine Fehlermeldung erhalten und sonst nichts.',
  'playground_problem.no_memory':
    'Eine Antwort ist eingegangen, aber Ihr Browser hat kein Cookie des Playgrounds mitgesendet. Die Anwendung kann daher nicht feststellen, ob sie die Anfrage gestellt hat. Entweder ist mehr als eine Stunde vergangen, oder Sie haben unter einem anderen Hostnamen begonnen: Ein Cookie für 127.0.0.1 wird nicht an localhost gesendet. Die Antwort wurde verworfen. Bitte beginnen Sie hier von vorn.',
  'playground_problem.already_used':
    'Die Anwendung wartet nicht auf diese Antwort: Sie wurde bereits verwendet oder ist zu alt. Ein state-Wert gilt für eine Antwort. Diese Antwort wurde ignoriert.',
  'playground_problem.state_mismatch':
    'Der state dieser Antwort ist nicht der, den die Anwendung gesendet hat. Möglicherweise will jemand Sie bei einem fremden Konto anmelden, deshalb verwirft die Anwendung die Antwort (RFC 6749 §10.12). Wenn Sie in zwei Tabs begonnen haben, zählt nur der spätere Versuch.',
  'playground_problem.iss_mismatch':
    'Diese Antwort stammt nicht von dem Server, an den die Anwendung ihre Anfrage gesendet hat: iss fehlt oder nennt einen anderen Server (RFC 9207). Die Anwendung verwirft die Antwort und sendet den Code an niemanden.',
  'playground_problem.no_code':
    'Diese Antwort enthält weder genau einen Code noch einen Fehler, deshalb kann die Anwendung sie nicht verwenden.',
  'tries.use': 'Die Token verwenden',
  'tries.text_use': 'Was eine Anwendung normalerweise mit ihren Token tut.',
  'tries.break': 'Den Ablauf angreifen',
  'tries.text_break':
    'Jede Schaltfläche simuliert einen Angriff oder einen Fehler. Sehen Sie, wie der Server ihn abwehrt.',
  'break.refresh': 'Access-Token erneuern',
  'break.change_profile': 'Ihr Profil ändern',
  'break.revoke': 'Token widerrufen',
  'break.reused_code': 'Code zweimal einlösen',
  'break.wrong_verifier': 'Falschen code_verifier senden',
  'break.foreign_redirect_uri': 'Nicht registrierte redirect_uri senden',
  'break.expired_token': 'Abgelaufenes Token verwenden',
  'break.refresh_replay': 'Altes Refresh-Token verwenden',
  'break.wrong_secret': 'Falsches Client-Secret senden',
  'break.tampered_token': 'Ein Zeichen des Tokens ändern',
  'break.token_twice': 'Token doppelt senden',
  'step.reused_code.title': 'Der Code wird ein zweites Mal eingelöst',
  'step.reused_code.text':
    'Jemand könnte den Code kopiert haben. Der Server lehnt ihn ab und widerruft die dafür ausgestellten Token.',
  'step.wrong_verifier.title': 'Der Code wird mit falschem code_verifier eingelöst',
  'step.wrong_verifier.text':
    'Ein Angreifer, der einen Code im Browser abfängt, kennt den code_verifier nicht. Ein falscher Versuch macht den Code ungültig.',
  'step.spent_code.title': 'Der richtige code_verifier kommt zu spät',
  'step.spent_code.text':
    'Der falsche Versuch hat den Code ungültig gemacht, deshalb kann niemand zweimal raten. Der Fehler ist derselbe wie zuvor und verrät nicht, ob richtig geraten wurde.',
  'step.foreign_redirect_uri.title': 'Eine nicht registrierte Redirect-URI',
  'step.foreign_redirect_uri.text':
    'Der Server zeigt eine Fehlerseite und leitet nicht weiter: Die Adresse gehört möglicherweise nicht zur Anwendung.',
  'step.expired_token.title': 'Ein abgelaufenes Token',
  'step.expired_token.text':
    'Damit Sie keine Stunde warten müssen, hat der Playground den Ablauf dieses Tokens in der Datenbank in die Vergangenheit verlegt. Alles andere ist echt: Die Antwort fordert die Anwendung auf, das Token zu erneuern.',
  'step.revoked_token.title': 'Ein widerrufenes Token',
  'step.revoked_token.text': 'Sobald ein Token widerrufen ist, akzeptiert es kein Endpunkt mehr.',
  'step.refresh_replay.title': 'Das erste Refresh-Token wird erneut verwendet',
  'step.refresh_replay.text':
    'Zwei Parteien könnten dieses Token besitzen, und der Server kann nicht erkennen, welche davon der Dieb ist. Deshalb widerruft er alle Token dieser Autorisierung, und die Anwendung muss Sie erneut fragen.',
  'step.wrong_secret.title': 'Ein falsches Client-Secret',
  'step.wrong_secret.text':
    'Ein gestohlenes Refresh-Token ist ohne das Client-Secret nutzlos. Der fehlgeschlagene Versuch widerruft nichts, wie die nächste Anfrage zeigt; sonst könnte ein Dieb andere abmelden.',
  'step.tampered_token.title': 'Ein Zeichen ist anders',
  'step.tampered_token.text':
    'Jedes Token endet mit einer Prüfsumme. Der Server erkennt ohne Datenbankabfrage, dass er dieses Token nie ausgestellt hat.',
  'step.token_twice.title': 'Das Token an zwei Stellen',
  'step.token_twice.text':
    'Das Token steht im Header und in der URL. Programme auf dem Weg könnten verschiedene lesen, deshalb lehnt der Server die Anfrage ab, obwohl beide gültig sind.',
};
