import type { security as english } from '../en/security.ts';

export const security: Record<keyof typeof english, string> = {
  'security.title': '此应用的安全设置',
  'security.text':
    '更改从下一个请求起生效，因此请同时更改您的服务器。此前签发的授权码和刷新令牌也遵循新设置；此前签发的访问令牌保持不变，直到到期。',
  'security.profile': '规则',
  'security.profile.standard': '普通：所有程序库都支持的 OAuth 2.0。',
  'security.profile.fapi2':
    'FAPI 2.0，用于银行和医疗数据：密钥或证书、推送的请求、绑定的令牌。您的程序库必须支持全部三项，并且每次都会征求用户许可。',
  'security.method': '如何证明身份',
  'security.token_endpoint_auth_method.none': '不证明：应用是公开型并使用 PKCE。每次都会征求用户许可。',
  'security.token_endpoint_auth_method.client_secret_basic':
    '客户端密码：所有程序库都能发送。得到它的人可以冒充您的应用，直到您更换它。',
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
  'security.tokens': '使用访问令牌的请求必须证明什么',
  'security.token_binding.any': '不证明，除非您的应用在请求令牌时附上了 DPoP 证明：简单，但窃取令牌的人可以使用它。',
  'security.token_binding.dpop': '密钥（DPoP）：被窃的令牌毫无用处。您的应用为每个请求签署一个简短的证明。',
  'security.token_binding.certificate': '连接的证书：被窃的令牌毫无用处。每个使用令牌的请求都需要带有该证书的连接。',
  'security.token_binding.mac': '每个请求的 MAC：已放弃的草案，供现有软件使用。请优先选择 DPoP。',
  'security.requests': '授权请求',
  'security.any': '任意一种',
  'security.fapi2_preset': '按 FAPI 2.0 的要求填写',
};
