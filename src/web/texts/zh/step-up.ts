import type { stepUp as english } from '../en/step-up.ts';

export const stepUp: Record<keyof typeof english, string> = {
  'login.step_up': '您已登录，但该应用要求使用两种验证方式，例如通行密钥，或密码加验证码。请重新登录。',
  'problem.password_common': '此密码属于最常见的 10000 个密码，别人会最先尝试。请另选一个。',
  'problem.password_is_name': '密码不能是您的用户名或电子邮箱地址，也不能是本服务器的名称。',
  'export.title': '下载您的数据',
  'export.summary':
    '此处保存的与您有关的全部内容，合为一个文件：个人资料、关联的账号、会话、应用的访问权限以及您的活动。',
  'export.download': '下载 JSON 文件',
  'method.password': '密码',
  'method.website': '网站账号',
  'method.provider': '其他提供方',
  'method.passkey': '通行密钥',
  'method.security_key': '安全密钥',
  'method.totp': '应用生成的验证码',
  'method.recovery_code': '恢复码',
  'method.trusted_browser': '受信任的浏览器',
  'error_title.insufficient_user_authentication': '您需要重新登录',
  'error_title.unmet_authentication_requirements': '该应用要求第二重验证',
  'error_text.unmet_authentication_requirements':
    '您登录时只使用了一种验证方式。如果可以，请为您的账号添加第二重验证，然后从该应用重新开始。',
  'explained.insufficient_user_authentication.meaning':
    '令牌有效，但用户登录已过去太久，或登录时使用的验证方式少于此请求的某个作用域所要求的。WWW-Authenticate 中注明了级别（acr_values）和时限（max_age）。',
  'explained.insufficient_user_authentication.cause.1':
    '用户登录时只使用了一种验证方式，或登录时间早于 max_age 所允许的。刷新不是登录：新令牌的 acr 和 auth_time 不变。',
  'explained.insufficient_user_authentication.fix.1':
    '请带上 WWW-Authenticate 中的 acr_values 和 max_age，将用户引导至 /authorize，并使用由此得到的令牌。切勿用同一令牌重试。',
  'explained.insufficient_user_authentication.cause.2':
    '令牌由不记录登录情况的旧版本签发，或用户登录所用的提供方没有说明登录时间。',
  'explained.insufficient_user_authentication.fix.2': '同上：重新授权即可补上所缺的信息。',
  'explained.unmet_authentication_requirements.meaning': '用户无法按 acr_values 或某个作用域的要求登录。',
  'explained.unmet_authentication_requirements.cause.1': '用户没有第二重验证，或用户登录所在的网站没有告知。',
  'explained.unmet_authentication_requirements.fix.1': '请降低要求，或请用户添加第二重验证。重复发送同一请求没有作用。',
  'explained.unmet_authentication_requirements.cause.2': 'acr_values 中没有本服务器所知的级别。',
  'explained.unmet_authentication_requirements.fix.2': '请从服务器元数据的 acr_values_supported 中获取名称。',
};
