import type { elsewhere as english } from '../en/elsewhere.ts';

export const elsewhere: Record<keyof typeof english, string> = {
  'login.website': 'Bei {host} anmelden',
  'signed_out.website': 'Bei {host} sind Sie vielleicht noch angemeldet.',
  'signed_out.website_link': 'Zu {host}',
  'back.again': 'Noch einmal versuchen',
  'back.go_on': 'Weiter',
  'message.elsewhere_unknown.title': 'Diese Anmeldung hat nicht hier begonnen',
  'message.elsewhere_unknown.text':
    'Sie hat in einem anderen Browser oder vor mehr als zehn Minuten begonnen. Niemand wurde angemeldet. Wenn Ihnen jemand diesen Link geschickt hat, öffnen Sie ihn nicht noch einmal; sonst gehen Sie zurück zur Anwendung und beginnen von vorn.',
  'message.elsewhere_over.title': 'Diese Anmeldung ist beendet',
  'message.elsewhere_over.text':
    'Sie wurde schon abgeschlossen oder abgebrochen, vielleicht durch einen zweiten Klick.',
  'message.elsewhere_invalid.title': 'Die Antwort ist unbrauchbar',
  'message.elsewhere_invalid.text':
    'Was die andere Website über Ihre Anmeldung sagt, gilt hier nicht. Sie sind nicht angemeldet. Wenn das wieder passiert, sagen Sie es dem Betreiber dieses Servers.',
  'message.elsewhere_stale.title': 'Eine neue Anmeldung ist nötig',
  'message.elsewhere_stale.text':
    'Die Anwendung möchte, dass Sie sich neu anmelden, aber die andere Website hat Sie mit einer früheren Anmeldung durchgelassen. Melden Sie sich dort ab und versuchen Sie es dann noch einmal.',
  'message.elsewhere_uncertain.title': 'Bitte versuchen Sie es gleich noch einmal',
  'message.elsewhere_uncertain.text':
    'Im Moment lässt sich nicht prüfen, ob die Antwort von der richtigen Website kommt. Es ist nichts verloren.',
  'message.elsewhere_failed.title': 'Die andere Website meldet ein Problem',
  'message.elsewhere_failed.text':
    'Sie sind nicht angemeldet. Sie können es noch einmal versuchen; wenn es nicht gelingt, sagen Sie es dem Betreiber der anderen Website.',
  'message.elsewhere_denied.title': 'Sie sind nicht angemeldet',
  'message.elsewhere_denied.text': 'Sie haben die Anmeldung bei der anderen Website abgebrochen.',
  'message.elsewhere_of_another_source.title': 'Dieses Konto gehört zu einer anderen Anmeldung',
  'message.elsewhere_of_another_source.text':
    'Es gibt hier ein Konto mit Ihrer Nummer, aber man meldet sich bei ihm auf andere Weise an. Von dort aus können Sie es deshalb nicht öffnen. Melden Sie sich auf die andere Weise an, oder fragen Sie den Betreiber dieses Servers.',
  'message.elsewhere_disabled.title': 'Ihr Konto ist deaktiviert',
  'message.elsewhere_disabled.text': 'Der Betreiber dieses Servers hat es deaktiviert. Bitte fragen Sie ihn.',
  'account.again': 'Neu anmelden',
  'account.again_hint': 'Melden Sie sich dafür zuerst neu an: Ihre letzte Anmeldung war vor mehr als 15 Minuten.',
  'account.email_again_hint':
    'Um eine neue Adresse einzugeben, melden Sie sich zuerst neu an: Ihre letzte Anmeldung war vor mehr als 15 Minuten.',
  'account.no_password': 'Sie melden sich bei einer anderen Website an und haben hier deshalb kein Passwort.',
  'problem.sign_in_elsewhere':
    'Die Website, bei der Sie sich angemeldet haben, teilt nicht mit, wann sie zuletzt geprüft hat, wer Sie sind. Für diese Änderung muss das bekannt sein. Melden Sie sich auf andere Weise an, oder fragen Sie den Betreiber dieses Servers.',
  'problem.sign_in_again':
    'Ihre letzte Anmeldung war vor mehr als 15 Minuten. Melden Sie sich neu an und senden Sie das Formular dann noch einmal.',
  'delete.profile_elsewhere':
    'Benutzername, Name und E-Mail-Adresse werden hier gelöscht, und Sie werden überall abgemeldet. Wenn Sie sich später wieder anmelden, bekommen Sie ein neues Konto.',
  'playground.website_off_text':
    'Benutzer können sich auch dort anmelden, wo sie es immer tun: auf der Anmeldeseite Ihrer Website. Eine Demo-Website zeigt, wie das geht.',
  'playground.website_switch_on': 'Demo-Website einschalten',
  'playground.website_on_text':
    'Die Demo-Website ist eingeschaltet: Auf der Anmeldeseite ist jetzt eine Schaltfläche, die dorthin führt.',
  'playground.website_switch_off': 'Ausschalten',
  'demo_website.title': 'Die Demo-Website',
  'demo_website.text':
    'Diese Seite spielt die Anmeldeseite Ihrer eigenen Website. Der Server hat Sie mit einer signierten Anfrage hierher geschickt; Ihre Website prüft die Signatur, meldet Sie an wie immer und schickt Sie mit einer signierten Antwort zurück.',
  'demo_website.sign_in': 'Als {name} anmelden',
  'demo_website.cancel': 'Abbrechen',
  'demo_website.request': 'Die Anfrage',
  'demo_website.refused':
    'Die Demo-Website hat keine gültige Anfrage bekommen: Sie wurde verändert oder ist älter als zehn Minuten.',
};
