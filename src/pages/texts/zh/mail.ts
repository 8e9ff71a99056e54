import type { mail as english } from '../en/mail.ts';

export const mail: Record<keyof typeof english, string> = {
  'login.forgot': '忘记密码？',
  'login.forgot_ask': '如果您忘记了密码，请联系本服务器的运营者。',
  'login.support': '获取帮助',
  'forgot.title': '忘记密码',
  'forgot.text': '请输入您的用户名或电子邮件地址。您将收到一封邮件，通过其中的链接可以设置新密码。',
  'forgot.send': '发送链接',
  'forgot.sent_title': '请查看您的邮箱',
  'forgot.sent':
    '如果存在使用此名称且电子邮件地址已确认的账号，我们已向该地址发送邮件。其中的链接一小时内有效。如果几分钟内没有收到，请查看垃圾邮件文件夹。',
  'reset.title': '设置新密码',
  'reset.account': '账号：{username}。',
  'reset.text': '该账号的所有会话都将结束。之后请使用新密码登录。',
  'reset.save': '保存新密码',
  'message.link_over.title': '此链接已失效',
  'message.link_over.text': '它已被使用、已过期、已被更新的链接取代，或者您的账号此后有变更。请重新申请链接。',
  'message.password_reset.title': '新密码已设置',
  'message.password_reset.text': '您账号的所有会话均已结束。请使用新密码登录。',
  'back.sign_in': '登录',
  'back.new_link': '重新申请链接',
  'mail.footer': '由 {brand}（{host}）发送。请勿回复此邮件。',
  'mail.set_password': '设置新密码',
  'mail.reset.subject': '{brand}：设置新密码',
  'mail.reset.text':
    '有人（可能是您本人）为您的账号 {username} 申请了新密码。\n下面的链接一小时内有效，且只能使用一次。如果不是您本人操作，请忽略此邮件：您的密码不会改变。',
  'mail.no_password.subject': '您的 {brand} 账号没有密码',
  'mail.no_password.text':
    '有人（可能是您本人）为您的账号 {username} 申请了新密码。\n该账号没有密码，因此无需更换：请按您平常的方式登录。如果不是您本人操作，请忽略此邮件。',
  'mail.test.subject': '{brand} 的邮件可以送达',
  'mail.test.text': '{host} 的运营者发送了这封邮件，以检查邮件能否送达。您无需任何操作。',
};
