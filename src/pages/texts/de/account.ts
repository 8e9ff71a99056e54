import type { account as english } from '../en/account.ts';

export const account: Record<keyof typeof english, string> = {
  'account.title': 'Ihr Konto',
  'account.profile': 'Profil',
  'account.name': 'Name',
  'account.email': 'E-Mail-Adresse',
  'account.email_pending':
    'Diese Adresse ist noch nicht bestätigt. Bis dahin bleibt {email} Ihre Adresse, und Anwendungen erhalten diese.',
  'account.email_unconfirmed': 'Diese Adresse ist nicht bestätigt und wird deshalb nicht an Anwendungen weitergegeben.',
  'account.username': 'Benutzername',
  'account.save': 'Speichern',
  'account.password': 'Passwort ändern',
  'account.password_text': 'Wenn Sie Ihr Passwort ändern, werden alle anderen Sitzungen beendet.',
  'account.old_password': 'Aktuelles Passwort',
  'account.current_password_hint':
    'Nur für eine neue E-Mail-Adresse nötig; sie wird dann nicht an Anwendungen weitergegeben.',
  'account.new_password': 'Neues Passwort',
  'account.new_password_hint':
    'Mindestens 8 Zeichen. Mehrere Wörter hintereinander lassen sich leichter merken als Sonderzeichen.',
  'account.repeat_password': 'Neues Passwort wiederholen',
  'account.applications_keep': 'Anwendungen behalten ihren Zugriff, wenn Sie Ihr Passwort ändern.',
  'account.end_access': 'Auch den Zugriff aller Anwendungen widerrufen',
  'account.change_password': 'Passwort ändern',
  'account.sessions': 'Wo Sie angemeldet sind',
  'account.this_session': 'Diese Sitzung',
  'account.session_since': 'Angemeldet am {date}',
  'account.session_used': 'Zuletzt verwendet: {ago}',
  'account.end_session': 'Sitzung beenden',
  'account.end_others': 'Alle anderen Sitzungen beenden',
  'account.activity': 'Letzte Aktivitäten',
  'account.no_activity': 'Keine Aktivitäten in letzter Zeit.',

  'activity.signed_in': 'Angemeldet',
  'activity.sign_in_failed': 'Anmeldung fehlgeschlagen: falsches Passwort',
  'activity.sign_in_failed_code': 'Anmeldung fehlgeschlagen: falscher Code',
  'activity.sign_in_failed_passkey': 'Anmeldung fehlgeschlagen: Passkey abgelehnt',
  'activity.current_password_wrong': 'Falsches aktuelles Passwort vor einer Änderung',
  'activity.password_reset': 'Passwort über einen Link gesetzt',
  'activity.reset_link_issued': 'Link für ein neues Passwort vom Betreiber dieses Servers erstellt',
  'activity.address_confirmed': 'E-Mail-Adresse bestätigt',
  'activity.account_secured': '„Das war ich nicht“: Sitzungen beendet',
  'activity.identity_linked': 'Konto an anderer Stelle verbunden',
  'activity.identity_unlinked': 'Konto an anderer Stelle getrennt',
  'activity.second_factor_added': 'Anmeldung in zwei Schritten eingeschaltet oder geändert',
  'activity.second_factor_removed': 'Anmeldung in zwei Schritten abgeschaltet',
  'activity.recovery_codes_renewed': 'Neue Wiederherstellungscodes',
  'activity.passkey_added': 'Passkey hinzugefügt',
  'activity.passkey_removed': 'Passkey entfernt',
  'activity.passkey_refused': 'Passkey nicht angenommen',
  'activity.signed_out': 'Abgemeldet',
  'activity.password_changed': 'Passwort geändert',
  'activity.profile_changed': 'Profil geändert',
  'activity.session_ended': 'Sitzung beendet',
  'activity.application_allowed': 'Zugriff von {client} erlaubt',
  'activity.application_refused': 'Zugriff von {client} abgelehnt',
  'activity.application_revoked': 'Zugriff von {client} widerrufen',
  'activity.permission_changed': 'Berechtigungen von {client} geändert',
  'activity.refresh_token_reused':
    'Ein Refresh-Token von {client} wurde zweimal verwendet und möglicherweise kopiert. Alle zugehörigen Token wurden widerrufen; Ihre erteilten Berechtigungen bleiben bestehen.',
  'activity.code_reused':
    'Ein Autorisierungscode von {client} wurde zweimal verwendet und möglicherweise kopiert. Die dafür ausgestellten Token wurden widerrufen; Ihre erteilten Berechtigungen bleiben bestehen.',
  'activity.token_leaked':
    'Ein Token von {client} wurde als öffentlich bekannt gemeldet. Alle zugehörigen Token wurden widerrufen; Ihre erteilten Berechtigungen bleiben bestehen.',

  'notice.profile_saved': 'Profil gespeichert.',
  'notice.password_changed': 'Passwort geändert. Alle anderen Sitzungen wurden beendet.',
  'notice.password_changed_access_ended':
    'Passwort geändert. Alle anderen Sitzungen wurden beendet, und der Zugriff aller Anwendungen wurde widerrufen.',
  'notice.session_ended': 'Sitzung beendet.',
  'notice.sessions_ended': 'Alle anderen Sitzungen beendet.',
  'notice.permission_changed': 'Berechtigungen gespeichert. Die Änderung gilt ab sofort.',
  'notice.application_revoked': 'Zugriff widerrufen. Die Token der Anwendung sind ungültig.',
  'problem.wrong_old_password': 'Das aktuelle Passwort ist falsch.',
  'problem.password_needed': 'Geben Sie Ihr aktuelles Passwort ein, um die E-Mail-Adresse zu ändern.',
  'problem.password_too_short': 'Das neue Passwort muss mindestens 8 Zeichen lang sein.',
  'problem.password_too_long':
    'Das neue Passwort ist zu lang. Möglich sind 72 Byte, das sind 72 Buchstaben ohne Umlaute.',
  'problem.passwords_differ': 'Die beiden neuen Passwörter stimmen nicht überein.',
  'problem.name_invalid': 'Der Name muss 1 bis 200 Zeichen lang sein.',
  'problem.email_invalid': 'Das ist keine gültige E-Mail-Adresse.',

  'delete.title': 'Konto löschen',
  'delete.summary': 'Löscht Ihr Profil und beendet alles, was Anwendungen in Ihrem Namen tun dürfen.',
  'delete.final': 'Das wirkt sofort und lässt sich nicht rückgängig machen.',
  'delete.profile':
    'Ihr Benutzername, Name, Ihre E-Mail-Adresse und Ihr Passwort werden gelöscht, und Sie werden überall abgemeldet. Wer Ihren Benutzernamen später bekommt, erhält ein neues Konto.',
  'delete.access':
    'Alle Anwendungen verlieren den Zugriff auf Ihr Konto. Was sie selbst über Sie gespeichert haben, bleibt bei ihnen: Bitten Sie dort um Löschung.',
  'delete.applications':
    'Die Anwendungen, die Sie verwalten, funktionieren für niemanden mehr. Nur ein Administrator kann sie wieder aktivieren:',
  'delete.more': 'Alle Ihre Anwendungen',
  'delete.kept':
    'Das Protokoll der Sicherheitsereignisse wird {days} Tage lang aufbewahrt: was wann geschehen ist, die Internetadresse und die Nummer Ihres Kontos, aber nicht Ihr Name.',
  'delete.submit': 'Mein Konto löschen',
  'delete.keep': 'Mein Konto behalten',
  'problem.last_administrator':
    'Sie sind der einzige Administrator dieses Servers, darum kann Ihr Konto nicht gelöscht werden. Bitten Sie zuerst den Betreiber des Servers um einen zweiten Administrator.',

  'applications.title': 'Verbundene Anwendungen',
  'applications.text':
    'Diese Anwendungen haben Zugriff auf Ihr Konto, beschränkt auf die Berechtigungen, die Sie erteilt haben.',
  'applications.none': 'Sie haben keiner Anwendung Zugriff erlaubt.',
  'applications.none_text':
    'Anwendungen, denen Sie Zugriff erlauben, erscheinen hier. Sie können den Zugriff jederzeit widerrufen.',
  'applications.claims_domain': 'Gibt an, zu {domain} zu gehören. Dieser Server hat das nicht überprüft.',
  'applications.allowed': 'Erlaubt',
  'applications.allowed_by': 'von {brand}, ohne Sie zu fragen',
  'applications.since': 'Zugriff seit',
  'applications.used': 'Zuletzt verwendet',
  'applications.never_used': 'Nie',
  'applications.ends': 'Gültig',
  'applications.ends_on': 'bis {date}',
  'applications.ends_when_revoked': 'unbefristet',
  'applications.once': 'Nur dieses eine Mal, längstens bis {date}',
  'applications.may': 'Diese Anwendung darf:',
  'applications.may_nothing': 'Diese Anwendung hat keine Berechtigungen.',
  'applications.details': 'Berechtigungen ändern',
  'applications.revoke': 'Zugriff widerrufen',
  'application.permissions': 'Berechtigungen',
  'application.permissions_text':
    'Entfernen Sie das Häkchen, um der Anwendung eine Berechtigung zu entziehen. Die Änderung gilt, sobald Sie speichern.',
  'application.save': 'Berechtigungen speichern',
  'application.revoke_title': 'Zugriff widerrufen',
  'application.revoke_text':
    'Alle Token von {client} werden sofort ungültig. Die Anwendung kann Sie erneut um Zugriff bitten.',
};
