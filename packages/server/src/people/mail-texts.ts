import type { MemberRole, StaffRole } from "../actor.ts";
import type { Language } from "../db/tables/people.ts";

interface MailText {
  subject: string;
  text: string;
}

const nameLengthMax = 100;

/** Names are written by strangers: on one line, and not long. */
function plain(name: string): string {
  return name.replaceAll(/\s+/g, " ").trim().slice(0, nameLengthMax);
}

const roleNames: Record<Language, Record<MemberRole | StaffRole, string>> = {
  en: {
    ...{ owner: "owner", developer: "developer", viewer: "viewer" },
    ...{ operator: "operator", support: "support", reviewer: "reviewer" },
  },
  zh: {
    ...{ owner: "所有者", developer: "开发者", viewer: "查看者" },
    ...{ operator: "运营", support: "客服", reviewer: "审核员" },
  },
};

export interface LinkFacts {
  url: string;
  host: string;
  hours: number;
}

export function invitationText(
  language: Language,
  { url, host, hours }: LinkFacts,
  invitation: { role: MemberRole | StaffRole; accountName: string | null },
): MailText {
  const role = roleNames[language][invitation.role];
  const days = Math.round(hours / 24);
  const account = invitation.accountName === null ? null : plain(invitation.accountName);
  if (language === "zh")
    return {
      subject: account === null ? `邀请您加入 ${host}` : `邀请您加入账户「${account}」`,
      text: `您好：

${account === null ? `您被邀请加入 ${host}` : `您被邀请加入 ${host} 上的账户「${account}」`}，角色为「${role}」。

请打开以下链接接受邀请。链接只能使用一次，${days} 天内有效：

${url}

如果您不认识邀请人，请忽略此邮件。
`,
    };
  const what = account === null ? `join ${host}` : `join the account "${account}" on ${host}`;
  return {
    subject: account === null ? `Invitation to ${host}` : `Invitation to the account "${account}"`,
    text: `Hello,

you are invited to ${what} with the role "${role}".

Open this link to accept. It works once, within ${days} days:

${url}

If you do not know who invited you, ignore this mail.
`,
  };
}

export function passwordResetText(language: Language, { url, host, hours }: LinkFacts): MailText {
  if (language === "zh")
    return {
      subject: `重置 ${host} 的密码`,
      text: `您好：

请打开以下链接设置新密码。链接只能使用一次，${hours} 小时内有效：

${url}

如果不是您本人的请求，请忽略此邮件，您的密码不会改变。
`,
    };
  return {
    subject: `Reset your password for ${host}`,
    text: `Hello,

open this link to set a new password. It works once, within ${hours} hour${hours === 1 ? "" : "s"}:

${url}

If you did not ask for it, ignore this mail: your password stays as it is.
`,
  };
}

export function confirmEmailText(language: Language, { url, host, hours }: LinkFacts): MailText {
  if (language === "zh")
    return {
      subject: `确认您在 ${host} 的邮箱地址`,
      text: `您好：

请打开以下链接确认此邮箱地址。链接只能使用一次，${hours} 小时内有效：

${url}

如果不是您本人的请求，请忽略此邮件。
`,
    };
  return {
    subject: `Confirm your e-mail address for ${host}`,
    text: `Hello,

open this link to confirm this e-mail address. It works once, within ${hours} hours:

${url}

If you did not ask for it, ignore this mail.
`,
  };
}

/** Tells the person about a change that somebody else might have made. */
export function noticeText(language: Language, what: "password" | "email", host: string): MailText {
  const changed = {
    en: { password: "password", email: "e-mail address" },
    zh: { password: "密码", email: "邮箱地址" },
  }[language][what];
  if (language === "zh")
    return {
      subject: `您在 ${host} 的${changed}已更改`,
      text: `您好：

您在 ${host} 的${changed}刚刚被更改。

如果不是您本人操作，请立即重置密码并联系您的管理员。
`,
    };
  return {
    subject: `Your ${changed} for ${host} was changed`,
    text: `Hello,

your ${changed} for ${host} was changed just now.

If it was not you, reset your password at once and tell the operator of the service.
`,
  };
}
