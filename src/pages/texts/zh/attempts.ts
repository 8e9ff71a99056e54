import type { attempts as english } from '../en/attempts.ts';

export const attempts: Record<keyof typeof english, string> = {
  'outcome.refused': '已拒绝，理应如此。',
  'outcome.denied': '您已拒绝。应用得知了这一点，除此之外什么也没有得到。',
  'playground_problem.no_memory':
    '答复已返回，但浏览器没有附上演练场的 Cookie，因此应用无法知道自己是否提出过请求。要么已过了一小时，要么您是以本机的另一个名称开始的：为 127.0.0.1 设置的 Cookie 不会发送给 localhost。该答复已被丢弃。请在此重新开始。',
  'playground_problem.already_used':
    '应用并没有在等待答复：这一条已被使用或已过时。一个 state 只对应一次答复。未对其作任何处理。',
  'playground_problem.state_mismatch':
    '此答复中的 state 不是应用发出的那个。可能有人想让您以他人的身份登录，因此应用丢弃了该答复（RFC 6749 §10.12）。如果您在两个标签页中开始，只有后一次有效。',
  'playground_problem.iss_mismatch':
    '此答复并非来自应用所询问的服务器：iss 缺失或指向另一个服务器（RFC 9207）。应用将其丢弃，也不会把授权码交给任何人。',
  'playground_problem.no_code': '此答复既没有唯一的授权码，也没有错误，因此无从处理。',
  'tries.use': '正常使用',
  'tries.text_use': '应用此后如何使用它的令牌。',
  'tries.break': '故意弄坏它',
  'tries.text_break': '以下每一项都是真实会发生的攻击或意外。看看服务器如何拒绝。',
  'break.refresh': '续期访问',
  'break.change_profile': '写回您的名字',
  'break.revoke': '交还令牌',
  'break.reused_code': '第二次兑换授权码',
  'break.wrong_verifier': '用错误的 code_verifier 兑换',
  'break.foreign_redirect_uri': '用陌生的 redirect_uri 请求',
  'break.expired_token': '使用过期的令牌',
  'break.refresh_replay': '使用旧的刷新令牌',
  'break.wrong_secret': '提交错误的客户端密钥',
  'break.tampered_token': '改动令牌的一个字符',
  'break.token_twice': '同时两次发送令牌',
  'step.reused_code.title': '同一个授权码再次出现',
  'step.reused_code.text': '可能有人复制了它。服务器拒绝，并终止由它产生的一切。',
  'step.wrong_verifier.title': '没有验证码的授权码',
  'step.wrong_verifier.text': '在浏览器中截获授权码的人不知道验证码。一次错误尝试就会使授权码作废。',
  'step.spent_code.title': '现在用正确的验证码',
  'step.spent_code.text': '太迟了：错误的尝试已使授权码作废，没有人能猜第二次。响应完全相同，不会透露猜得有多接近。',
  'step.foreign_redirect_uri.title': '陌生的重定向 URI',
  'step.foreign_redirect_uri.text': '服务器显示页面而不作重定向，因为它不知道该地址属于谁。',
  'step.expired_token.title': '过期的令牌',
  'step.expired_token.text':
    '没有人想在这里等一小时，所以演练场在数据库中把该令牌的终止时间提前了。其余都是真实的：响应告诉应用需要刷新。',
  'step.revoked_token.title': '已撤销的令牌',
  'step.revoked_token.text': '自撤销的那一刻起，所有端点都不再认识该令牌。',
  'step.refresh_replay.title': '最初的刷新令牌再次出现',
  'step.refresh_replay.text':
    '现在有两方持有它，谁也不知道哪个是窃取者。因此服务器终止整个令牌家族：双方都必须重新征得用户同意。',
  'step.wrong_secret.title': '错误的客户端密钥',
  'step.wrong_secret.text':
    '刷新令牌本身毫无价值：窃取它的人并不是该应用。正如下一个请求所示，这次尝试也不会终止任何东西，否则窃取者就能让别人退出登录。',
  'step.tampered_token.title': '一个字符不同',
  'step.tampered_token.text': '每个令牌末尾都有校验和。服务器无需查询数据库，就能看出它从未被签发。',
  'step.token_twice.title': '令牌出现在两处',
  'step.token_twice.text':
    '既在请求头中，又在地址中。两处可能不一致，途中的两个程序也可能各读其一，因此即使两处都正确也会被拒绝。',
};
