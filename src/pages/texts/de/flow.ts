import type { flow as english } from '../en/flow.ts';

export const flow: Record<keyof typeof english, string> = {
  'skip.content': 'Zum Inhalt springen',
  'nav.label': 'Ihre Seiten',
  'language.choose': 'Sprache',
  'action.sign_in': 'Anmelden',
  'action.sign_out': 'Abmelden',
  'action.show_password': 'Zeigen',
  'action.hide_password': 'Verbergen',
  'action.copy': 'Kopieren',
  'action.copied': 'Kopiert',
  'action.cancel': 'Abbrechen',
  'list.next': 'Weitere zeigen',
  'list.first': 'Zurück zum Anfang',
  'back.home': 'Zur Startseite',
  'back.again': 'Noch einmal versuchen',
  'back.sign_in': 'Anmelden',
  'back.account': 'Zu Ihrem Konto',
  'back.applications': 'Zu Ihren verbundenen Anwendungen',
  'back.developer': 'Zu Ihren Anwendungen',
  'back.playground': 'Zurück zur Spielwiese',

  'login.title': 'Anmelden',
  'login.client': '{client} ({domain}) wartet darauf, dass Sie sich anmelden.',
  'login.again': '{client} ({domain}) bittet Sie, Ihr Passwort noch einmal einzugeben, obwohl Sie angemeldet sind.',
  'login.choose': '{client} ({domain}) fragt, welches Konto Sie verwenden möchten.',
  'login.continue': 'Weiter als {name} ({username})',
  'login.other': 'Oder mit einem anderen Konto anmelden',
  'login.client_where': 'Ihr Passwort bleibt hier: {client} bekommt es nie zu sehen.',
  'login.username': 'Benutzername',
  'login.password': 'Passwort',

  'problem.wrong_credentials': 'Benutzername und Passwort gehören nicht zusammen. Bitte prüfen Sie beides.',
  'problem.form_expired':
    'Das Formular war zu lange geöffnet. Es ist nichts verloren: Bitte senden Sie es noch einmal ab.',
  'problem.too_many_attempts': 'Zu viele Versuche. Bitte warten Sie {wait} und versuchen Sie es dann erneut.',
  'problem.session_ended':
    'Sie wurden inzwischen abgemeldet. Melden Sie sich wieder an, dann geht es an derselben Stelle weiter.',
  'problem.cookies_missing':
    'Ihr Browser hat kein Cookie zurückgeschickt. Erlauben Sie Cookies für diese Seite oder verlassen Sie den privaten Modus.',
  'problem.other_host':
    'Cookies gelten nur für eine Adresse, und die Adresse dieses Servers ist {host}. Bitte dort weitermachen.',
  'problem.cross_site':
    'Dieses Formular kam von einer fremden Website und wurde nicht angenommen. Waren Sie es selbst, senden Sie es noch einmal ab.',
  'problem.request_changed':
    'Die Anfrage hat sich geändert, während diese Seite offen war. Bitte sehen Sie sie noch einmal an.',
  'problem.required_missing':
    'Eine erforderliche Berechtigung fehlte, deshalb wurde nichts erlaubt. Erlauben Sie sie mit den anderen, oder lehnen Sie ab.',
  'problem.nothing_chosen':
    'Es war nichts ausgewählt. Wählen Sie mindestens eine Berechtigung aus, oder lehnen Sie ab.',

  'consent.title': 'Darf {client} Ihr Konto nutzen?',
  'consent.from': 'Von {domain}, hier registriert seit {date}.',
  'consent.changed':
    '{client} leitet Sie inzwischen an andere Adressen weiter als bei Ihrer Zustimmung. Deshalb werden Sie erneut gefragt.',
  'consent.public':
    'Niemand kann prüfen, ob dies wirklich {client} ist: Eine Anwendung dieser Art kann sich nicht ausweisen. Erlauben Sie es nur, wenn Sie sie eben selbst geöffnet haben.',
  'consent.one_more': '{client} bittet um eine weitere Berechtigung.',
  'consent.more': '{client} bittet um {count} weitere Berechtigungen.',
  'consent.asks': 'Worum die Anwendung bittet',
  'consent.untick': 'Entfernen Sie den Haken bei allem, was Sie lieber für sich behalten.',
  'consent.required': 'Erforderlich',
  'consent.before': 'Bereits erlaubt',
  'consent.new': 'Neu',
  'consent.changes': 'Darf ändern',
  'consent.reason': '{client} schreibt: „{reason}“',
  'consent.never':
    'Die Anwendung sieht nie Ihr Passwort, und weder etwas, das hier nicht steht, noch etwas, das Sie nicht ankreuzen.',
  'consent.duration': 'Für wie lange',
  'consent.always': 'Bis ich es widerrufe',
  'consent.30d': '30 Tage',
  'consent.once': 'Nur dieses Mal',
  'consent.revoke_any_time': 'Sie können es jederzeit unter „Verbundene Anwendungen“ zurücknehmen.',
  'consent.allow': 'Erlauben',
  'consent.deny': 'Ablehnen',
  'consent.return': 'In beiden Fällen kehren Sie danach zu {host} zurück.',
  'consent.return_app': 'In beiden Fällen kehren Sie danach zur App auf diesem Gerät zurück.',
  'consent.signed_in': 'Sie sind angemeldet als {name} ({username}).',
  'consent.switch': 'Anderes Konto verwenden',

  'group.user': 'Ihr Profil',
  'group.user:write': 'Ihr Profil ändern',
  'group.repo': 'Ihre Repositorys',
  'scope.user:name': 'Ihren Namen und Benutzernamen sehen',
  'scope.user:email': 'Ihre E-Mail-Adresse sehen',
  'scope.user:write': 'Ihren Namen und Ihre E-Mail-Adresse ändern',
  'scope.repo:read': 'Ihre Repositorys lesen',
  'scope.repo:write': 'Ihre Repositorys ändern',

  'leaving.title': 'Weiter zu {host}?',
  'leaving.title_app': 'Weiter zur App auf diesem Gerät?',
  'leaving.text':
    '{client} ({domain}) wollte etwas, das nicht möglich ist, und Sie würden nun dorthin zurückgeschickt. Es wurde nichts weitergegeben.',
  'leaving.unchecked':
    'Kein Administrator dieses Servers bürgt für diese Anwendung. Gehen Sie nur weiter, wenn Sie sie kennen.',
  'leaving.continue': 'Weiter',
  'error.for_developers': 'Für Entwickler',
  'error.code': 'Fehler',
  'error.description': 'Beschreibung',
  'error.reference': 'Kennung',
  'error.meaning_link': 'Was dieser Fehler bedeutet und wie man ihn behebt',
  'error.received': 'Empfangen',
  'error.registered': 'Registriert',
  'error.differs_in': 'Unterschied: {parts}',
  'error.mismatch': 'Die Weiterleitungs-URI ist nicht die registrierte',
  'error.mismatch_text': 'Verglichen wird Zeichen für Zeichen. Was abweicht, ist markiert.',
  'error.none_registered': 'Es ist keine Weiterleitungs-URI registriert.',
  'part.scheme': 'Schema',
  'part.host': 'Host',
  'part.port': 'Port',
  'part.path': 'Pfad',
  'part.slash': 'Schrägstrich am Ende',
  'part.query': 'Abfrageteil',
  'part.fragment': 'Fragment',

  'hint.not_redirected':
    'Sie wurden nicht weitergeleitet, weil nicht sicher ist, ob die Zieladresse zu der Anwendung gehört.',
  'hint.retry_later': 'Es ist nichts verloren. Bitte versuchen Sie es gleich noch einmal.',
  'hint.form_expired': 'Das Formular war zu lange geöffnet. Gehen Sie zurück und senden Sie es noch einmal ab.',
  'hint.cross_site': 'Das Formular kam von einer fremden Website und wurde deshalb nicht angenommen.',
  'hint.page_gone': 'Vielleicht ist die Seite umgezogen, oder der Link ist unvollständig.',
  'hint.sign_in_again': 'Beginnen Sie noch einmal in der Anwendung und melden Sie sich wieder an.',

  'home.title': 'Einmal anmelden. Selbst entscheiden, was jede Anwendung darf.',
  'home.text':
    '{brand} meldet Sie an und fragt Sie, Berechtigung für Berechtigung, was eine Anwendung in Ihrem Namen tun darf. Sie können es sich jederzeit anders überlegen.',
  'home.playground': 'Spielwiese',
  'home.playground_text': 'Den ganzen Ablauf mit Autorisierungscode durchspielen und jede Anfrage mitlesen.',
  'home.account': 'Ihr Konto',
  'home.account_text': 'Name, E-Mail-Adresse, Passwort und offene Sitzungen.',
  'home.applications': 'Verbundene Anwendungen',
  'home.applications_text': 'Was Sie wem erlaubt haben, und wie Sie es zurücknehmen.',
  'home.developer': 'Für Entwickler',
  'home.developer_text': 'Eine Anwendung registrieren und herausfinden, warum etwas abgelehnt wurde.',
  'home.metadata': 'Metadaten des Servers',
  'home.metadata_text': 'Alle Adressen und Fähigkeiten, für Maschinen und ihre Menschen.',

  'signed_out.title': 'Sie sind abgemeldet',
  'signed_out.text': 'Anwendungen, denen Sie etwas erlaubt haben, behalten ihren Zugang, bis Sie ihn widerrufen.',
  'signed_out.everywhere': 'Alle Ihre Sitzungen auf allen Geräten wurden beendet.',
  'message.registration_off.title': 'Keine Registrierung möglich',
  'message.registration_off.text':
    'Anwendungen dürfen hier nur Administratoren registrieren. Bitte wenden Sie sich an sie.',
  'message.application_deleted.title': 'Die Anwendung ist gelöscht',
  'message.application_deleted.text': 'Ihre Token gelten nicht mehr, und ihre client_id wird nicht wieder vergeben.',
  'message.no_access.title': 'Diese Anwendung hat keinen Zugang',
  'message.no_access.text':
    'Sie kann nichts in Ihrem Namen tun: Sie haben den Zugang widerrufen, er ist abgelaufen, oder Sie haben ihn nie erlaubt. Braucht sie Zugang, wird sie Sie fragen.',
  'message.already_decided.title': 'Sie haben schon entschieden',
  'message.already_decided.text':
    'Diese Anfrage wurde eben beantwortet, vielleicht in einem anderen Tab. Wenn Sie es sich anders überlegen, beginnen Sie noch einmal in der Anwendung.',
};
