import type { portal as english } from '../en/portal.ts';

export const portal: Record<keyof typeof english, string> = {
  'portal.title': 'Entwickeln mit {brand}',
  'portal.about':
    'Benutzer melden sich bei {brand} an und entscheiden, was Ihre Anwendung darf. Über OAuth 2.0 erhält sie Token für genau das, und nie ein Passwort.',
  'portal.contents': 'Inhalt',
  'portal.plain': 'Alle Seiten als ein einfacher Text, für Coding-Agenten.',
  'portal.tasks': 'Was kann ich entwickeln?',
  'portal.begin': 'Wie fange ich an?',
  'portal.begin.register': 'Registrieren Sie Ihre Anwendung: {page}',
  'portal.begin.task': 'Öffnen Sie die Seite Ihrer Aufgabe. Ihre Programme laufen so, wie sie dort stehen.',
  'portal.begin.flow':
    'Das Programm schickt den Browser zu {authorize}, löst den Code bei {token} ein und liest das Profil bei {user}.',
  'portal.begin.refused':
    'Wird eine Anfrage abgelehnt, gibt es zu ihrem Fehler eine Seite mit den häufigen Ursachen; den genauen Grund nennt die Entwicklerkonsole: {console}',
  'portal.begin.demo': 'Jede Nachricht eines solchen Ablaufs zeigt der Playground: {playground}',
  'portal.not': 'Was dieser Server nicht bietet',
  'portal.not.openid': 'Es gibt kein id_token und keinen Scope openid. Was stattdessen geht: {page}',
  'portal.not.device':
    'Ein Gerät ohne Browser kann niemanden anmelden. Überlassen Sie das Ihrer Anwendung auf dem Smartphone oder Computer.',
  'portal.not.client': 'Ein Server erhält kein Token für sich selbst, nur für einen Benutzer, der es erlaubt hat.',
  'portal.not.exchange':
    'Ein Token lässt sich nicht gegen das eines anderen Dienstes tauschen. Fordern Sie für jede Ressource ein eigenes an.',
  'portal.not.obsolete': 'Beide sind veraltet. Verwenden Sie einen Autorisierungscode mit PKCE.',
  'portal.machines': 'Für Programme und Coding-Agenten',
  'portal.questions': 'Fragen',
  'portal.questions.text': 'Fragen Sie die Betreiber dieses Servers: {support}',
  'portal.register': 'Eine Anwendung registrieren',
  'portal.register.about': 'Wer das hier darf, und was registriert wird.',
  'portal.register.console': 'Durch eine Person',
  'portal.register.open': 'Wer ein Konto hat, registriert Anwendungen in der Entwicklerkonsole: {console}',
  'portal.register.admins':
    'Administratoren dieses Servers registrieren Anwendungen. Senden Sie ihnen Name, Website, Redirect-URIs und Scopes Ihrer Anwendung und dazu Ihren Benutzernamen, damit sie Ihnen gehört.',
  'portal.register.off':
    'Die Betreiber dieses Servers registrieren Anwendungen. Senden Sie ihnen Name, Website, Redirect-URIs und Scopes Ihrer Anwendung und dazu Ihren Benutzernamen, damit sie Ihnen gehört.',
  'portal.register.form': 'Wer das darf, findet das Formular hier: {form}',
  'portal.register.redirects':
    'Eine Redirect-URI wird Zeichen für Zeichen verglichen. Sie beginnt mit https und liegt auf der Website der Anwendung; http ist nur für die Website localhost, zum Ausprobieren auf Ihrem Rechner. Eine öffentliche Anwendung darf auch eine Loopback-Adresse benutzen, deren Port abweichen darf, oder ein privates Schema, das mit der umgekehrten Domain ihrer Website beginnt: {scheme} für {site}.',
  'portal.register.kinds':
    'Eine Anwendung auf einem Server ist vertraulich: Sie hat ein Secret. Eine im Browser, auf einem Smartphone oder Desktop ist öffentlich: Sie hat kein Secret, und PKCE schützt sie.',
  'portal.register.methods': 'Eine vertrauliche Anwendung weist sich auf eine dieser Arten aus: {methods}',
  'portal.register.itself': 'Durch die Anwendung selbst',
  'portal.register.itself_open': 'Jede Anwendung registriert sich selbst bei {address} [RFC 7591].',
  'portal.register.itself_token':
    'Eine Anwendung registriert sich selbst bei {address} [RFC 7591], mit einem Initial Access Token, um das Sie die Betreiber dieses Servers bitten.',
  'portal.register.unvouched':
    'Eine solche Anwendung ist von keinem Administrator bestätigt: Die Zustimmungsseite nennt zuerst ihren Host, und Skripte der Website können Antworten nur lesen, wenn ein Administrator eine andere Anwendung dieser Website bestätigt hat. Alle Ports von localhost gelten als eine Website.',
  'portal.register.document': 'Durch ein Metadatendokument',
  'portal.register.document_text':
    'Eine Anwendung braucht keine Registrierung, wenn ihre {client_id} die https-Adresse eines Dokuments wie diesem ist, das dieser Server abruft.',
  'portal.program':
    'Für die Client-ID {client_id}, die Redirect-URI {redirect_uri} und den Scope {scope}. Die Entwicklerkonsole zeigt es mit Ihrer Registrierung.',
  'portal.program.api':
    'Mit der Client-ID {client_id}, mit der die API nach Token fragt. Die Entwicklerkonsole zeigt es mit Ihrer Registrierung.',
  'portal.program.secret': 'Es liest das Client-Secret aus der Umgebungsvariablen {variable}.',
  'portal.program.revoke': 'Es liest das Client-Secret und das Token aus den Umgebungsvariablen {secret} und {token}.',
  'portal.refresh':
    'Ein Refresh-Token wird einmal verwendet, und die Antwort enthält das nächste: Speichern Sie es, bevor Sie weitermachen. Geht eine Antwort verloren, wiederholen Sie die Anfrage innerhalb von {grace}.',
  'portal.keep':
    'Behalten Sie Ihre Token bei 429 und 503, und versuchen Sie es nach Retry-After erneut. Bei invalid_grant muss sich die Person neu anmelden.',
  'portal.web': 'Webanwendung',
  'portal.web.about': 'Ihr Server hält ein Secret geheim und meldet Benutzer an.',
  'portal.web.session':
    'Behalten Sie die Token auf Ihrem Server. Der Browser bekommt nur das Cookie Ihrer eigenen Sitzung.',
  'portal.web.state':
    'Senden Sie mit jeder Anfrage einen neuen state und eine neue PKCE-Challenge, und vergleichen Sie state und iss in der Antwort.',
  'portal.spa': 'Single-Page-Anwendung',
  'portal.spa.about': 'Eine Webseite ohne eigenen Server.',
  'portal.spa.site':
    'Skripte können Antworten nur auf der Website einer Anwendung lesen, die ein Administrator bestätigt hat: Bitten Sie darum. Alle Ports von localhost gelten als eine Website; was dort geht, kann also auf Ihrer eigenen Website scheitern.',
  'portal.spa.memory':
    'Behalten Sie Token im Arbeitsspeicher, nie in localStorage, wo jedes Skript der Website sie lesen kann.',
  'portal.native': 'Native und mobile Anwendung',
  'portal.native.about': 'Auf einem Smartphone, einem Desktop oder der Kommandozeile.',
  'portal.native.browser':
    'Öffnen Sie den Browser des Systems, nie eine eigene WebView: Niemand soll sein Passwort in eine Anwendung eingeben.',
  'portal.native.redirect':
    'Registrieren Sie {loopback} und lauschen Sie an einem beliebigen freien Port, wie es das erste Programm tut; oder für die Website {site} ein privates Schema, das mit dieser Domain in umgekehrter Reihenfolge beginnt, etwa {scheme}; oder eine https-Adresse, die das System in Ihrer Anwendung öffnet.',
  'portal.native.public': 'Die Anwendung ist öffentlich: Ein Secret darin würde jeder kennen.',
  'portal.mcp': 'MCP-Client',
  'portal.mcp.about': 'Ein Agent, der die Werkzeuge eines MCP-Servers benutzt.',
  'portal.mcp.finds':
    'Der Client kennt nur die Adresse des MCP-Servers, dessen Metadaten diesen Server nennen. Mit dem Parameter {resource} fordert er Token für jenen MCP-Server an, die anderswo nichts nützen.',
  'portal.mcp.unknown':
    'Ist jener MCP-Server hier nicht als Ressource registriert, lautet die Antwort {error}, oder {scope_error}, wenn der MCP-Server Scopes veröffentlicht, die hier unbekannt sind. Nur die Betreiber dieses Servers können ihn registrieren: Senden Sie ihnen seine Adresse, genau wie sie in seinen Metadaten unter resource steht, und seine Scopes. Registriert sind: {page}',
  'portal.mcp.itself': 'Er kann sich hier selbst registrieren: Ohne Wert für {member} tut es das Programm.',
  'portal.mcp.document': 'Er braucht keine Registrierung, wenn er ein Metadatendokument veröffentlicht: {page}',
  'portal.mcp.registered': 'Er muss vorher hier registriert werden: {page}',
  'portal.api': 'Ihre eigene API',
  'portal.api.about': 'Sie nimmt die Token dieses Servers an.',
  'portal.api.registered':
    'Die Betreiber dieses Servers registrieren die API als Ressource, mit ihren Scopes und dem Client, mit dem sie nach Token fragt. Jede andere Anwendung erfährt nur etwas über ihre eigenen Token.',
  'portal.api.introspect':
    'Fragen Sie bei {introspect} nach jedem Token. Nehmen Sie es an, wenn active true ist, aud Ihre Ressource, scope das Nötige enthält und token_type Bearer ist, ohne cnf.',
  'portal.api.jwt':
    'Eine Ressource kann signierte Token haben [RFC 9068]. Prüfen Sie sie mit den Schlüsseln von {jwks}: alg ist ES256, typ ist at+jwt, iss ist {issuer}, aud ist Ihre Ressource, exp liegt in der Zukunft. Sie gelten höchstens {ttl}, auch wenn sie widerrufen werden.',
  'portal.api.jwt_library':
    'Für Node: {node} mit {base} (dieser Issuer) und {audience} (Ihre Ressource); für Python: {python}, mit dem Sie {type} selbst vergleichen. Was in einem solchen Token steht, zeigt das Beispiel unten.',
  'portal.api.refuse':
    'Antworten Sie auf ein ungültiges Token mit 401 und WWW-Authenticate, mit 403, wenn ein Scope fehlt, und mit 503, wenn Sie nicht fragen können: Bei 401 werfen Anwendungen ihre Token weg.',
  'portal.api.nginx':
    'nginx erfährt nur, dass das Token gültig und von dieser Anwendung ist, weder für eine Ressource noch an einen Schlüssel gebunden: Nach Scopes fragt die API selbst.',
  'portal.sign_in': 'Anmelden mit {brand}',
  'portal.sign_in.about': 'Konten Ihrer Website, ohne id_token.',
  'portal.sign_in.how':
    'Melden Sie Benutzer an wie eine Webanwendung, {page}, und lesen Sie {user} mit dem Access-Token auf Ihrem Server.',
  'portal.sign_in.sub':
    'Erkennen Sie Benutzer nur an {sub}. Name, Benutzername und Adresse ändern sich und können an jemand anderen übergehen.',
  'portal.sign_in.proves':
    'Das beweist: Wer an diesem Browser sitzt, hat hier ein Konto und hat Ihrer Anwendung erlaubt, es zu kennen. Nur ein Code, den Sie selbst einlösen, mit Ihrem eigenen PKCE-Verifier und state, beweist das.',
  'portal.sign_in.not':
    'Ein Access-Token, das ein Browser oder eine App Ihrem Server übergibt, beweist nichts: Es kann das einer anderen Anwendung sein. Auch eine Erneuerung beweist nicht, dass die Person da ist.',
  'portal.sign_in.time':
    'Mit {max_age} bei {authorize} verlangen Sie eine neue Anmeldung. {introspect} sagt als auth_time und acr, wann und wie sie geschah.',
  'portal.messages': 'Anfragen und Antworten',
  'portal.messages.about': 'Jede Nachricht des Ablaufs, für einen Client ohne Bibliothek.',
  'portal.messages.authorize': 'Autorisierungsanfrage',
  'portal.messages.authorize_text':
    'Der Browser geht dorthin und kehrt mit {answer} zur Redirect-URI zurück, nach einer Ablehnung mit {error}.',
  'portal.messages.response_type': 'Immer {code}.',
  'portal.messages.registered':
    'Wie registriert. Ist nur eine URI registriert, darf der zweite Parameter fehlen; er fehlt dann auch am Token-Endpunkt.',
  'portal.messages.requested': 'Durch Leerzeichen getrennt. Ohne ihn fordern Sie alles an, was registriert ist.',
  'portal.messages.state': 'Ein neuer zufälliger Wert für jede Anfrage, der unverändert zurückkommt.',
  'portal.messages.challenge':
    'Der SHA-256-Hashwert Ihres code_verifier in base64url, und {method}. Eine öffentliche Anwendung muss beide senden.',
  'portal.messages.prompt':
    '{none}: Es wird keine Seite gezeigt; wäre eine nötig, ist der Fehler einer von {errors}. {login}: neu anmelden. {consent}: neu fragen. {select_account}: das Konto wählen.',
  'portal.messages.login_hint':
    'Benutzername oder Adresse der Person, die Sie erwarten. Damit wird das Anmeldeformular vorausgefüllt.',
  'portal.messages.ui_locales': 'Die Sprache der Seiten, zum Beispiel {language}.',
  'portal.messages.max_age': 'Wie viele Sekunden die Anmeldung her sein darf. {now} verlangt eine neue.',
  'portal.messages.acr_values':
    '{one}: Ein Faktor genügt. {two}: zwei Faktoren. Ist das nicht möglich, lautet der Fehler {error}.',
  'portal.messages.resource': 'Der Dienst, für den das Token ist, wenn nicht für diesen: {page}',
  'portal.messages.response_mode':
    'Mit {form} sendet eine Seite die Antwort als Formular. Ohne ihn steht sie in der Query.',
  'portal.messages.token': 'Token-Anfrage',
  'portal.messages.authenticate':
    'Eine öffentliche Anwendung sendet {id}. Eine vertrauliche fügt {secret} hinzu, oder sendet beide mit HTTP Basic. JSON wird auch gelesen.',
  'portal.messages.lines': 'Die Zeilenumbrüche in Formularen dienen nur der Lesbarkeit.',
  'portal.messages.granted':
    '{scope} sagt, was erteilt wurde, und das kann weniger sein als angefordert. Wurde alles erteilt, steht es so da, wie Sie es gesendet haben.',
  'portal.messages.once':
    'Erlaubt die Person es nur dieses Mal, gibt es kein {refresh_token}. Hat sie ein Ende gewählt, nennt {member} die Sekunden bis dahin.',
  'portal.messages.refresh': 'Erneuerung',
  'portal.messages.reuse':
    'Kommt ein altes Refresh-Token später, oder nachdem sein Nachfolger verwendet wurde, werden alle Token des Codes widerrufen, und die Antwort ist {error}.',
  'portal.messages.narrow':
    'Mit {scope} darf das neue Access-Token weniger, nie mehr als erteilt wurde. Die nächste Erneuerung kann wieder alles anfordern.',
  'portal.messages.user': 'Profil',
  'portal.messages.user_text': '{always} sind immer da, die anderen Felder mit ihren Scopes: {page}',
  'portal.messages.email':
    '{email} ist {null}, und {verified} ist false, solange die Adresse nicht bestätigt ist. Auch {name} kann {null} sein.',
  'portal.messages.introspect': 'Introspektion',
  'portal.messages.introspect_text':
    'Ist {active} false, steht sonst nichts da. {aud} steht bei einem Token für eine Ressource, {cnf} bei einem, das an einen Schlüssel gebunden ist; bei einem Refresh-Token fehlt {token_type}.',
  'portal.messages.revoke': 'Widerruf',
  'portal.messages.revoke_text':
    'Mit einem Refresh-Token enden alle Token seines Codes. Mit einem Access-Token endet nur dieses: Das Refresh-Token gilt weiter. Ein unbekanntes Token erhält dieselbe Antwort.',
  'portal.messages.refusal': 'Ablehnung',
  'portal.messages.refusal_text':
    'Jede Adresse für Programme beantwortet einen Fehler so; bei /user steht er auch in {header}. Was jeweils zu tun ist: {page}',
  'portal.end': 'Widerrufen und abmelden',
  'portal.end.about': 'Wie der Zugriff endet.',
  'portal.end.revoke':
    'Wenn jemand die Verbindung trennt, widerrufen Sie das Refresh-Token bei {revoke}: Alle Token desselben Codes enden mit ihm.',
  'portal.end.session':
    'Die Abmeldung von Ihrer Anwendung beendet Ihre eigene Sitzung, nicht die hiesige: Es gibt keine gemeinsame Abmeldung. Benutzer beenden sie auf ihrer Kontoseite: {account}',
  'portal.end.people':
    'Verlinken Sie die Seite, auf der Benutzer sehen, ändern und zurücknehmen, was sie Ihrer Anwendung erlaubt haben: {page}',
  'portal.end.leaked':
    'Senden Sie ein Token, das Sie öffentlich gefunden haben, an {leaked}: Es wird mit allen zugehörigen widerrufen.',
  'portal.reference': 'Scopes, Adressen, Lebensdauern',
  'portal.reference.about': 'Was dieser Server hat.',
  'portal.scopes': 'Scopes',
  'portal.scopes.text':
    'Fordern Sie so wenig an, wie Sie brauchen. Eine Anwendung kann die Scopes ihrer Registrierung anfordern, und Benutzer können jeden ablehnen, der nicht als erforderlich registriert ist. Die Antwort mit dem Token sagt, was erteilt wurde.',
  'portal.scopes.parent':
    '{group} steht für {members} zusammen. Eine Anfrage darf ihn nennen, und eine Antwort nennt ihn an deren Stelle, wenn alle erteilt sind. Nehmen Sie also einen Scope oder die Gruppe an, zu der er gehört.',
  'portal.scopes.fields': 'Felder bei /user: {fields}.',
  'portal.scopes.opens': 'Öffnet {addresses}.',
  'portal.scopes.at': 'Für {resources}.',
  'portal.scopes.elsewhere': 'Öffnet keine Adresse dieses Servers: Er ist für eine Ressource.',
  'portal.scopes.strangers':
    'Eine Anwendung, die niemand registriert hat, erhält die Scopes, die nichts ändern, wenn sie keine nennt.',
  'portal.scopes.group': 'Teil von {group}.',
  'portal.scopes.changes': 'Erlaubt Änderungen.',
  'portal.scopes.factors': 'Verlangt eine Anmeldung mit zwei Faktoren.',
  'portal.scopes.recent': 'Verlangt eine Anmeldung innerhalb von {time}.',
  'portal.resources': 'Ressourcen',
  'portal.resources.text':
    'Andere Dienste, die Token dieses Servers annehmen, mit ihren Scopes. Nennen Sie einen als {resource}, und das Token gilt nur für ihn.',
  'portal.resources.public':
    'Aufgeführt sind nur Ressourcen mit öffentlicher https-Adresse; auch eine mit anderer Adresse, etwa localhost, nimmt Token an.',
  'portal.resources.jwt': 'Signierte Token.',
  'portal.endpoints': 'Adressen',
  'portal.endpoints.text': 'Bibliotheken finden sie über die Metadaten: {metadata}',
  'portal.endpoints.dpop':
    'Ein Token kann durch DPoP [RFC 9449] an einen Schlüssel gebunden werden: Dann nützt es einem Dieb nichts.',
  'portal.endpoints.nonce': 'Nachweise brauchen die Nonce des Headers {header}.',
  'portal.endpoints.github': 'Software, die für GitHub Enterprise geschrieben wurde, benutzt {authorize} und {api}.',
  'portal.lifetimes': 'Lebensdauern',
  'portal.lifetimes.signed': 'Signiertes Access-Token',
  'portal.lifetimes.family': 'Alle Token eines Codes, so oft sie auch erneuert werden',
  'portal.lifetimes.grace': 'Eine wiederholte Erneuerung erhält dieselbe Antwort',
  'portal.lifetimes.pushed': '{member} einer vorab übermittelten Anfrage',
  'portal.errors': 'Grenzen und Fehler',
  'portal.errors.about': 'Was eine Ablehnung bedeutet.',
  'portal.errors.text':
    'Ein Fehler hat error, error_description und error_uri, die zu seiner Seite führt. Über {id} finden die Betreiber dieses Servers und die Entwicklerkonsole den Grund.',
  'portal.limits': 'Grenzen',
  'portal.limits.text': 'Darüber ist die Antwort 429 mit {header}. Die richtigen Zugangsdaten werden immer angenommen.',
  'portal.limits.credentials': 'Falsche Secrets, Codes und Refresh-Token aus einem Netz',
  'portal.limits.tokens': 'Falsche Access-Token aus einem Netz',
  'portal.limits.proofs':
    'Nachweise oder vorab übermittelte Anfragen einer vertraulichen Anwendung, die kein Administrator bestätigt hat',
  'portal.limits.registrations': 'Registrierungen aus einem Netz',
  'home.portal': 'Dokumentation für Entwickler',
  'home.portal_text': 'Was Sie mit {brand} entwickeln können und wie Sie anfangen.',
};
