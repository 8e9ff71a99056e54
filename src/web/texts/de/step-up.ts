import type { stepUp as english } from '../en/step-up.ts';

export const stepUp: Record<keyof typeof english, string> = {
  'login.step_up':
    'Sie sind bereits angemeldet, aber die Anwendung verlangt zwei Faktoren, zum Beispiel einen Passkey oder Ihr Passwort und einen Code. Bitte melden Sie sich erneut an.',
  'problem.password_common':
    'Dieses Passwort gehört zu den 10.000 häufigsten, die andere zuerst ausprobieren. Wählen Sie ein anderes.',
  'problem.password_is_name':
    'Ihr Passwort darf weder Ihr Benutzername noch Ihre Adresse noch der Name dieses Servers sein.',
  'export.title': 'Ihre Daten herunterladen',
  'export.summary':
    'Alles, was hier über Sie gespeichert ist, in einer Datei: Ihr Profil, verbundene Konten, Sitzungen, die Zugriffe von Anwendungen und Ihre Aktivitäten.',
  'export.download': 'Als JSON herunterladen',
  'method.password': 'Passwort',
  'method.website': 'Konto bei der Website',
  'method.provider': 'anderer Anbieter',
  'method.passkey': 'Passkey',
  'method.security_key': 'Sicherheitsschlüssel',
  'method.totp': 'Code aus einer App',
  'method.recovery_code': 'Wiederherstellungscode',
  'method.trusted_browser': 'vertrauenswürdiger Browser',
  'error_title.insufficient_user_authentication': 'Sie müssen sich erneut anmelden',
  'error_title.unmet_authentication_requirements': 'Die Anwendung verlangt einen zweiten Faktor',
  'error_text.unmet_authentication_requirements':
    'Sie haben sich mit einem Faktor angemeldet. Fügen Sie Ihrem Konto nach Möglichkeit einen zweiten hinzu und beginnen Sie dann in der Anwendung von vorn.',
  'explained.insufficient_user_authentication.meaning':
    'Das Token ist gültig, aber der Benutzer hat sich vor zu langer Zeit oder mit weniger Faktoren angemeldet, als ein Scope dieser Anfrage verlangt. WWW-Authenticate nennt die Stufe (acr_values) und das Alter (max_age).',
  'explained.insufficient_user_authentication.cause.1':
    'Der Benutzer hat sich mit einem Faktor angemeldet, oder früher, als max_age erlaubt. Eine Erneuerung ist keine Anmeldung: Das neue Token hat dieselben Werte acr und auth_time.',
  'explained.insufficient_user_authentication.fix.1':
    'Schicken Sie den Benutzer mit acr_values und max_age aus WWW-Authenticate zu /authorize und verwenden Sie das Token, das Sie dann erhalten. Wiederholen Sie die Anfrage nie mit demselben Token.',
  'explained.insufficient_user_authentication.cause.2':
    'Das Token stammt von einer Version, die sich die Anmeldung nicht gemerkt hat, oder der Benutzer hat sich bei einem Anbieter angemeldet, der den Zeitpunkt nicht nennt.',
  'explained.insufficient_user_authentication.fix.2': 'Dasselbe: Eine neue Autorisierung bringt mit, was fehlt.',
  'explained.unmet_authentication_requirements.meaning':
    'Der Benutzer kann sich nicht so anmelden, wie es acr_values oder einer der Scopes verlangt.',
  'explained.unmet_authentication_requirements.cause.1':
    'Der Benutzer hat keinen zweiten Faktor, oder die Stelle, bei der er sich anmeldet, meldet keinen.',
  'explained.unmet_authentication_requirements.fix.1':
    'Kommen Sie mit weniger aus, oder bitten Sie den Benutzer, einen zweiten Faktor hinzuzufügen. Dieselbe Anfrage noch einmal zu senden ändert nichts.',
  'explained.unmet_authentication_requirements.cause.2': 'acr_values nennt keine Stufe, die dieser Server kennt.',
  'explained.unmet_authentication_requirements.fix.2':
    'Entnehmen Sie die Namen dem Eintrag acr_values_supported in den Metadaten des Servers.',
};
