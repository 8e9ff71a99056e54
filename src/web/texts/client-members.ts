// What the form of the console says about the members of a client, in all languages: a member has a label, perhaps a hint, and a
// text for each rule of its own.

const en = {
  'security.jwks_uri': 'Address of the public keys',
  'security.jwks_uri_hint':
    'Instead of the keys themselves: this server fetches them from there, so you can replace them without this page. The site must always be reachable.',
  'security.tls_client_auth_subject_dn': 'Subject of the certificate',
  'security.tls_client_auth_subject_dn_hint':
    'For a certificate of an authority, fill in one of these two fields. The subject: as openssl x509 -noout -subject -nameopt RFC2253 prints it.',
  'security.tls_client_auth_san_dns': 'Host name in the certificate',
  'security.require_pushed_authorization_requests':
    'Only pushed ones: nobody can change them in the browser. Your servers make one more request for each.',
  'security.require_signed_request_object':
    'Only signed ones: they prove who made them. Your servers need a key for it, and push them.',
  'security.request_object_signing_alg': 'They are signed with',
  'security_problem.token_endpoint_auth_method_too_weak': 'FAPI 2.0 needs a key or a certificate.',
  'security_problem.token_endpoint_auth_method_refused': 'This was not accepted: {value}',
  'security_problem.jwks_missing': 'Paste public keys or enter their address: your choice above needs them.',
  'security_problem.jwks_twice': 'Paste the keys or enter their address, not both.',
  'security_problem.jwks_malformed': 'This is not a JWK set with one to ten keys.',
  'security_problem.jwks_secret':
    'This contained a private key, so it was removed. Whoever has seen it can pose as your application: create a new key and paste only its public half.',
  'security_problem.jwks_unusable': 'One of the keys is neither RSA with 2048 to 4096 bits nor EC P-256 nor Ed25519.',
  'security_problem.jwks_forgeable':
    'Anybody could sign in place of one of these keys: the exponent of an RSA key must be an odd number from 65537, other keys must be points of their curve.',
  'security_problem.jwks_purpose':
    'One of the keys is not for signatures that this server accepts: look at its use, key_ops and alg.',
  'security_problem.jwks_kid': 'Each key needs a different kid.',
  'security_problem.jwks_no_use':
    'Each of these keys is for RS256 only, and this server verifies no JWT by RS256: add a key for ES256, PS256 or Ed25519.',
  'security_problem.jwks_uri_not_https': 'This is not an https URL.',
  'security_problem.jwks_uri_not_fetched':
    'This server fetches nothing from here: the address needs the form https://host.example/path, with a name of the public DNS in lower case and, if any, a port above 1023.',
  'security_problem.tls_client_auth_subject_dn_not_one':
    'A certificate of an authority needs exactly one of these two names. Leave both empty for everything else.',
  'security_problem.tls_client_auth_subject_dn_malformed': 'This is not a subject such as CN=app,O=Acme,C=DE.',
  'security_problem.tls_client_auth_san_dns_malformed': 'This is not a host name such as app.example.',
  'security_problem.profile_not_https': 'FAPI 2.0 needs redirection URIs with https.',
  'security_problem.profile_mac': 'FAPI 2.0 does not permit MAC tokens.',
  'security_problem.require_signed_request_object_no_key': 'Signed requests need public keys.',
} as const;

type Texts = Readonly<Record<keyof typeof en, string>>;

const de = {
  'security.jwks_uri': 'Adresse der öffentlichen Schlüssel',
  'security.jwks_uri_hint':
    'Anstelle der Schlüssel selbst: Dieser Server ruft sie dort ab, sodass Sie sie ohne diese Seite ersetzen können. Die Website muss immer erreichbar sein.',
  'security.tls_client_auth_subject_dn': 'Name im Zertifikat (subject)',
  'security.tls_client_auth_subject_dn_hint':
    'Bei einem Zertifikat einer Zertifizierungsstelle füllen Sie eines dieser beiden Felder aus. Den Namen so, wie openssl x509 -noout -subject -nameopt RFC2253 ihn ausgibt.',
  'security.tls_client_auth_san_dns': 'Hostname im Zertifikat',
  'security.require_pushed_authorization_requests':
    'Nur vorab übermittelte: Niemand kann sie im Browser ändern. Ihre Server stellen dafür jeweils eine weitere Anfrage.',
  'security.require_signed_request_object':
    'Nur signierte: Sie beweisen, von wem sie stammen. Ihre Server brauchen dafür einen Schlüssel und übermitteln sie vorab.',
  'security.request_object_signing_alg': 'Sie sind signiert mit',
  'security_problem.token_endpoint_auth_method_too_weak': 'FAPI 2.0 verlangt einen Schlüssel oder ein Zertifikat.',
  'security_problem.token_endpoint_auth_method_refused': 'Das wurde nicht angenommen: {value}',
  'security_problem.jwks_missing':
    'Fügen Sie öffentliche Schlüssel ein oder nennen Sie ihre Adresse: Ihre Auswahl oben braucht sie.',
  'security_problem.jwks_twice': 'Fügen Sie die Schlüssel ein oder nennen Sie ihre Adresse, nicht beides.',
  'security_problem.jwks_malformed': 'Das ist kein JWK-Set mit einem bis zehn Schlüsseln.',
  'security_problem.jwks_secret':
    'Hier stand ein privater Schlüssel, der deshalb entfernt wurde. Wer ihn gesehen hat, kann sich als Ihre Anwendung ausgeben: Erzeugen Sie einen neuen und fügen Sie nur seine öffentliche Hälfte ein.',
  'security_problem.jwks_unusable':
    'Einer der Schlüssel ist weder RSA mit 2048 bis 4096 Bit noch EC P-256 noch Ed25519.',
  'security_problem.jwks_forgeable':
    'Bei einem dieser Schlüssel könnte jeder unterschreiben: Der Exponent eines RSA-Schlüssels muss eine ungerade Zahl ab 65537 sein, andere Schlüssel müssen Punkte ihrer Kurve sein.',
  'security_problem.jwks_purpose':
    'Einer der Schlüssel ist nicht für Signaturen, die dieser Server annimmt: Prüfen Sie use, key_ops und alg.',
  'security_problem.jwks_kid': 'Jeder Schlüssel braucht eine andere kid.',
  'security_problem.jwks_no_use':
    'Alle diese Schlüssel sind nur für RS256, und damit prüft dieser Server kein JWT: Fügen Sie einen Schlüssel für ES256, PS256 oder Ed25519 hinzu.',
  'security_problem.jwks_uri_not_https': 'Das ist keine https-URL.',
  'security_problem.jwks_uri_not_fetched':
    'Von hier ruft dieser Server nichts ab: Die Adresse braucht die Form https://host.example/path, mit einem kleingeschriebenen Namen des öffentlichen DNS und, wenn überhaupt, einem Port über 1023.',
  'security_problem.tls_client_auth_subject_dn_not_one':
    'Ein Zertifikat einer Zertifizierungsstelle braucht genau einen dieser beiden Namen. Lassen Sie sonst beide leer.',
  'security_problem.tls_client_auth_subject_dn_malformed': 'Das ist kein Name wie CN=app,O=Acme,C=DE.',
  'security_problem.tls_client_auth_san_dns_malformed': 'Das ist kein Hostname wie app.example.',
  'security_problem.profile_not_https': 'FAPI 2.0 verlangt Redirect-URIs mit https.',
  'security_problem.profile_mac': 'FAPI 2.0 erlaubt keine MAC-Token.',
  'security_problem.require_signed_request_object_no_key': 'Signierte Anfragen brauchen öffentliche Schlüssel.',
} satisfies Texts;

const fr = {
  'security.jwks_uri': 'Adresse des clés publiques',
  'security.jwks_uri_hint':
    'À la place des clés elles-mêmes : ce serveur les y récupère, vous pouvez donc les remplacer sans cette page. Le site doit toujours être joignable.',
  'security.tls_client_auth_subject_dn': 'Sujet du certificat',
  'security.tls_client_auth_subject_dn_hint':
    'Pour un certificat d’une autorité, remplissez un seul de ces deux champs. Le sujet tel que l’affiche openssl x509 -noout -subject -nameopt RFC2253.',
  'security.tls_client_auth_san_dns': 'Nom d’hôte dans le certificat',
  'security.require_pushed_authorization_requests':
    'Transmises à l’avance uniquement : personne ne peut les modifier dans le navigateur. Vos serveurs envoient une requête de plus à chaque fois.',
  'security.require_signed_request_object':
    'Signées uniquement : elles prouvent qui les a faites. Vos serveurs ont besoin d’une clé pour cela et les transmettent à l’avance.',
  'security.request_object_signing_alg': 'Elles sont signées avec',
  'security_problem.token_endpoint_auth_method_too_weak': 'FAPI 2.0 exige une clé ou un certificat.',
  'security_problem.token_endpoint_auth_method_refused': 'Cela n’a pas été accepté : {value}',
  'security_problem.jwks_missing':
    'Collez des clés publiques ou indiquez leur adresse : votre choix ci-dessus les exige.',
  'security_problem.jwks_twice': 'Collez les clés ou indiquez leur adresse, pas les deux.',
  'security_problem.jwks_malformed': 'Ce n’est pas un ensemble JWK d’une à dix clés.',
  'security_problem.jwks_secret':
    'Il y avait ici une clé privée, qui a donc été retirée. Quiconque l’a vue peut se faire passer pour votre application : créez-en une nouvelle et collez seulement sa moitié publique.',
  'security_problem.jwks_unusable': 'L’une des clés n’est ni RSA de 2048 à 4096 bits, ni EC P-256, ni Ed25519.',
  'security_problem.jwks_forgeable':
    'N’importe qui pourrait signer à la place d’une de ces clés : l’exposant d’une clé RSA doit être un nombre impair à partir de 65537, les autres clés doivent être des points de leur courbe.',
  'security_problem.jwks_purpose':
    'L’une des clés n’est pas destinée à des signatures que ce serveur accepte : vérifiez use, key_ops et alg.',
  'security_problem.jwks_kid': 'Chaque clé a besoin d’un kid différent.',
  'security_problem.jwks_no_use':
    'Toutes ces clés servent uniquement à RS256, algorithme avec lequel ce serveur ne vérifie aucun JWT : ajoutez une clé pour ES256, PS256 ou Ed25519.',
  'security_problem.jwks_uri_not_https': 'Ce n’est pas une URL https.',
  'security_problem.jwks_uri_not_fetched':
    'Ce serveur ne récupère rien ici : l’adresse doit avoir la forme https://host.example/path, avec un nom du DNS public en minuscules et, le cas échéant, un port au-dessus de 1023.',
  'security_problem.tls_client_auth_subject_dn_not_one':
    'Un certificat d’une autorité exige exactement un de ces deux noms. Dans les autres cas, laissez-les vides tous les deux.',
  'security_problem.tls_client_auth_subject_dn_malformed': 'Ce n’est pas un sujet tel que CN=app,O=Acme,C=DE.',
  'security_problem.tls_client_auth_san_dns_malformed': 'Ce n’est pas un nom d’hôte tel que app.example.',
  'security_problem.profile_not_https': 'FAPI 2.0 exige des URI de redirection avec https.',
  'security_problem.profile_mac': 'FAPI 2.0 n’autorise pas les jetons MAC.',
  'security_problem.require_signed_request_object_no_key': 'Les requêtes signées exigent des clés publiques.',
} satisfies Texts;

const es = {
  'security.jwks_uri': 'Dirección de las claves públicas',
  'security.jwks_uri_hint':
    'En lugar de las propias claves: este servidor las obtiene de ahí, así que puede sustituirlas sin esta página. El sitio debe estar siempre disponible.',
  'security.tls_client_auth_subject_dn': 'Sujeto del certificado',
  'security.tls_client_auth_subject_dn_hint':
    'Para un certificado de una autoridad, rellene uno de estos dos campos. El sujeto, tal como lo muestra openssl x509 -noout -subject -nameopt RFC2253.',
  'security.tls_client_auth_san_dns': 'Nombre de host en el certificado',
  'security.require_pushed_authorization_requests':
    'Solo enviadas por adelantado: nadie puede cambiarlas en el navegador. Sus servidores envían una solicitud más cada vez.',
  'security.require_signed_request_object':
    'Solo firmadas: demuestran quién las hizo. Sus servidores necesitan una clave para ello y las envían por adelantado.',
  'security.request_object_signing_alg': 'Se firman con',
  'security_problem.token_endpoint_auth_method_too_weak': 'FAPI 2.0 exige una clave o un certificado.',
  'security_problem.token_endpoint_auth_method_refused': 'Esto no se aceptó: {value}',
  'security_problem.jwks_missing':
    'Pegue las claves públicas o indique su dirección: lo que eligió arriba las necesita.',
  'security_problem.jwks_twice': 'Pegue las claves o indique su dirección, no ambas cosas.',
  'security_problem.jwks_malformed': 'Esto no es un conjunto JWK con una a diez claves.',
  'security_problem.jwks_secret':
    'Aquí había una clave privada, por lo que se quitó. Quien la haya visto puede hacerse pasar por su aplicación: cree una nueva y pegue solo su mitad pública.',
  'security_problem.jwks_unusable': 'Una de las claves no es RSA de 2048 a 4096 bits, ni EC P-256, ni Ed25519.',
  'security_problem.jwks_forgeable':
    'Cualquiera podría firmar en lugar de una de estas claves: el exponente de una clave RSA debe ser un número impar desde 65537; las demás claves deben ser puntos de su curva.',
  'security_problem.jwks_purpose':
    'Una de las claves no es para firmas que este servidor acepta: revise use, key_ops y alg.',
  'security_problem.jwks_kid': 'Cada clave necesita un kid distinto.',
  'security_problem.jwks_no_use':
    'Todas estas claves son solo para RS256, y con ese algoritmo este servidor no verifica ningún JWT: añada una clave para ES256, PS256 o Ed25519.',
  'security_problem.jwks_uri_not_https': 'Esto no es una URL https.',
  'security_problem.jwks_uri_not_fetched':
    'Este servidor no obtiene nada de aquí: la dirección necesita la forma https://host.example/path, con un nombre del DNS público en minúsculas y, si lo hay, un puerto superior a 1023.',
  'security_problem.tls_client_auth_subject_dn_not_one':
    'Un certificado de una autoridad necesita exactamente uno de estos dos nombres. En los demás casos, deje ambos vacíos.',
  'security_problem.tls_client_auth_subject_dn_malformed': 'Esto no es un sujeto como CN=app,O=Acme,C=DE.',
  'security_problem.tls_client_auth_san_dns_malformed': 'Esto no es un nombre de host como app.example.',
  'security_problem.profile_not_https': 'FAPI 2.0 exige URI de redirección con https.',
  'security_problem.profile_mac': 'FAPI 2.0 no permite tokens MAC.',
  'security_problem.require_signed_request_object_no_key': 'Las solicitudes firmadas necesitan claves públicas.',
} satisfies Texts;

const zh = {
  'security.jwks_uri': '公钥的地址',
  'security.jwks_uri_hint': '代替公钥本身：本服务器从该地址获取公钥，因此您无需此页面即可更换。该网站必须始终可访问。',
  'security.tls_client_auth_subject_dn': '证书的主题',
  'security.tls_client_auth_subject_dn_hint':
    '对于机构颁发的证书，请填写这两项中的一项。主题与 openssl x509 -noout -subject -nameopt RFC2253 的输出相同。',
  'security.tls_client_auth_san_dns': '证书中的主机名',
  'security.require_pushed_authorization_requests':
    '只接受推送的：没有人能在浏览器中更改它们。您的服务器每次需要多发一个请求。',
  'security.require_signed_request_object':
    '只接受签名的：它们能证明由谁发出。您的服务器为此需要一个密钥，并推送这些请求。',
  'security.request_object_signing_alg': '签名算法',
  'security_problem.token_endpoint_auth_method_too_weak': 'FAPI 2.0 需要密钥或证书。',
  'security_problem.token_endpoint_auth_method_refused': '未被接受：{value}',
  'security_problem.jwks_missing': '请粘贴公钥或填写其地址：上面的选择需要它们。',
  'security_problem.jwks_twice': '请粘贴公钥或填写其地址，不要同时填写。',
  'security_problem.jwks_malformed': '这不是包含一到十个密钥的 JWK 集。',
  'security_problem.jwks_secret':
    '此处包含私钥，因此已被移除。看到它的人可以冒充您的应用：请创建新的密钥，并只粘贴其公钥。',
  'security_problem.jwks_unusable': '其中一个密钥既不是 2048 到 4096 位的 RSA，也不是 EC P-256 或 Ed25519。',
  'security_problem.jwks_forgeable':
    '其中一个密钥的签名任何人都可以伪造：RSA 密钥的指数必须是不小于 65537 的奇数，其他密钥必须是其曲线上的点。',
  'security_problem.jwks_purpose': '其中一个密钥不能用于本服务器接受的签名：请检查 use、key_ops 和 alg。',
  'security_problem.jwks_kid': '每个密钥需要不同的 kid。',
  'security_problem.jwks_no_use':
    '这些密钥都仅用于 RS256，而本服务器不使用 RS256 验证任何 JWT：请添加用于 ES256、PS256 或 Ed25519 的密钥。',
  'security_problem.jwks_uri_not_https': '这不是 https 网址。',
  'security_problem.jwks_uri_not_fetched':
    '本服务器不会从这里获取任何内容：地址须为 https://host.example/path 的形式，使用小写的公共 DNS 名称；如有端口，须大于 1023。',
  'security_problem.tls_client_auth_subject_dn_not_one':
    '机构颁发的证书需要这两个名称中的恰好一个。其他情况下请都留空。',
  'security_problem.tls_client_auth_subject_dn_malformed': '这不是 CN=app,O=Acme,C=DE 这样的主题。',
  'security_problem.tls_client_auth_san_dns_malformed': '这不是 app.example 这样的主机名。',
  'security_problem.profile_not_https': 'FAPI 2.0 需要使用 https 的重定向 URI。',
  'security_problem.profile_mac': 'FAPI 2.0 不允许 MAC 令牌。',
  'security_problem.require_signed_request_object_no_key': '签名的请求需要公钥。',
} satisfies Texts;

export const memberTexts = { en, de, fr, es, zh };

/** A problem is named by its field and rule, see migrations/functions. */
export type MemberProblem = keyof typeof en extends infer Key
  ? Key extends `security_problem.${infer Name}`
    ? Name
    : never
  : never;
