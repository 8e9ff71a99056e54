import type { elsewhere as english } from '../en/elsewhere.ts';

export const elsewhere: Record<keyof typeof english, string> = {
  'login.website': '在 {host} 登录',
  'signed_out.website': '您在 {host} 可能仍处于登录状态。',
  'signed_out.website_link': '前往 {host}',
  'back.again': '重试',
  'back.go_on': '继续',
  'message.elsewhere_unknown.title': '此次登录不是从这里开始的',
  'message.elsewhere_unknown.text':
    '它是在另一个浏览器中开始的，或者开始于十分钟以前。没有人因此登录。如果这个链接是别人发给您的，请不要再打开；否则请回到应用重新开始。',
  'message.elsewhere_over.title': '此次登录已经结束',
  'message.elsewhere_over.text': '它此前已经完成或取消，也许是因为点击了两次。',
  'message.elsewhere_invalid.title': '无法使用该答复',
  'message.elsewhere_invalid.text':
    '另一个网站关于您登录的答复在这里无效。您没有登录。如果再次发生，请告知本服务器的运营者。',
  'message.elsewhere_stale.title': '需要重新登录',
  'message.elsewhere_stale.text':
    '应用要求您重新登录，但另一个网站凭您之前的登录直接放行了。请先在那里退出登录，然后重试。',
  'message.elsewhere_uncertain.title': '请稍后重试',
  'message.elsewhere_uncertain.text': '目前无法确认该答复是否来自正确的网站。没有丢失任何内容。',
  'message.elsewhere_failed.title': '另一个网站报告了问题',
  'message.elsewhere_failed.text': '您没有登录。您可以重试；如果一直失败，请告知那个网站的运营者。',
  'message.elsewhere_denied.title': '您没有登录',
  'message.elsewhere_denied.text': '您在另一个网站取消了登录。',
  'message.elsewhere_of_another_source.title': '该账号使用其他登录方式',
  'message.elsewhere_of_another_source.text':
    '这里有一个与您编号相同的账号，但它使用其他登录方式，因此您不能从那个网站打开它。请用那种方式登录，或询问本服务器的运营者。',
  'message.elsewhere_disabled.title': '您的账号已被停用',
  'message.elsewhere_disabled.text': '本服务器的运营者停用了它，请与其联系。',
  'account.again': '重新登录',
  'account.again_hint': '请先重新登录再进行此操作：您上次登录是在 15 分钟以前。',
  'account.email_again_hint': '要填写新的地址，请先重新登录：您上次登录是在 15 分钟以前。',
  'account.no_password': '您在其他网站登录，因此在这里没有密码。',
  'problem.sign_in_elsewhere':
    '您登录时所用的网站不会告知它上次验证您身份的时间，而此操作需要这一信息。请换一种方式登录，或联系本服务器的运营者。',
  'problem.sign_in_again': '您上次登录是在 15 分钟以前。请重新登录，然后再次提交表单。',
  'delete.profile_elsewhere':
    '您的用户名、姓名和电子邮箱地址将从这里删除，并且您会在所有设备上退出登录。如果以后再次登录，您会得到一个新账号。',
  'playground.website_off_text': '人们也可以在平常登录的地方登录：您网站的登录页面。演示网站会展示其过程。',
  'playground.website_switch_on': '开启演示网站',
  'playground.website_on_text': '演示网站已开启：登录页面上现在有一个通往那里的按钮。',
  'playground.website_switch_off': '关闭',
  'demo_website.title': '演示网站',
  'demo_website.text':
    '此页面扮演您自己网站的登录页面。服务器带着一个签名的请求把您送到这里；您的网站会检查签名，像往常一样让您登录，然后带着签名的答复把您送回去。',
  'demo_website.sign_in': '以 {name} 的身份登录',
  'demo_website.cancel': '取消',
  'demo_website.request': '请求内容',
  'demo_website.refused': '演示网站没有收到有效的请求：它被修改过，或者已超过十分钟。',
};
