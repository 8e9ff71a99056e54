import type { security as english } from '../en/security.ts';

export const security: Record<keyof typeof english, string> = {
  'security.title': '此应用的安全设置',
  'security.text':
    '更改从下一个请求起生效，因此请同时更改您的服务器。此前签发的授权码和刷新令牌也遵循新设置；此前签发的访问令牌保持不变，直到到期。',
  'security.profile': '规则',
  'security.profile.standard': '普通：所有程序库都支持的 OAuth 2.0。',
  'security.profile.fapi2':
    'FAPI 2.0，用于银行和医疗数据：密钥或证书、预先推送的请求、绑定的令牌。您的程序库必须支持全部三项，并且每次都会征求用户许可。',
  'security.method': '如何证明身份',
  'security.token_endpoint_auth_method.none': '不证明：应用是公开型并使用 PKCE。每次都会征求用户许可。',
  'security.token_endpoint_auth_method.client_secret_basic':
    '客户端密钥：所有程序库都能发送。得到它的人可以冒充您的应用，直到您更换它。',
  'security.token_endpoint_auth_method.private_key_jwt':
    '密钥对（private_key_jwt）：本服务器只知道公钥，因此私钥不会从这里泄露。您的服务器为每个请求签署一条短消息。',
  'security.token_endpoint_auth_method.tls_client_auth':
    '由本服务器接受的机构颁发的证书：您的服务器在每个连接上出示它，您需要在到期前更新。',
  'security.token_endpoint_auth_method.self_signed_tls_client_auth':
    '自签名证书：不需要颁发机构。您的服务器在每个连接上出示它，其公钥在下方注册。',
  'security.stays_confidential': '能证明身份的应用不能变为公开型。请改为注册另一个应用。',
  'security.keys': '密钥和名称',
  'security.keys_text': '用于密钥对、证书或签名请求。其他情况下请将这些字段留空。',
  'security.jwks': '公钥',
  'security.jwks_hint': 'JWK 集：带有 keys 成员的 JSON。切勿粘贴私钥。',
  'security.jwks_uri': '公钥的地址',
  'security.jwks_uri_hint': '代替公钥本身：本服务器从该地址获取公钥，因此您无需此页面即可更换。该网站必须始终可访问。',
  'security.subject': '证书的主题',
  'security.subject_hint':
    '对于机构颁发的证书，请填写这两项中的一项。主题与 openssl x509 -noout -subject -nameopt RFC2253 的输出相同。',
  'security.host': '证书中的主机名',
  'security.tokens': '使用访问令牌的请求必须证明什么',
  'security.token_binding.any': '不证明，除非您的应用在请求令牌时附上了 DPoP 证明：简单，但窃取令牌的人可以使用它。',
  'security.token_binding.dpop': '密钥（DPoP）：被窃的令牌毫无用处。您的应用为每个请求签署一个简短的证明。',
  'security.token_binding.certificate': '连接的证书：被窃的令牌毫无用处。每个使用令牌的请求都需要带有该证书的连接。',
  'security.token_binding.mac': '每个请求的 MAC：已放弃的草案，供现有软件使用。请优先选择 DPoP。',
  'security.requests': '授权请求',
  'security.pushed': '只接受预先推送的：没有人能在浏览器中更改它们。您的服务器每次需要多发一个请求。',
  'security.signed': '只接受签名的：它们能证明由谁发出。您的服务器为此需要一个密钥，并预先推送请求。',
  'security.algorithm': '签名算法',
  'security.any_algorithm': '任意一种',
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
  'security_problem.jwks_uri_not_https': '这不是 https 网址。',
  'security_problem.jwks_uri_port': '此端口属于其他协议：请使用 443 或 1023 以上的端口。',
  'security_problem.tls_client_auth_subject_dn_not_one':
    '机构颁发的证书需要这两个名称中的恰好一个。其他情况下请都留空。',
  'security_problem.tls_client_auth_subject_dn_malformed': '这不是 CN=app,O=Acme,C=DE 这样的主题。',
  'security_problem.tls_client_auth_san_dns_malformed': '这不是 app.example 这样的主机名。',
  'security_problem.profile_not_https': 'FAPI 2.0 需要使用 https 的重定向 URI。',
  'security_problem.profile_mac': 'FAPI 2.0 不允许 MAC 令牌。',
  'security_problem.require_signed_request_object_no_key': '签名的请求需要公钥。',
};
