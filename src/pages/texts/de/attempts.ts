import type { attempts as english } from '../en/attempts.ts';

export const attempts: Record<keyof typeof english, string> = {
  'outcome.refused': 'Abgelehnt, so wie es sein soll.',
  'outcome.denied': 'Sie haben abgelehnt. Die Anwendung hat das erfahren und sonst nichts bekommen.',
  'playground_problem.no_memory':
    'Eine Antwort kam zurück, aber dieser Browser hat kein Cookie der Spielwiese mitgeschickt, also kann die Anwendung nicht wissen, ob sie je gefragt hat. Entweder ist eine Stunde vergangen, oder Sie haben unter einem anderen Namen dieses Rechners begonnen: Ein Cookie für 127.0.0.1 wird nicht an localhost geschickt. Die Antwort wurde verworfen. Fangen Sie hier noch einmal an.',
  'playground_problem.already_used':
    'Die Anwendung wartet auf keine Antwort: Diese hier wurde schon benutzt oder ist alt. Ein state gilt für eine Antwort. Es ist nichts damit geschehen.',
  'playground_problem.state_mismatch':
    'Der state dieser Antwort ist nicht der, den die Anwendung geschickt hat. Vielleicht will jemand, dass Sie als jemand anderes angemeldet sind; darum verwirft die Anwendung die Antwort (RFC 6749 §10.12). Haben Sie in zwei Tabs begonnen, zählt nur der spätere Anfang.',
  'playground_problem.iss_mismatch':
    'Diese Antwort kommt nicht von dem Server, den die Anwendung gefragt hat: iss fehlt oder nennt einen anderen (RFC 9207). Die Anwendung verwirft sie und gibt den Code nirgends ab.',
  'playground_problem.no_code':
    'Diese Antwort enthält weder genau einen Code noch einen Fehler; damit ist nichts anzufangen.',
  'tries.use': 'So benutzen, wie es gedacht ist',
  'tries.text_use': 'Was eine Anwendung von hier an mit ihren Tokens tut.',
  'tries.break': 'Mit Absicht kaputt machen',
  'tries.text_break':
    'Jedes davon ist ein Angriff oder ein Missgeschick, das vorkommt. Sehen Sie, wie der Server ablehnt.',
  'break.refresh': 'Den Zugang erneuern',
  'break.change_profile': 'Ihren Namen zurückschreiben',
  'break.revoke': 'Das Token zurückgeben',
  'break.reused_code': 'Den Code ein zweites Mal einlösen',
  'break.wrong_verifier': 'Mit falschem code_verifier einlösen',
  'break.foreign_redirect_uri': 'Mit fremder redirect_uri anfragen',
  'break.expired_token': 'Ein abgelaufenes Token benutzen',
  'break.refresh_replay': 'Ein altes Erneuerungstoken benutzen',
  'break.wrong_secret': 'Ein falsches Client-Geheimnis vorlegen',
  'break.tampered_token': 'Ein Zeichen des Tokens ändern',
  'break.token_twice': 'Das Token doppelt schicken',
  'step.reused_code.title': 'Derselbe Code noch einmal',
  'step.reused_code.text':
    'Vielleicht hat ihn jemand kopiert. Der Server lehnt ab und beendet, was aus dem Code entstanden war.',
  'step.wrong_verifier.title': 'Ein Code ohne seinen Verifier',
  'step.wrong_verifier.text':
    'Wer im Browser einen Code abfängt, kennt den Verifier nicht. Ein falscher Versuch verbraucht den Code.',
  'step.spent_code.title': 'Nun der richtige Verifier',
  'step.spent_code.text':
    'Zu spät: Der falsche Versuch hat den Code verbraucht, niemand kann zweimal raten. Die Antwort ist dieselbe, damit sie nicht verrät, wie nah man war.',
  'step.foreign_redirect_uri.title': 'Eine fremde Weiterleitungs-URI',
  'step.foreign_redirect_uri.text':
    'Der Server zeigt eine Seite und leitet niemanden weiter: Er weiß nicht, wem diese Adresse gehört.',
  'step.expired_token.title': 'Ein abgelaufenes Token',
  'step.expired_token.text':
    'Niemand will hier eine Stunde warten, darum hat die Spielwiese das Ende dieses Tokens in der Datenbank vorverlegt. Alles andere ist echt: Die Antwort sagt der Anwendung, dass sie erneuern soll.',
  'step.revoked_token.title': 'Ein widerrufenes Token',
  'step.revoked_token.text': 'Vom Augenblick des Widerrufs an kennt kein Endpunkt das Token mehr.',
  'step.refresh_replay.title': 'Das erste Erneuerungstoken noch einmal',
  'step.refresh_replay.text':
    'Zwei haben es jetzt, und niemand weiß, wer der Dieb ist. Also beendet der Server die ganze Familie: Beide müssen bei der Person neu anfangen.',
  'step.wrong_secret.title': 'Ein falsches Client-Geheimnis',
  'step.wrong_secret.text':
    'Ein Erneuerungstoken allein ist nichts wert: Wer es gestohlen hat, ist nicht die Anwendung. Durch den Versuch endet auch nichts, wie die nächste Anfrage zeigt, sonst könnte ein Dieb andere abmelden.',
  'step.tampered_token.title': 'Ein Zeichen ist anders',
  'step.tampered_token.text':
    'Jedes Token endet mit einer Prüfsumme. Der Server sieht, dass dieses nie ausgestellt wurde, ohne die Datenbank zu fragen.',
  'step.token_twice.title': 'Das Token an zwei Stellen',
  'step.token_twice.text':
    'In der Kopfzeile und in der Adresse. Zwei Stellen können sich widersprechen, und zwei Programme unterwegs könnten verschiedene lesen; darum wird abgelehnt, obwohl beide stimmen.',
};
