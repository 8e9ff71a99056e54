import type { factors as english } from '../en/factors.ts';

/** Signing in with a second factor. */
export const factors: Record<keyof typeof english, string> = {
  'factor.title': 'Anmeldung in zwei Schritten',
  'factor.text':
    'Neben dem Passwort braucht eine Anmeldung dann einen Code aus einer App auf Ihrem Telefon. Ein gestohlenes Passwort allein öffnet nichts.',
  'factor.is_on': 'Sie ist eingeschaltet.',
  'factor.is_off': 'Sie ist ausgeschaltet.',
  'factor.set_up': 'Einrichten',
  'factor.replace': 'Andere App einrichten',
  'factor.remove': 'Ausschalten',
  'factor.new_codes': 'Neue Wiederherstellungscodes',
  'factor.codes_left': 'Übrige Wiederherstellungscodes: {count}.',
  'factor.elsewhere':
    'Sie haben hier kein Passwort, das ein Code schützen könnte: Schalten Sie die Anmeldung in zwei Schritten dort ein, wo Sie sich anmelden.',
  'factor.setup': 'App einrichten',
  'factor.setup_app':
    'Öffnen Sie eine App für Anmeldecodes oder installieren Sie eine. Auch viele Passwortmanager können das.',
  'factor.setup_scan': 'Scannen Sie damit dieses Bild.',
  'factor.picture': 'Bild für die App',
  'factor.setup_type': 'Sie können es nicht scannen? Geben Sie diesen Schlüssel in die App ein:',
  'factor.setup_code': 'Der Code, den die App jetzt zeigt',
  'factor.confirm': 'Einschalten',
  'factor.demanded_now':
    'Alle melden sich hier mit einem zweiten Faktor an. Richten Sie ihn jetzt ein; dann geht Ihre Anmeldung weiter.',
  'factor.asked_by_application':
    'Die Anwendung verlangt zwei Faktoren, und Ihr Konto hat nur einen. Richten Sie den zweiten jetzt ein; dann geht Ihre Anmeldung weiter.',
  'factor.decline': 'Jetzt nicht',
  'factor.codes': 'Ihre Wiederherstellungscodes',
  'factor.codes_once': 'Sie werden nur jetzt gezeigt.',
  'factor.codes_text':
    'Wenn Sie die App verlieren, kommen Sie mit jedem davon einmal hinein. Drucken Sie sie aus oder bewahren Sie sie bei Ihren Passwörtern auf.',
  'factor.codes_kept': 'Ich habe sie aufbewahrt',
  'factor.step': 'Zweiter Schritt',
  'factor.step_text': 'Geben Sie den Code ein, den Ihre App zeigt.',
  'factor.code': 'Code aus Ihrer App',
  'factor.code_hint': 'Oder einer Ihrer Wiederherstellungscodes.',
  'factor.trust': 'In diesem Browser {days} Tage lang nicht mehr fragen',
  'factor.use_key': 'Passkey oder Sicherheitsschlüssel verwenden',
  'factor.other_way': 'Anderer Weg',
  'factor.recovery_code': 'Wiederherstellungscode',
  'factor.recovery_code_hint': 'Jeder gilt einmal.',
  'factor.ask_operator':
    'Sie haben weder die App noch einen Wiederherstellungscode? Wer diesen Server betreibt, kann den zweiten Schritt ausschalten, sobald feststeht, dass Sie es sind.',
  'notice.factor_removed': 'Die Anmeldung in zwei Schritten ist ausgeschaltet. Ihre anderen Sitzungen sind beendet.',
  'problem.changed_meanwhile':
    'Ihre Anmeldewege wurden inzwischen geändert, deshalb wurde nichts gespeichert. Diese Seite zeigt den jetzigen Stand.',
  'problem.code_needed': 'Geben Sie einen Code aus Ihrer App ein.',
  'problem.wrong_code':
    'Dieser Code ist falsch. Geben Sie den ein, den die App jetzt zeigt; die Uhr Ihres Telefons muss richtig gehen.',
  'problem.used_code': 'Dieser Code wurde schon verwendet. Warten Sie, bis die App den nächsten zeigt.',
  'problem.unreadable_factor':
    'Codes aus Ihrer App lassen sich hier gerade nicht prüfen. Verwenden Sie einen Wiederherstellungscode oder fragen Sie den Betreiber dieses Servers.',
  'problem.factor_demanded': 'Der Betreiber dieses Servers verlangt sie, deshalb lässt sie sich nicht ausschalten.',
  'problem.sign_in_over':
    'Diese Anmeldung hat länger als zehn Minuten gedauert, oder Ihr Passwort oder zweiter Faktor wurde inzwischen geändert. Bitte melden Sie sich noch einmal an.',
};
