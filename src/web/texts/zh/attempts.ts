import type { attempts as english } from '../en/attempts.ts';

export const attempts: Record<keyof typeof english, string> = {
  'outcome.refused': '已拒绝，符合预期。',
  'outcome.denied': '您已拒绝授权。应用只收到一条错误信息，没有收到其他任何内容。',
  'playground_problem.no_memory':
    '收到了一个响应，但您的浏览器没有随之发送演练场的 Cookie，因此应用无法判断自己是否发出过该请求。可能是已超过一小时，也可能是您使用了另一个主机名开始：为 127.0.0.1 设置的 Cookie 不会发送给 localhost。该响应已被丢弃。请在此重新开始。',
  'playground_problem.already_used':
    '应用没有在等待这个响应：它已被使用过，或已过期。一个 state 值只对一个响应有效。该响应已被忽略。',
  'playground_problem.state_mismatch':
    '该响应中的 state 与应用发送的不一致。可能有人试图让您登录他人的账号，因此应用丢弃了该响应（RFC 6749 §10.12）。如果您在两个标签页中开始，只有后一次有效。',
  'playground_problem.iss_mismatch':
    '该响应并非来自应用发送请求的服务器：iss 缺失，或指向另一个服务器（RFC 9207）。应用会丢弃该响应，也不会把授权码发送给任何一方。',
  'playground_problem.no_code': '该响应既不包含唯一的授权码，也不包含错误，因此应用无法使用。',
  'tries.use': '使用令牌',
  'tries.text_use': '应用通常如何使用令牌。',
  'tries.break': '攻击此流程',
  'tries.text_break': '每个按钮模拟一种攻击或失误。看看服务器如何拒绝。',
  'break.refresh': '刷新访问令牌',
  'break.change_profile': '更改您的个人资料',
  'break.revoke': '撤销令牌',
  'break.reused_code': '兑换授权码两次',
  'break.wrong_verifier': '发送错误的 code_verifier',
  'break.foreign_redirect_uri': '发送未注册的 redirect_uri',
  'break.expired_token': '使用已过期的令牌',
  'break.refresh_replay': '使用旧的刷新令牌',
  'break.wrong_secret': '发送错误的客户端密码',
  'break.tampered_token': '更改令牌中的一个字符',
  'break.token_twice': '发送令牌两次',
  'step.reused_code.title': '授权码被再次兑换',
  'step.reused_code.text': '授权码可能已被他人复制。服务器拒绝该请求，并撤销由该授权码签发的令牌。',
  'step.wrong_verifier.title': '使用错误的 code_verifier 兑换授权码',
  'step.wrong_verifier.text': '在浏览器中截获授权码的攻击者不知道 code_verifier。一次错误的尝试就会使授权码失效。',
  'step.spent_code.title': '正确的 code_verifier 来得太晚',
  'step.spent_code.text': '错误的尝试已使授权码失效，因此没有人能猜第二次。返回的错误与之前相同，不会透露是否猜对。',
  'step.foreign_redirect_uri.title': '未注册的重定向 URI',
  'step.foreign_redirect_uri.text': '服务器显示错误页面而不进行重定向，因为该地址可能不属于该应用。',
  'step.expired_token.title': '已过期的令牌',
  'step.expired_token.text':
    '为了免去您一小时的等待，演练场在数据库中将该令牌的过期时间改到了过去。其余一切都是真实的：响应告知应用需要刷新令牌。',
  'step.revoked_token.title': '已撤销的令牌',
  'step.revoked_token.text': '令牌一经撤销，任何端点都不再接受。',
  'step.refresh_replay.title': '第一个刷新令牌被再次使用',
  'step.refresh_replay.text':
    '可能有两方持有该令牌，而服务器无法分辨哪一方是攻击者。因此，服务器会撤销此次授权的所有令牌，应用必须重新请求您的授权。',
  'step.wrong_secret.title': '错误的客户端密码',
  'step.wrong_secret.text':
    '没有客户端密码，被盗的刷新令牌毫无用处。如下一个请求所示，失败的尝试不会撤销任何令牌，否则攻击者就能迫使用户退出登录。',
  'step.tampered_token.title': '一个字符不同',
  'step.tampered_token.text': '每个令牌末尾都有校验和。服务器无需查询数据库，就能看出从未签发过该令牌。',
  'step.token_twice.title': '令牌出现在两个位置',
  'step.token_twice.text':
    '令牌同时出现在请求头和 URL 中。途经的程序可能读取不同的令牌，因此即使两者都有效，服务器也会拒绝该请求。',
};
