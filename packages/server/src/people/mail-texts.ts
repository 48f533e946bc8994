import type { Language } from "../db/tables/people.ts";
import type { MemberRole, StaffRole } from "../ids.ts";

interface MailText {
  subject: string;
  text: string;
}

const nameLengthMax = 100;
const subjectLengthMax = 200;

/** Names are written by strangers: on one line, and not long. */
function plain(name: string): string {
  return name.replaceAll(/\s+/g, " ").trim().slice(0, nameLengthMax);
}

const roleNames: Record<Language, Record<MemberRole | StaffRole, string>> = {
  en: {
    owner: "owner",
    developer: "developer",
    viewer: "viewer",
    operator: "operator",
    support: "support",
    reviewer: "reviewer",
  },
  zh: {
    owner: "所有者",
    developer: "开发者",
    viewer: "查看者",
    operator: "运营",
    support: "客服",
    reviewer: "审核员",
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

export function confirmEmailText(
  language: Language,
  { url, host, hours }: LinkFacts,
  person: { name: string; email: string },
): MailText {
  const who = `${plain(person.name)} (${person.email})`;
  if (language === "zh")
    return {
      subject: `确认您在 ${host} 的邮箱地址`,
      text: `您好：

${who} 希望将此邮箱地址用于在 ${host} 的登录。

如果这是您本人，请在已登录的浏览器中打开以下链接确认。链接只能使用一次，${hours} 小时内有效：

${url}

如果这不是您，请忽略此邮件：确认后，此邮箱地址将属于上述用户。
`,
    };
  return {
    subject: `Confirm your e-mail address for ${host}`,
    text: `Hello,

${who} asks to sign in at ${host} with this e-mail address.

If that is you, open this link in a browser where you are signed in. It works once, within ${hours} hours:

${url}

If it is not you, ignore this mail: the address would become theirs.
`,
  };
}

const notices = {
  en: {
    password: "Your password for {host} was changed",
    email: "Your e-mail address for {host} was changed",
    passkeyAdded: "A passkey was added to your sign-in at {host}",
    passkeyRemoved: "A passkey was removed from your sign-in at {host}",
    identityLinked: "A company sign-in was linked to you at {host}",
    identityUnlinked: "A company sign-in was unlinked from you at {host}",
    totpEnabled: "An authenticator app was enabled for your sign-in at {host}",
    totpDisabled: "The authenticator app of your sign-in at {host} was disabled",
    recoveryCodes: "Your recovery codes for {host} were replaced",
    ownerInvited: "You invited an owner at {host}",
    ownerMade: "You made somebody an owner at {host}",
    keyMade: "You created an API key at {host}",
  },
  zh: {
    password: "您在 {host} 的密码已更改",
    email: "您在 {host} 的邮箱地址已更改",
    passkeyAdded: "您在 {host} 的登录方式中新增了一个通行密钥",
    passkeyRemoved: "您在 {host} 的登录方式中移除了一个通行密钥",
    identityLinked: "您在 {host} 关联了一个企业登录",
    identityUnlinked: "您在 {host} 解除了一个企业登录的关联",
    totpEnabled: "您在 {host} 的登录已启用身份验证器应用",
    totpDisabled: "您在 {host} 的登录已停用身份验证器应用",
    recoveryCodes: "您在 {host} 的恢复码已更换",
    ownerInvited: "您在 {host} 邀请了一位所有者",
    ownerMade: "您在 {host} 将一位成员设为所有者",
    keyMade: "您在 {host} 创建了一个 API 密钥",
  },
} as const;
export type Noticed = keyof (typeof notices)["en"];

/** Returns the mail about a change that somebody else might have made. */
export function noticeText(language: Language, what: Noticed, host: string): MailText {
  const subject = notices[language][what].replace("{host}", host);
  if (language === "zh")
    return {
      subject,
      text: `您好：

${subject}。

如果不是您本人操作，请立即重置密码，检查其他登录方式，并联系您的管理员。
`,
    };
  return {
    subject,
    text: `Hello,

${subject}.

If it was not you, reset your password at once, look at your other ways to sign in, and tell the operator of the service.
`,
  };
}

/**
 * The notices that operators get about changes that give or remove power over the deployment or its
 * credits.
 */
export type StaffNotice =
  | { kind: "operatorInvited" | "operatorApproved" | "operatorAdded"; email: string }
  | { kind: "operatorRemoved" | "operatorDemoted"; email: string }
  | { kind: "grantWaits" | "grantApproved"; credits: number; accountId: string; reason: string }
  | { kind: "serviceKeyIssued"; name: string; scopes: readonly string[] }
  | { kind: "pricesWait" | "pricesApproved"; book: string; reason: string }
  | { kind: "limitSet" | "limitWaits" | "limitApproved"; credits: number | null };

function staffFact(language: Language, notice: StaffNotice): string {
  const isZh = language === "zh";
  switch (notice.kind) {
    case "operatorInvited":
      return isZh ? `邀请 ${notice.email} 担任运营人员` : `invited ${notice.email} as an operator`;
    case "operatorApproved":
      return isZh
        ? `批准邀请 ${notice.email} 担任运营人员`
        : `approved the invitation of ${notice.email} as an operator`;
    case "operatorAdded":
      return isZh ? `将 ${notice.email} 设为运营人员` : `made ${notice.email} an operator`;
    case "operatorRemoved":
      return isZh
        ? `将运营人员 ${notice.email} 移出工作人员`
        : `removed the operator ${notice.email} from the staff`;
    case "operatorDemoted":
      return isZh
        ? `取消 ${notice.email} 的运营人员角色`
        : `took the role of an operator from ${notice.email}`;
    case "serviceKeyIssued":
      return isZh
        ? `创建了服务密钥「${plain(notice.name)}」，权限范围：${notice.scopes.join(", ")}`
        : `issued the service key "${plain(notice.name)}" with the scopes ${notice.scopes.join(", ")}`;
    case "grantWaits":
    case "grantApproved":
      return grantFact(isZh, notice);
    case "pricesWait":
    case "pricesApproved":
      return pricesFact(isZh, notice);
    default:
      return limitFact(isZh, notice);
  }
}

function grantFact(
  isZh: boolean,
  { kind, credits, accountId, reason }: Extract<StaffNotice, { accountId: string }>,
): string {
  const why = plain(reason);
  if (kind === "grantWaits")
    return isZh
      ? `申请为账户 ${accountId} 调整 ${credits} 积分，正在等待另一位运营人员批准（${why}）`
      : `asked for ${credits} credits for the account ${accountId}, which wait for another operator (${why})`;
  return isZh
    ? `批准为账户 ${accountId} 调整 ${credits} 积分（${why}）`
    : `approved ${credits} credits for the account ${accountId} (${why})`;
}

function pricesFact(
  isZh: boolean,
  { kind, book, reason }: Extract<StaffNotice, { book: string }>,
): string {
  const why = plain(reason);
  if (kind === "pricesWait")
    return isZh
      ? `申请发布价格表 ${book} 的新版本，正在等待另一位运营人员批准（${why}）`
      : `asked for new prices in the book ${book}, which wait for another operator (${why})`;
  return isZh
    ? `批准发布价格表 ${book} 的新版本（${why}）`
    : `approved new prices in the book ${book} (${why})`;
}

function limitFact(
  isZh: boolean,
  { kind, credits }: Extract<StaffNotice, { credits: number | null; reason?: never }>,
): string {
  const limit = credits === null ? (isZh ? "无限额" : "none") : String(credits);
  if (kind === "limitSet")
    return isZh ? `将赠送积分的限额设为 ${limit}` : `set the limit of grants to ${limit}`;
  if (kind === "limitWaits")
    return isZh
      ? `申请将赠送积分的限额提高到 ${limit}，正在等待另一位运营人员批准`
      : `asked to raise the limit of grants to ${limit}, which waits for another operator`;
  return isZh
    ? `批准将赠送积分的限额提高到 ${limit}`
    : `approved a higher limit of grants: ${limit}`;
}

/** Returns the mail about an action of another operator. */
export function staffNoticeText(language: Language, notice: StaffNotice, by: string): MailText {
  const who = plain(by);
  const fact = staffFact(language, notice);
  if (language === "zh")
    return {
      subject: `运营通知：${who} ${fact}`.slice(0, subjectLengthMax),
      text: `您好：

${who} ${fact}。

如果您不知情，请立即联系其他运营人员，并查看审计记录。
`,
    };
  return {
    subject: `${who} ${fact}`.slice(0, subjectLengthMax),
    text: `Hello,

${who} ${fact}.

If you did not expect this, talk to the other operators at once and look at the audit.
`,
  };
}
