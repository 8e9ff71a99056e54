import type { bound as english } from '../en/bound.ts';

export const bound: Record<keyof typeof english, string> = {
  'mode.label': 'Art des Ablaufs',
  'mode.plain': 'Einfach',
  'mode.bound': 'Vorab übermittelte Anfrage und gebundenes Token (PAR + DPoP)',
  'mode.text_plain': 'Die Anfrage steht in der URL, und wer das Token besitzt, kann es verwenden.',
  'mode.text_bound':
    'Die Anwendung sendet ihre Anfrage direkt an den Server, und das Token gilt nur zusammen mit dem privaten Schlüssel der Anwendung.',
  'mode.start_text':
    'Unten steht die Anfrage, die die Anwendung senden wird, mit allen Parametern. Ihr Browser überbringt dann nur einen Verweis darauf. Nach Ihrer Entscheidung sehen Sie alle Nachrichten, die darauf folgten.',
  'step.push_request.title': 'Die Anwendung übermittelt ihre Anfrage vorab',
  'step.push_request.text':
    'Sie authentifiziert sich und sendet die Anfrage direkt an den Server. Im Browser kann sie daher niemand lesen oder ändern. Die Antwort ist ein Verweis auf die Anfrage.',
  'step.authorization_by_reference.title': 'Die Anwendung schickt Sie zum Server',
  'step.authorization_by_reference.text':
    'Die URL enthält den Verweis statt der Anfrage. Der Server hat die Anfrage schon geprüft.',
  'step.introspection_request.title': 'Der Server nennt den Schlüssel, an den das Token gebunden ist',
  'step.introspection_request.text':
    'Der Fingerabdruck in cnf ist der des Schlüssels, mit dem die Anwendung ihre Nachweise signiert. Ein Server, der das Token annimmt, vergleicht beide.',
  'step.nonce_demanded.title': 'Der Server verlangt eine Nonce',
  'step.nonce_demanded.text':
    'Sie steht im Header DPoP-Nonce der Antwort. Die Anwendung wiederholt die Anfrage mit einem neuen Nachweis.',
  'proof.title': 'Der DPoP-Nachweis, dekodiert',
  'proof.header': 'Header',
  'proof.claims': 'Claims',
  'proof.thumbprint': 'Fingerabdruck',
  'proof.thumbprint_text':
    'Der SHA-256-Hashwert von jwk. Er muss jkt in cnf gleichen, das die Introspektion für das Token zeigt.',
  'proof.typ': 'Die Art des JWT, damit kein anderes JWT als Nachweis gilt.',
  'proof.alg': 'Der Algorithmus der Signatur.',
  'proof.jwk': 'Der öffentliche Schlüssel, mit dem die Signatur geprüft wird. Der private verlässt die Anwendung nie.',
  'proof.htm': 'Die Methode dieser Anfrage. Mit jeder anderen wird der Nachweis abgelehnt.',
  'proof.htu': 'Die Adresse dieser Anfrage. An jeder anderen wird der Nachweis abgelehnt.',
  'proof.ath': 'Der SHA-256-Hashwert des Access-Tokens. Mit jedem anderen Token wird der Nachweis abgelehnt.',
  'proof.nonce':
    'Aus dem Header DPoP-Nonce einer früheren Antwort; der Nachweis wurde also nicht lange vorher erstellt.',
  'proof.iat': 'Wann der Nachweis erstellt wurde. Der Server akzeptiert ihn zwei Minuten lang.',
  'proof.jti': 'Ein zufälliger Name, an dem der Server einen schon verwendeten Nachweis erkennt.',
  'repeated.code':
    'Der Code wurde bereits eingelöst. Dieser Befehl löst ihn erneut ein: Der Server lehnt ihn ab und widerruft die dafür ausgestellten Token.',
  'repeated.proof':
    'Der Server lehnt diesen Befehl ab: Er akzeptiert einen Nachweis einmal, innerhalb von zwei Minuten. Um die Anfrage zu wiederholen, signiert die Anwendung einen neuen Nachweis mit ihrem privaten Schlüssel, der hier nicht gezeigt wird.',
  'repeated.request_uri':
    'Sie haben die vorab übermittelte Anfrage schon beantwortet, deshalb erhält dieser Befehl eine Fehlerseite. Die Anfrage kann erneut vorab übermittelt werden.',
  'parameter.request_uri':
    'Ein Verweis auf die vorab übermittelte Anfrage. Nur diese Anwendung kann ihn verwenden, einmal und für kurze Zeit.',
  'parameter.dpop_jkt': 'Der Fingerabdruck des Schlüssels der Anwendung. Auch der Code ist daran gebunden.',
  'parameter.active': 'Ob das Token jetzt gültig ist.',
  'parameter.cnf': 'Der Fingerabdruck (jkt) des Schlüssels, an den das Token gebunden ist.',
  'outcome.stolen': 'Akzeptiert: Der Dieb liest Ihr Profil.',
  'tries.theft': 'Das Token stehlen',
  'tries.text_theft':
    'Angenommen, ein Dieb hat eine Anfrage der Anwendung mit ihrem Access-Token gelesen, zum Beispiel in einem Log. Jede Schaltfläche sendet, was der Dieb senden kann.',
  'break.stolen_bearer': 'Als Bearer-Token senden',
  'break.stolen_replayed': 'Mit verwendetem Nachweis senden',
  'break.stolen_other_key': 'Mit Nachweis eines anderen Schlüssels senden',
  'step.stolen_accepted.title': 'Der Dieb sendet das Token',
  'step.stolen_accepted.text':
    'Ein Bearer-Token kann jeder verwenden, der es besitzt: Der Server kann den Dieb nicht von der Anwendung unterscheiden. Beginnen Sie mit PAR + DPoP von vorn und versuchen Sie es erneut.',
  'step.stolen_bearer.title': 'Der Dieb sendet das Token als Bearer-Token',
  'step.stolen_bearer.text':
    'Dieses Token ist an einen Schlüssel gebunden. Ohne einen Nachweis des Schlüssels behandelt der Server es als ungültig.',
  'step.stolen_replayed.title': 'Der Dieb sendet dieselbe Anfrage noch einmal',
  'step.stolen_replayed.text':
    'Token und Nachweis sind die der Anfrage oben. Der Server merkt sich jeden Nachweis, bis er abläuft, und lehnt ihn beim zweiten Mal ab.',
  'step.stolen_other_key.title': 'Der Dieb erstellt einen Nachweis mit einem anderen Schlüssel',
  'step.stolen_other_key.text':
    'Der Nachweis selbst ist richtig, aber das Token ist an einen anderen Schlüssel gebunden. Der Dieb bräuchte den privaten Schlüssel, den die Anwendung nie sendet.',
};
