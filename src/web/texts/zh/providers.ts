import type { providers as english } from '../en/providers.ts';

export const providers: Record<keyof typeof english, string> = {
  'login.or': '或',
  'login.provider': '使用 {provider} 登录',

  'stopped.title': '您尚未登录',
  'stopped.sign_in_lost': '此次登录开始于十分钟之前或在其他浏览器中开始，或者已经完成。请重新开始。',
  'stopped.cancelled': '您没有使用 {provider} 登录。没有任何更改。',
  'stopped.provider_away': '{provider} 目前没有正常响应。请一分钟后重试。',
  'stopped.provider_wrong': '{provider} 的应答未被接受。如果再次发生，请告知本服务器的运营者，并提供请求 ID。',
  'stopped.provider_gone': '此处已停用 {provider} 登录。',
  'stopped.not_confirmed':
    '应用需要确认您刚刚登录过，但 {provider} 没有确认这一点。请在那里重新登录，或使用其他方式登录。',
  'stopped.no_account':
    '这里没有账号与您在 {provider} 的账号关联。如果您在这里有账号，请用其他方式登录，然后可以在账号页面关联 {provider}。',
  'stopped.address_taken':
    '这里已有账号使用 {provider} 提供的电子邮箱地址。如果那是您的账号，请用其他方式登录，然后可以在账号页面关联 {provider}。',
  'stopped.foreign_domain': '只有使用特定电子邮箱地址的人才能通过 {provider} 在此获得账号。',
  'stopped.account_disabled': '您在此处的账号已停用。',
  'stopped.identity_taken': '您在 {provider} 的账号已与这里的另一个账号关联，或者您关联的账号过多。',
  'stopped.connect_lost': '没有关联任何账号：您当前登录的身份与开始时不同，或者用时超过了十分钟。',
  'stopped.reference': '请求 ID：{id}',
  'stopped.back_to_sign_in': '登录',

  'account.identities': '使用其他账号登录',
  'account.identities_text': '您可以用其他网站的这些账号在此登录。',
  'account.identity_since': '关联于 {date}',
  'account.identity_never_used': '从未使用',
  'account.identity_remove': '移除',
  'account.identity_connect': '关联 {provider}',
  'account.identity_unknown': '此处不再提供的网站',
  'connect.provider': '关联 {provider}',
  'connect.text':
    '您将前往 {provider} 并在那里登录。之后您也可以用那个账号在此登录：能使用那个账号的人就能使用这个账号。',
  'connect.go_on': '前往 {provider}',
  'connect.by_operator': '您是管理员，因此只有本服务器的运营者才能用 SQL 函数 link_identity 关联您的账号。',
  'connect.sign_in_again': '请先退出并重新登录：您上次登录是在 15 分钟之前。',
  'notice.identity_linked': '已关联。您现在也可以用这种方式登录。',
  'notice.identity_unlinked': '已移除。您不能再用这种方式登录。',
  'problem.last_way_in': '这是您最后的登录方式，因此予以保留。请先关联其他账号。',
};
