import type { admin as english } from '../en/admin.ts';

export const admin: Record<keyof typeof english, string> = {
  'home.admin': '管理',
  'admin.part.people': '用户',
  'admin.part.applications': '应用',
  'admin.part.grants': '授权与令牌',
  'admin.part.events': '发生了什么',
  'admin.part.health': '运行状况',
};
