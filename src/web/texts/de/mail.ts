import type { mail as english } from '../en/mail.ts';

export const mail: Record<keyof typeof english, string> = {
  'login.forgot': 'Passwort vergessen?',
  'login.forgot_ask': 'Wenn Sie Ihr Passwort vergessen haben, fragen Sie den Betreiber dieses Servers.',
  'login.support': 'Hilfe erhalten',
  'forgot.title': 'Passwort vergessen',
  'forgot.text':
    'Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein. Sie erhalten eine E-Mail mit einem Link, über den Sie ein neues Passwort festlegen.',
  'forgot.send': 'Link senden',
  'forgot.sent_title': 'Sehen Sie in Ihr Postfach',
  'forgot.sent':
    'Wenn es ein Konto mit diesem Namen und einer bestätigten E-Mail-Adresse gibt, ist eine E-Mail dorthin unterwegs. Ihr Link gilt eine Stunde. Wenn in den nächsten Minuten nichts ankommt, sehen Sie im Spam-Ordner nach.',
  'reset.title': 'Neues Passwort festlegen',
  'reset.account': 'Für das Konto {username}.',
  'reset.text': 'Alle Sitzungen dieses Kontos werden beendet. Melden Sie sich danach mit dem neuen Passwort an.',
  'reset.save': 'Neues Passwort speichern',
  'message.link_over.title': 'Dieser Link gilt nicht mehr',
  'message.link_over.text':
    'Er wurde schon benutzt, ist zu alt, wurde durch einen neueren ersetzt, oder Ihr Konto hat sich seitdem geändert. Fordern Sie einen neuen an.',
  'message.password_reset.title': 'Ihr neues Passwort ist festgelegt',
  'message.password_reset.text':
    'Alle Sitzungen Ihres Kontos wurden beendet. Melden Sie sich mit dem neuen Passwort an.',
  'back.sign_in': 'Anmelden',
  'back.new_link': 'Neuen Link anfordern',
  'mail.footer': 'Gesendet von {brand} ({host}). Antworten auf diese E-Mail liest niemand.',
  'mail.set_password': 'Neues Passwort festlegen',
  'mail.reset.subject': 'Ein neues Passwort für {brand}',
  'mail.reset.text':
    'Jemand, wahrscheinlich Sie, hat ein neues Passwort für Ihr Konto {username} angefordert.\nDer folgende Link gilt eine Stunde und nur einmal. Wenn Sie es nicht waren, tun Sie nichts: Ihr Passwort bleibt, wie es ist.',
  'mail.no_password.subject': 'Ihr Konto bei {brand} hat kein Passwort',
  'mail.no_password.text':
    'Jemand, wahrscheinlich Sie, hat ein neues Passwort für Ihr Konto {username} angefordert.\nEs hat kein Passwort, darum gibt es keines zu ersetzen: Melden Sie sich so an, wie Sie es sonst tun. Wenn Sie es nicht waren, tun Sie nichts.',
  'mail.test.subject': 'E-Mails von {brand} kommen an',
  'mail.test.text':
    'Ein Betreiber von {host} hat diese E-Mail gesendet, um zu sehen, ob E-Mails ankommen. Sie müssen nichts tun.',
  'account.link_sent':
    'Die Adresse {address} ist noch nicht bestätigt. Eine E-Mail dorthin enthält einen Link; öffnen Sie ihn in einem Browser, in dem Sie angemeldet sind.',
  'account.send_again': 'Link senden',
  'notice.confirmation_sent':
    'Gespeichert. Die Adresse gilt, sobald Sie den Link in der E-Mail dorthin geöffnet haben.',
  'notice.address_confirmed': 'Adresse bestätigt.',
  'confirm.title': 'Adresse bestätigen',
  'confirm.text': '{address} wird die E-Mail-Adresse Ihres Kontos {username}.',
  'confirm.save': 'Bestätigen',
  'message.address_taken.title': 'Ein anderes Konto hat diese Adresse',
  'message.address_taken.text':
    'Sie wurde für ein anderes Konto bestätigt, darum erhält Ihres sie nicht. Wenn auch jenes Konto Ihnen gehört, melden Sie sich dort an, oder fragen Sie den Betreiber dieses Servers.',
  'message.other_account.title': 'Dieser Link gehört zu einem anderen Konto',
  'message.other_account.text':
    'Sie sind mit einem anderen Konto angemeldet als dem, für das die E-Mail angefordert wurde. Melden Sie sich ab, und öffnen Sie den Link noch einmal.',
  'message.secured.title': 'Alles ist beendet',
  'message.secured.text':
    'Niemand ist mehr bei Ihrem Konto angemeldet. Melden Sie sich so an, wie Sie es sonst tun, und sehen Sie sich Ihr Konto an.',
  'message.secured_without_way_in.title': 'Alles ist beendet',
  'message.secured_without_way_in.text':
    'In Ihrem Konto ist niemand mehr angemeldet, und alles, womit man es öffnen konnte, war erst seither hinzugefügt worden. Bitten Sie den Betreiber dieses Servers um einen neuen Weg, sich anzumelden.',
  'not_me.title': 'Das waren nicht Sie',
  'not_me.address': 'Das Konto behält die Adresse {address} oder bekommt sie zurück.',
  'not_me.sessions': 'Alle Sitzungen werden beendet. Danach wählen Sie ein neues Passwort, wenn das Konto eines hat.',
  'not_me.since':
    'Anwendungen, die seitdem zugelassen wurden, verlieren ihren Zugriff, und Konten anderer Websites, die seitdem verbunden wurden, werden entfernt. Passkeys und Wiederherstellungscodes, die seitdem dazukamen, gelten nicht mehr.',
  'not_me.factor':
    'Ein zweiter Faktor, der seitdem eingerichtet wurde, wird ausgeschaltet, wenn Sie Ihr Passwort eingeben. Lassen Sie das Feld leer, wenn Sie es selbst waren.',
  'not_me.factor_stays':
    'Ein zweiter Faktor, der seitdem eingerichtet wurde, bleibt, denn dieser Link allein schaltet ihn nicht aus. Wenn Sie es nicht waren, fragen Sie den Betreiber dieses Servers.',
  'not_me.since_when': 'Das macht rückgängig, was seitdem geschehen ist:',
  'not_me.submit': 'Alles beenden',
  'mail.confirm': 'Diese Adresse bestätigen',
  'mail.not_me': 'Das war ich nicht',
  'mail.confirm_address.subject': 'Bestätigen Sie Ihre Adresse für {brand}',
  'mail.confirm_address.text':
    'Jemand, wahrscheinlich Sie, hat diese Adresse in einem Konto bei {brand} eingetragen.\nUm sie zu bestätigen, öffnen Sie den folgenden Link in einem Browser, in dem Sie dort angemeldet sind. Er gilt einen Tag. Wenn Sie es nicht waren, tun Sie nichts.',
  'mail.address_changing.subject': 'Ihre Adresse bei {brand} soll sich ändern',
  'mail.address_changing.text':
    'Jemand, wahrscheinlich Sie, hat für Ihr Konto {username} eine andere Adresse eingetragen. Sie ersetzt diese, sobald sie bestätigt ist.\nWenn Sie es nicht waren, öffnen Sie innerhalb einer Woche den folgenden Link: Das Konto behält diese Adresse, alle Sitzungen werden beendet, und Sie wählen ein neues Passwort.',
  'mail.address_replaced.subject': 'Ihre Adresse bei {brand} wurde ersetzt',
  'mail.address_replaced.text':
    'Der Betreiber von {brand} hat für Ihr Konto {username} eine andere Adresse eingetragen. E-Mails zum Konto gehen von nun an dorthin und nicht mehr an diese Adresse.\nWenn Sie nicht darum gebeten haben, melden Sie sich sofort beim Betreiber: Wer die E-Mails an jene Adresse liest, kann ein neues Passwort wählen.',
  'mails.title': 'E-Mails der Demo',
  'mails.text': 'Die Demo hat keinen Mailserver: Was sie gesendet hätte, steht einen Tag lang hier.',
  'mails.none': 'Es gibt noch keine E-Mail. Laden Sie diese Seite gleich noch einmal.',
  'mails.to': 'An {address}, {date}',
  'mails.here': 'E-Mails der Demo ansehen',
  'back.playground': 'Zurück zum Playground',
  'account.notices': 'E-Mails',
  'account.notices_text': 'Was die Sicherheit Ihres Kontos betrifft, erfahren Sie in jedem Fall.',
  'account.wants_notices': 'Mir mitteilen, wenn eine Anwendung dauerhaften Zugriff erhält',
  'notice.notices_saved': 'Gespeichert.',
  'mail.password_changed.subject': 'Ihr Passwort bei {brand} wurde geändert',
  'mail.password_changed.text':
    'Das Passwort Ihres Kontos {username} wurde am {date} von der Internetadresse {address} aus geändert.\nWenn Sie es nicht waren, öffnen Sie innerhalb einer Woche den folgenden Link: Alle Sitzungen werden beendet, was seitdem hinzukam, wird entfernt, und Sie wählen ein neues Passwort.',
  'mail.password_set.subject': 'Ihr Passwort bei {brand} wurde festgelegt',
  'mail.password_set.text':
    'Der Betreiber von {brand} hat am {date} das Passwort Ihres Kontos {username} festgelegt und alle Sitzungen beendet.\nWenn Sie nicht darum gebeten haben, öffnen Sie innerhalb einer Woche den folgenden Link: Alle Sitzungen werden beendet, was seitdem hinzukam, wird entfernt, und Sie wählen ein neues Passwort.',
  'mail.factor_reset.subject': 'Ihr zweiter Faktor bei {brand} wurde ausgeschaltet',
  'mail.factor_reset.text':
    'Der Betreiber von {brand} hat am {date} die Anmeldung in zwei Schritten Ihres Kontos {username} ausgeschaltet und alle Sitzungen beendet. Bis Sie sie wieder einrichten, genügt das Passwort.\nWenn Sie nicht darum gebeten haben, öffnen Sie innerhalb einer Woche den folgenden Link: Alle Sitzungen werden beendet, was seitdem hinzukam, wird entfernt, und Sie wählen ein neues Passwort.',
  'mail.new_browser.subject': 'Ein neuer Browser bei {brand}',
  'mail.new_browser.text':
    'Jemand hat sich bei Ihrem Konto {username} mit einem Browser angemeldet, in dem Sie noch nicht angemeldet waren: am {date}, von der Internetadresse {address}.\nWenn Sie es nicht waren, öffnen Sie innerhalb einer Woche den folgenden Link: Alle Sitzungen werden beendet, was seitdem hinzukam, wird entfernt, und Sie wählen ein neues Passwort.',
  'mail.wrong_codes.subject': 'Jemand kennt Ihr Passwort bei {brand}',
  'mail.wrong_codes.text':
    'Jemand hat das Passwort Ihres Kontos {username} und danach falsche Codes eingegeben: am {date}, von der Internetadresse {address}. Keiner der Codes war richtig.\nWenn Sie es nicht waren, öffnen Sie innerhalb einer Woche den folgenden Link: Alle Sitzungen werden beendet, und Sie wählen ein neues Passwort.',
  'mail.way_in_added.subject': 'Ein neuer Weg, sich bei {brand} anzumelden',
  'mail.way_in_added.text':
    'Am {date} kam von der Internetadresse {address} aus ein neuer Weg hinzu, sich bei Ihrem Konto {username} anzumelden.\nWenn Sie es nicht waren, öffnen Sie innerhalb einer Woche den folgenden Link: Alle Sitzungen werden beendet, was seitdem hinzukam, wird entfernt, und Sie wählen ein neues Passwort.',
  'mail.factor_changed.subject': 'Ihr zweiter Faktor bei {brand} wurde geändert',
  'mail.factor_changed.text':
    'Die Anmeldung in zwei Schritten Ihres Kontos {username} wurde am {date} von der Internetadresse {address} aus eingeschaltet, ausgeschaltet oder geändert.\nWenn Sie es nicht waren, öffnen Sie innerhalb einer Woche den folgenden Link: Alle Sitzungen werden beendet, was seitdem hinzukam, wird entfernt, und Sie wählen ein neues Passwort. Um einen neuen zweiten Faktor auszuschalten, brauchen Sie dort Ihr Passwort.',
  'mail.application_allowed.subject': 'Eine Anwendung hat Zugriff auf Ihr Konto bei {brand}',
  'mail.application_allowed.text':
    'Die Anwendung „{client}“ erhielt am {date} von der Internetadresse {address} aus Zugriff auf Ihr Konto {username}. Er gilt, bis Sie ihn auf der Seite Ihres Kontos zurücknehmen; dort können Sie solche E-Mails auch abstellen.\nWenn Sie es nicht waren, öffnen Sie innerhalb einer Woche den folgenden Link: Alle Sitzungen werden beendet, was seitdem hinzukam, wird entfernt, und Sie wählen ein neues Passwort.',
  'login.sign_up': 'Konto anlegen',
  'sign_up.title': 'Konto anlegen',
  'sign_up.text':
    'Geben Sie Ihre E-Mail-Adresse ein. Sie erhalten eine E-Mail mit einem Link, über den Sie einen Benutzernamen und ein Passwort wählen.',
  'sign_up.sent':
    'Eine E-Mail an diese Adresse ist unterwegs. Ihr Link gilt einen Tag. Wenn in den nächsten Minuten nichts ankommt, sehen Sie im Spam-Ordner nach.',
  'sign_up.for': 'Das Konto erhält die Adresse {address}.',
  'sign_up.username_hint': '2 bis 40 Buchstaben von a bis z und Ziffern; dazwischen auch . _ -',
  'sign_up.save': 'Konto anlegen',
  'problem.username_malformed':
    'Der Benutzername muss 2 bis 40 Buchstaben von a bis z und Ziffern haben, mindestens einen Buchstaben, und . _ - nur dazwischen.',
  'problem.username_reserved': 'Diesen Benutzernamen bekommt niemand. Wählen Sie einen anderen.',
  'problem.username_taken':
    'Diesen Benutzernamen oder diese Adresse hat schon jemand. Wählen Sie einen anderen Benutzernamen.',
  'message.signed_up.title': 'Ihr Konto ist angelegt',
  'message.signed_up.text': 'Melden Sie sich mit Ihrem Benutzernamen und Ihrem Passwort an.',
  'mail.make_account': 'Konto anlegen',
  'mail.sign_in': 'Anmelden',
  'mail.sign_up.subject': 'Ihr Konto bei {brand}',
  'mail.sign_up.text':
    'Jemand, wahrscheinlich Sie, möchte bei {brand} ein Konto mit dieser Adresse anlegen.\nDer folgende Link gilt einen Tag; dort wählen Sie einen Benutzernamen und ein Passwort. Wenn Sie es nicht waren, tun Sie nichts: Es gibt kein Konto.',
  'mail.invitation.subject': 'Einladung zu {brand}',
  'mail.invitation.text':
    'Sie sind eingeladen, ein Konto bei {brand} anzulegen.\nDer folgende Link gilt eine Woche; dort wählen Sie einen Benutzernamen und ein Passwort.',
  'mail.account_exists.subject': 'Sie haben ein Konto bei {brand}',
  'mail.account_exists.text':
    'Jemand, wahrscheinlich Sie, wollte bei {brand} ein Konto mit dieser Adresse anlegen, die schon eines hat.\nMelden Sie sich damit an. Wenn Sie das Passwort vergessen haben, hat die Anmeldeseite dafür einen Link. Wenn Sie es nicht waren, tun Sie nichts.',
};
