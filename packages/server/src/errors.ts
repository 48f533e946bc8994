/** Languages in which texts for people are served; the first is the default. */
export const languages = ["en", "zh"] as const;
export type Language = (typeof languages)[number];

/** A text for people in every language. */
export type Text = Readonly<Record<Language, string>>;

/** The languages as `Content-Language` names them: the Chinese is simplified. */
export const languageTags: Text = { en: "en", zh: "zh-CN" };

/** A name that is the same in every language. */
export function same(text: string): Text {
  return { en: text, zh: text };
}

/** A sentence with its values in the places `{0}`, `{1}` and so on. */
export function fill(template: string, values: readonly (string | number)[]): string {
  return template.replace(/\{(\d)\}/g, (_place, at: string) => String(values[Number(at)] ?? ""));
}

/** A sentence that is stored in English, in a language: with its values, by the template that it is of. An unknown one stays as it is. */
export function recall(templates: readonly Text[], language: Language, stored: string): string {
  for (const template of templates) {
    const pattern = template.en
      .split(/\{\d\}/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join("(.+?)");
    const values = new RegExp(`^${pattern}$`, "s").exec(stored)?.slice(1);
    if (values !== undefined) return fill(template[language], values);
  }
  return stored;
}

/**
 * The error catalogue, from which docs/generated/errors.md is rendered. `status` is the HTTP status of
 * a refusal, which holds nothing; `null` marks the failure of an accepted task, where the code appears
 * as `errorCode` and the hold is always released.
 */
export type CatalogueEntry = (Refusal | TaskFailure) & {
  retryMayHelp: boolean;
  sentence: string;
  /** The sentence in Chinese. */
  zh: string;
  /** Whether only the operator API uses it. */
  staff?: true;
};

interface Refusal {
  status: number;
  /** A refusal that can also fail an accepted task, if the fault was not known at create. Always the caller's fault. */
  endsTask?: true;
}

interface TaskFailure {
  status: null;
  endsTask?: never;
  fault: Fault;
}

/**
 * The party at fault when a task fails, from which the alerts are made: the caller's request, the content
 * policy of a vendor (the caller's prompt, or a filter that has become stricter), the service with its
 * vendors, or an operator who ended it. `unclear`: the vendor rejects a request that the service let
 * through, because of what one caller sends or because the vendor has changed.
 */
export type Fault = "caller" | "content" | "unclear" | "service" | "operator";

/**
 * The codes after which the caller cannot know whether a task was accepted, unless it sent an
 * Idempotency-Key.
 */
export const uncertainCodes: readonly ErrorCode[] = ["internal_error", "service_unavailable"];

export const errorCatalogue = {
  invalid_parameters: {
    status: 400,
    retryMayHelp: false,
    sentence: "Invalid parameters.",
    zh: "参数无效。",
  },
  invalid_json: {
    status: 400,
    retryMayHelp: false,
    sentence: "body: must be valid JSON.",
    zh: "body：必须是有效的 JSON。",
  },
  malformed_request: {
    status: 400,
    retryMayHelp: false,
    sentence: "The request is not well-formed HTTP.",
    zh: "请求不是格式正确的 HTTP。",
  },
  account_required: {
    status: 400,
    retryMayHelp: false,
    sentence:
      "This person has several accounts, or none. Name one in the header 'Zoetrope-Account'; GET /api/v1/me lists them.",
    zh: "此人员属于多个账户，或不属于任何账户。请在请求头 'Zoetrope-Account' 中指定一个；GET /api/v1/me 会列出这些账户。",
  },
  unauthorized: {
    status: 401,
    retryMayHelp: false,
    sentence:
      "There is no API key in the request. Send the header 'Authorization: Bearer <API key>'.",
    zh: "请求中没有 API 密钥。请发送请求头 'Authorization: Bearer <API key>'。",
  },
  signed_out: {
    status: 401,
    retryMayHelp: false,
    sentence: "Not signed in, or the session has ended. Sign in.",
    zh: "尚未登录，或会话已结束。请登录。",
  },
  sign_in_failed: {
    status: 401,
    retryMayHelp: false,
    sentence: "The e-mail address or the password is wrong.",
    zh: "电子邮箱或密码错误。",
  },
  second_factor_wrong: {
    status: 401,
    retryMayHelp: true,
    sentence:
      "This code is wrong, has expired or was used before. Enter the current code of your authenticator app, or a recovery code.",
    zh: "验证码错误、已过期或已使用过。请输入身份验证器应用当前的验证码，或一个恢复码。",
  },
  passkey_refused: {
    status: 401,
    retryMayHelp: true,
    sentence: "This passkey was not accepted. Start again, or sign in another way.",
    zh: "此通行密钥未被接受。请重新开始，或换一种方式登录。",
  },
  oidc_refused: {
    status: 401,
    retryMayHelp: true,
    sentence: "The sign-in at your company's provider could not be verified. Start again.",
    zh: "无法验证在贵公司登录服务上的登录。请重新开始。",
  },
  insufficient_credits: {
    status: 402,
    retryMayHelp: false,
    sentence: "Not enough credits for this task.",
    zh: "积分不足，无法执行此任务。",
  },
  price_above_max: {
    status: 402,
    endsTask: true,
    retryMayHelp: false,
    sentence: "The price exceeds maxCredits. Raise maxCredits or request a cheaper task.",
    zh: "价格超过 maxCredits。请提高 maxCredits，或提交价格更低的任务。",
  },
  key_budget_exceeded: {
    status: 402,
    retryMayHelp: false,
    sentence:
      "The budget of this API key is used up. Use another key or ask the operator to raise the budget.",
    zh: "此 API 密钥的预算已用完。请使用其他密钥，或联系运营方提高预算。",
  },
  account_suspended: {
    status: 403,
    retryMayHelp: false,
    sentence:
      "This account is suspended: it accepts nothing new. Running tasks finish, and everything can still be read. Contact the operator of this service.",
    zh: "此账户已停用，不接受新的请求。运行中的任务会继续完成，所有内容仍可读取。请联系本服务的运营方。",
  },
  test_mode_off: {
    status: 403,
    retryMayHelp: false,
    sentence:
      "Test mode is switched off: test keys are not issued and not accepted. What exists can still be read. Use a live key, or ask the operator of this service.",
    zh: "测试模式已关闭：不再签发也不接受测试密钥。已有内容仍可读取。请使用正式密钥，或联系本服务的运营方。",
  },
  test_allowance_used: {
    status: 403,
    endsTask: true,
    retryMayHelp: true,
    sentence:
      "Today's allowance for upscaling with test keys is used up. It fills again over 24 hours. Use a live key, or try again later.",
    zh: "今天用测试密钥进行超分的额度已用完，额度会在 24 小时内逐步恢复。请使用正式密钥，或稍后重试。",
  },
  model_switched_off: {
    status: 403,
    retryMayHelp: true,
    sentence:
      "This model is switched off at the moment. GET /api/v1/models lists the models that are available.",
    zh: "此模型目前已关闭。GET /api/v1/models 会列出可用的模型。",
  },
  model_not_in_price_book: {
    status: 403,
    retryMayHelp: false,
    sentence:
      "This model is not for sale to this account. GET /api/v1/models lists the models that are.",
    zh: "此账户不能购买此模型。GET /api/v1/models 会列出可用的模型。",
  },
  model_not_allowed: {
    status: 403,
    retryMayHelp: false,
    sentence: "This API key is not allowed to use this model.",
    zh: "此 API 密钥不能使用此模型。",
  },
  scope_missing: {
    status: 403,
    retryMayHelp: false,
    sentence: "This API key lacks the scope that this request requires. Use another key.",
    zh: "此 API 密钥没有该请求所需的权限范围。请使用其他密钥。",
  },
  key_beyond_own_limits: {
    status: 403,
    retryMayHelp: false,
    sentence:
      "An API key cannot give another key more than it has itself. Ask for less, or let an owner of the account do it.",
    zh: "API 密钥不能授予其他密钥超出自身的权限。请减少所需权限，或由账户的所有者操作。",
  },
  person_required: {
    status: 403,
    retryMayHelp: false,
    sentence: "This endpoint is for signed-in people. An API key cannot call it.",
    zh: "此接口仅供已登录的人员使用，API 密钥不能调用。",
  },
  network_refused: {
    status: 403,
    retryMayHelp: false,
    staff: true,
    sentence: "This service key is not accepted from this network. Use it where it is allowed.",
    zh: "此服务密钥不接受来自此网络的请求。请在允许的网络中使用。",
  },
  not_a_member: {
    status: 403,
    retryMayHelp: false,
    sentence:
      "This person is not a member of the account in 'Zoetrope-Account'. GET /api/v1/me lists the accounts.",
    zh: "此人员不是 'Zoetrope-Account' 所指账户的成员。GET /api/v1/me 会列出其账户。",
  },
  password_wrong: {
    status: 403,
    retryMayHelp: false,
    sentence: "The current password is wrong.",
    zh: "当前密码错误。",
  },
  proof_required: {
    status: 403,
    retryMayHelp: true,
    sentence:
      "Prove first that it is you: GET /api/v1/session/proof lists how, and a proof is good for 10 minutes. Then repeat the request.",
    zh: "请先证明是您本人：GET /api/v1/session/proof 会列出可用的方式，证明在 10 分钟内有效。然后重新发送请求。",
  },
  second_factor_required: {
    status: 403,
    retryMayHelp: true,
    sentence:
      "This needs a second factor. Prove that it is you by a code of your authenticator app or by a passkey; without either, set one up in your profile.",
    zh: "此操作需要第二重验证。请用身份验证器应用的验证码或通行密钥证明是您本人；如果两者都没有，请先在个人资料中设置。",
  },
  factor_link_required: {
    status: 403,
    retryMayHelp: false,
    sentence:
      "The staff sets up its first second factor within an hour after setting a password by a link. Choose 'Forgot your password?' when you sign in, or ask an operator of the machine for a link ('operator person enrol'). If you have another factor, prove that it is you by that one.",
    zh: "工作人员须在通过链接设置密码后的一小时内设置首个第二重验证。请在登录页选择“忘记密码”，或向服务器管理员索取链接（'operator person enrol'）。如果您已有其他验证方式，请先用它证明是您本人。",
  },
  own_asset: {
    status: 403,
    retryMayHelp: false,
    sentence: "You belong to the account of this asset. Release it: somebody else must judge it.",
    zh: "您属于此素材所在的账户。请放弃领取，由其他人审核。",
  },
  role_missing: {
    status: 403,
    retryMayHelp: false,
    sentence: "Your role does not allow this request. Ask an owner of the account.",
    zh: "您的角色不允许此请求。请联系账户的所有者。",
  },
  origin_refused: {
    status: 403,
    retryMayHelp: false,
    sentence:
      "This request carries a session but does not come from the console's own pages. Use an API key elsewhere.",
    zh: "此请求带有会话，但不是来自控制台自己的页面。在其他地方请使用 API 密钥。",
  },
  access_denied: {
    status: 403,
    retryMayHelp: false,
    sentence: "Access denied: this task belongs to another account.",
    zh: "拒绝访问：此任务属于其他账户。",
  },
  oidc_not_invited: {
    status: 403,
    retryMayHelp: false,
    sentence:
      "This company sign-in belongs to nobody here. Open the link in your invitation and accept it by company sign-in; if you have a password here, sign in with it and link the company sign-in.",
    zh: "此公司登录在这里不属于任何人。请打开邀请中的链接，并用公司登录接受邀请；如果您在这里有密码，请用密码登录，再关联公司登录。",
  },
  oidc_email_refused: {
    status: 403,
    retryMayHelp: false,
    sentence:
      "The provider has not verified the e-mail address that the invitation was sent to. Accept the invitation with a password, or ask for one to the address that your company sign-in has.",
    zh: "公司登录服务没有验证收到邀请的电子邮箱。请用密码接受邀请，或请对方向您公司登录所用的邮箱发送邀请。",
  },
  link_invalid: {
    status: 403,
    retryMayHelp: false,
    sentence: "This link was used already or has expired. Ask for a new one.",
    zh: "此链接已使用过或已过期。请索取新的链接。",
  },
  upload_link_invalid: {
    status: 403,
    retryMayHelp: false,
    sentence: "This upload link is invalid or has expired. Read the upload to get new links.",
    zh: "此上传链接无效或已过期。请重新读取该上传以获取新的链接。",
  },
  media_link_invalid: {
    status: 403,
    retryMayHelp: false,
    sentence:
      "This file requires a signed link; this link is unsigned or has expired. Read the asset to get a new previewUrl.",
    zh: "此文件需要带签名的链接；此链接没有签名或已过期。请重新读取素材以获取新的 previewUrl。",
  },
  task_not_found: {
    status: 404,
    retryMayHelp: false,
    sentence: "Task not found.",
    zh: "找不到此任务。",
  },
  not_found: {
    status: 404,
    retryMayHelp: false,
    sentence: "There is no such endpoint.",
    zh: "没有此接口。",
  },
  person_not_found: {
    status: 404,
    retryMayHelp: false,
    sentence: "There is no such person here. List the people to find the id.",
    zh: "这里没有此人员。请在人员列表中查找其 ID。",
  },
  session_not_found: {
    status: 404,
    retryMayHelp: false,
    sentence: "Session not found. It may have ended already.",
    zh: "找不到此会话，可能已经结束。",
  },
  invitation_not_found: {
    status: 404,
    retryMayHelp: false,
    sentence: "Invitation not found. It may have been accepted or have expired.",
    zh: "找不到此邀请，可能已被接受或已过期。",
  },
  asset_not_found: {
    status: 404,
    retryMayHelp: false,
    sentence: "Asset not found.",
    zh: "找不到此素材。",
  },
  upload_not_found: {
    status: 404,
    retryMayHelp: false,
    sentence: "Upload not found. It may have expired; create a new one.",
    zh: "找不到此上传，可能已过期；请新建一个。",
  },
  key_not_found: {
    status: 404,
    retryMayHelp: false,
    sentence: "There is no such API key in this account, or it is revoked.",
    zh: "此账户中没有这个 API 密钥，或它已被撤销。",
  },
  service_key_not_found: {
    status: 404,
    retryMayHelp: false,
    staff: true,
    sentence: "There is no such service key, or it is revoked.",
    zh: "没有这个服务密钥，或它已被撤销。",
  },
  endpoint_not_found: {
    status: 404,
    retryMayHelp: false,
    sentence: "There is no such webhook endpoint in this account.",
    zh: "此账户中没有这个 Webhook 端点。",
  },
  delivery_not_found: {
    status: 404,
    retryMayHelp: false,
    sentence: "Delivery not found.",
    zh: "找不到此投递。",
  },
  media_not_found: {
    status: 404,
    retryMayHelp: false,
    sentence: "Media file not found.",
    zh: "找不到此媒体文件。",
  },
  passkey_not_found: {
    status: 404,
    retryMayHelp: false,
    sentence: "Passkey not found.",
    zh: "找不到此通行密钥。",
  },
  identity_not_found: {
    status: 404,
    retryMayHelp: false,
    sentence: "Linked company sign-in not found.",
    zh: "找不到此关联的公司登录。",
  },
  oidc_not_configured: {
    status: 404,
    retryMayHelp: false,
    sentence: "This service has no company sign-in. Sign in with a password or a passkey.",
    zh: "本服务没有设置公司登录。请用密码或通行密钥登录。",
  },
  account_not_found: {
    status: 404,
    staff: true,
    retryMayHelp: false,
    sentence: "There is no account with this id.",
    zh: "没有此 ID 的账户。",
  },
  price_book_not_found: {
    status: 404,
    staff: true,
    retryMayHelp: false,
    sentence: "There is no such price book, or it has no such version.",
    zh: "没有此价格表，或它没有此版本。",
  },
  price_draft_not_found: {
    status: 404,
    staff: true,
    retryMayHelp: false,
    sentence: "This price book has no draft. Write one first.",
    zh: "此价格表没有草稿。请先编写草稿。",
  },
  grant_not_found: {
    status: 404,
    staff: true,
    retryMayHelp: false,
    sentence: "Grant not found.",
    zh: "找不到此发放。",
  },
  label_agreement_not_found: {
    status: 404,
    staff: true,
    retryMayHelp: false,
    sentence: "This account has no agreement with this id.",
    zh: "此账户没有此 ID 的协议。",
  },
  vendor_account_not_found: {
    status: 404,
    staff: true,
    retryMayHelp: false,
    sentence:
      "There is no such vendor account in the database. Accounts of the setting VENDORS are changed in the setting.",
    zh: "数据库中没有这个供应商账户。设置 VENDORS 中的账户需要在设置中修改。",
  },
  stuck_row_not_found: {
    status: 404,
    staff: true,
    retryMayHelp: false,
    sentence: "There is no such stuck row.",
    zh: "没有这条卡住的记录。",
  },
  switch_not_found: {
    status: 404,
    staff: true,
    retryMayHelp: false,
    sentence: "There is no such switch.",
    zh: "没有这个开关。",
  },
  method_not_allowed: {
    status: 405,
    retryMayHelp: false,
    sentence:
      "This endpoint does not support this method. The 'Allow' header lists the supported ones.",
    zh: "此接口不支持该方法。响应头 'Allow' 列出支持的方法。",
  },
  request_timeout: {
    status: 408,
    retryMayHelp: true,
    sentence: "The request was not received completely in time. Send it again.",
    zh: "请求未能按时完整送达。请重新发送。",
  },
  price_changed: {
    status: 409,
    retryMayHelp: false,
    sentence:
      "Prices have changed since the quote. Ask for another quote, or leave priceVersion out.",
    zh: "报价之后价格已变更。请重新询价，或不发送 priceVersion。",
  },
  task_not_over: {
    status: 409,
    retryMayHelp: true,
    sentence: "The task is still running. Delete its media after it has ended.",
    zh: "任务仍在运行。请在任务结束后删除其媒体文件。",
  },
  account_closed: {
    status: 409,
    staff: true,
    retryMayHelp: false,
    sentence: "This account is closed.",
    zh: "此账户已关闭。",
  },
  grant_decided: {
    status: 409,
    staff: true,
    retryMayHelp: false,
    sentence:
      "This grant is decided already, or has expired. Ask for it again if it is still needed.",
    zh: "此发放已有结果，或已过期。如果仍然需要，请重新申请。",
  },
  price_book_exists: {
    status: 409,
    staff: true,
    retryMayHelp: false,
    sentence: "There is a price book of this name.",
    zh: "已有同名的价格表。",
  },
  price_draft_outdated: {
    status: 409,
    staff: true,
    retryMayHelp: false,
    sentence:
      "Another version of this price book was published after the draft was written. Write it again from the new version.",
    zh: "草稿写成之后，此价格表又发布了新版本。请基于新版本重新编写。",
  },
  price_draft_not_asked: {
    status: 409,
    staff: true,
    retryMayHelp: false,
    sentence: "No draft of this price book waits for a second person.",
    zh: "此价格表没有等待另一人批准的草稿。",
  },
  label_agreement_live: {
    status: 409,
    staff: true,
    retryMayHelp: false,
    sentence: "This account has a live agreement. End it before you record another one.",
    zh: "此账户已有生效中的协议。请先终止该协议，再登记新的协议。",
  },
  second_person_needed: {
    status: 409,
    staff: true,
    retryMayHelp: false,
    sentence:
      "A grant of this size must be approved by a second person, not by the person who asked for it.",
    zh: "此数额的发放须由另一人批准，不能由申请人自己批准。",
  },
  mail_is_set: {
    status: 409,
    staff: true,
    retryMayHelp: false,
    sentence: "This deployment has a mail server: invite without `asLink`, and the link is mailed.",
    zh: "本部署已设置邮件服务器：请不使用 `asLink` 邀请，链接将通过邮件发送。",
  },
  balance_too_low: {
    status: 409,
    staff: true,
    retryMayHelp: true,
    sentence:
      "The adjustment would take more credits than are available. Deduct less, or wait until running tasks have ended.",
    zh: "此调整会扣除超出可用数量的积分。请减少扣除数量，或等待运行中的任务结束。",
  },
  task_over: {
    status: 409,
    staff: true,
    retryMayHelp: false,
    sentence: "The task has ended already.",
    zh: "任务已经结束。",
  },
  ledger_check_running: {
    status: 409,
    staff: true,
    retryMayHelp: true,
    sentence: "A check of the ledger is running. Read its result when it has finished.",
    zh: "账本检查正在进行。请在完成后读取结果。",
  },
  last_owner: {
    status: 409,
    retryMayHelp: false,
    sentence:
      "This is the last person with this role, which somebody must have. Give the role to another person first.",
    zh: "这是拥有此角色的最后一人，而此角色不能空缺。请先将角色授予另一人。",
  },
  already_member: {
    status: 409,
    retryMayHelp: false,
    sentence: "This person is a member already. Change the role instead.",
    zh: "此人员已经是成员。请改为修改其角色。",
  },
  too_many_members: {
    status: 409,
    retryMayHelp: false,
    sentence:
      "The limit of people and open invitations is reached. Remove a person or an invitation first.",
    zh: "人员与未接受的邀请已达上限。请先移除一个人员或一个邀请。",
  },
  too_many_service_keys: {
    status: 409,
    retryMayHelp: false,
    staff: true,
    sentence: "There are 100 live service keys, which is the limit. Revoke one first.",
    zh: "有效的服务密钥已达上限 100 个。请先撤销一个。",
  },
  vendor_account_exists: {
    status: 409,
    retryMayHelp: false,
    staff: true,
    sentence: "There is a vendor account with this name already.",
    zh: "已有同名的供应商账户。",
  },
  vendor_key_changed: {
    status: 409,
    retryMayHelp: true,
    staff: true,
    sentence:
      "Somebody else changed the key of this vendor account meanwhile. Nothing was changed.",
    zh: "在此期间有人更改了此供应商账户的密钥。未做任何更改。",
  },
  too_many_vendor_accounts: {
    status: 409,
    retryMayHelp: false,
    staff: true,
    sentence: "There are 50 vendor accounts, which is the limit. Remove one first.",
    zh: "供应商账户已达上限 50 个。请先移除一个。",
  },
  email_taken: {
    status: 409,
    retryMayHelp: false,
    sentence: "Another person uses this e-mail address.",
    zh: "此电子邮箱已被其他人使用。",
  },
  asset_in_use: {
    status: 409,
    retryMayHelp: true,
    sentence: "A running task uses this asset. Delete it after the task has ended.",
    zh: "有运行中的任务正在使用此素材。请在任务结束后删除。",
  },
  review_claimed: {
    status: 409,
    retryMayHelp: true,
    sentence: "Another reviewer is judging this asset. Claim the next one.",
    zh: "另一位审核员正在审核此素材。请领取下一个。",
  },
  claim_lost: {
    status: 409,
    retryMayHelp: false,
    sentence:
      "You no longer hold the claim of this asset: it has expired, was released, or the asset no longer waits. Nothing was decided. Claim the asset again if it still waits.",
    zh: "您已不再持有此素材：领取已过期或已放弃，或素材已不在等待审核。没有作出任何决定。如果素材仍在等待，请重新领取。",
  },
  claims_limit: {
    status: 409,
    retryMayHelp: true,
    sentence: "You have claimed 20 assets, which is the maximum. Judge or release some of them.",
    zh: "您已领取 20 个素材，达到上限。请先审核或放弃其中一部分。",
  },
  undo_too_late: {
    status: 409,
    retryMayHelp: false,
    sentence:
      "This decision can no longer be undone: only the reviewer who made it can undo it, within 10 minutes, and not once it is final.",
    zh: "此决定已不能撤销：只有作出决定的审核员可以在 10 分钟内、且决定尚未生效时撤销。",
  },
  request_in_progress: {
    status: 409,
    retryMayHelp: true,
    sentence: "A request with this Idempotency-Key is still being processed. Retry in a second.",
    zh: "使用此 Idempotency-Key 的请求仍在处理中。请在一秒后重试。",
  },
  redeliveries_spent: {
    status: 409,
    retryMayHelp: false,
    sentence:
      "This delivery has been redelivered 20 times, which is the maximum. Read its body with GET /api/v1/webhooks/delivery, or read missed events with GET /api/v1/events.",
    zh: "此投递已重新投递 20 次，达到上限。请用 GET /api/v1/webhooks/delivery 读取其内容，或用 GET /api/v1/events 读取错过的事件。",
  },
  totp_enabled: {
    status: 409,
    retryMayHelp: false,
    sentence: "An authenticator app is enabled already. Disable it first to enrol another one.",
    zh: "已经启用了身份验证器应用。请先停用，再设置新的。",
  },
  totp_not_enabled: {
    status: 409,
    retryMayHelp: false,
    sentence: "No authenticator app is enabled. Enrol one first.",
    zh: "没有启用身份验证器应用。请先设置。",
  },
  second_factor_done: {
    status: 409,
    retryMayHelp: false,
    sentence: "You are signed in already: no second factor is needed.",
    zh: "您已登录，不需要第二重验证。",
  },
  passkey_exists: {
    status: 409,
    retryMayHelp: false,
    sentence: "This passkey is registered already. Use another authenticator.",
    zh: "此通行密钥已经注册。请使用其他验证设备。",
  },
  passkeys_limit: {
    status: 409,
    retryMayHelp: false,
    sentence: "A person has at most 20 passkeys. Remove one first.",
    zh: "每人最多 20 个通行密钥。请先移除一个。",
  },
  identity_taken: {
    status: 409,
    retryMayHelp: false,
    sentence:
      "This company sign-in is linked to another person. Sign in with it, or ask that person to unlink it.",
    zh: "此公司登录已关联到其他人。请用它登录，或请对方取消关联。",
  },
  last_factor: {
    status: 409,
    retryMayHelp: false,
    sentence: "This is your only way to sign in. Set a password or add a passkey first.",
    zh: "这是您唯一的登录方式。请先设置密码或添加通行密钥。",
  },
  body_too_large: {
    status: 413,
    retryMayHelp: false,
    sentence: "The request body is too large.",
    zh: "请求体过大。",
  },
  unsupported_media_type: {
    status: 415,
    retryMayHelp: false,
    sentence: "Send the body as JSON, with the header 'Content-Type: application/json'.",
    zh: "请以 JSON 发送请求体，并带上请求头 'Content-Type: application/json'。",
  },
  expectation_failed: {
    status: 417,
    retryMayHelp: false,
    sentence: "The 'Expect' header supports only '100-continue'.",
    zh: "请求头 'Expect' 只支持 '100-continue'。",
  },
  idempotency_key_reused: {
    status: 422,
    retryMayHelp: false,
    sentence:
      "This Idempotency-Key was already used with a different body. Use a new key for a new task.",
    zh: "此 Idempotency-Key 已用于内容不同的请求。新任务请使用新的值。",
  },
  concurrency_limit: {
    status: 429,
    retryMayHelp: true,
    sentence: "Too many tasks are running. Wait until one of them has finished.",
    zh: "运行中的任务过多。请等待其中一个完成。",
  },
  open_assets_limit: {
    status: 429,
    retryMayHelp: true,
    sentence:
      "Too many files are being fetched or wait for it. Wait until one of them has been stored.",
    zh: "正在获取或等待获取的文件过多。请等待其中一个存储完成。",
  },
  open_uploads_limit: {
    status: 429,
    retryMayHelp: true,
    sentence: "Too many uploads are open. Complete one, or wait until one expires.",
    zh: "未完成的上传过多。请完成其中一个，或等待其过期。",
  },
  storage_limit: {
    status: 403,
    retryMayHelp: false,
    sentence: "The storage of this account is full. Delete assets that you no longer need.",
    zh: "此账户的存储空间已满。请删除不再需要的素材。",
  },
  live_keys_limit: {
    status: 429,
    retryMayHelp: true,
    sentence: "This account has 10 live API keys, which is the maximum. Revoke one first.",
    zh: "此账户已有 10 个有效的 API 密钥，达到上限。请先撤销一个。",
  },
  new_keys_limit: {
    status: 429,
    retryMayHelp: true,
    sentence:
      "This account has created 200 API keys within a day, which is the maximum. Retry later, or change an existing key.",
    zh: "此账户一天内已创建 200 个 API 密钥，达到上限。请稍后重试，或修改已有的密钥。",
  },
  too_many_guesses: {
    status: 429,
    retryMayHelp: true,
    sentence:
      "Too many failed attempts to sign in. Wait before the next one, or reset the password.",
    zh: "登录失败次数过多。请等待一段时间再试，或重置密码。",
  },
  changes_limit: {
    status: 429,
    retryMayHelp: true,
    sentence:
      "This account has changed its keys and webhook endpoints too often in the last minute. Retry after the number of seconds in the 'Retry-After' header.",
    zh: "此账户在最近一分钟内修改密钥和 Webhook 端点过于频繁。请在响应头 'Retry-After' 给出的秒数之后重试。",
  },
  endpoints_limit: {
    status: 429,
    retryMayHelp: true,
    sentence: "This account has 10 webhook endpoints, which is the maximum. Delete one first.",
    zh: "此账户已有 10 个 Webhook 端点，达到上限。请先删除一个。",
  },
  rate_limited: {
    status: 429,
    retryMayHelp: true,
    sentence:
      "Too many requests with this API key or from this IP address. Retry after the number of seconds in the 'Retry-After' header.",
    zh: "使用此 API 密钥或来自此 IP 地址的请求过多。请在响应头 'Retry-After' 给出的秒数之后重试。",
  },
  second_factor_locked: {
    status: 429,
    retryMayHelp: true,
    sentence:
      "Too many wrong codes. Try again after the number of seconds in the 'Retry-After' header, or sign in with a passkey.",
    zh: "验证码错误次数过多。请在响应头 'Retry-After' 给出的秒数之后重试，或用通行密钥登录。",
  },
  too_many_requests: {
    status: 429,
    retryMayHelp: true,
    sentence:
      "Too many concurrent requests from this account. Retry when some of them have completed.",
    zh: "此账户的并发请求过多。请在其中一部分完成后重试。",
  },
  redelivery_limit: {
    status: 429,
    retryMayHelp: true,
    sentence:
      "This account has requested too many redeliveries in the last minute. Retry after the number of seconds in the 'Retry-After' header.",
    zh: "此账户在最近一分钟内请求重新投递的次数过多。请在响应头 'Retry-After' 给出的秒数之后重试。",
  },
  test_event_limit: {
    status: 429,
    retryMayHelp: true,
    sentence:
      "This account has sent too many test events in the last minute. Retry after the number of seconds in the 'Retry-After' header.",
    zh: "此账户在最近一分钟内发送的测试事件过多。请在响应头 'Retry-After' 给出的秒数之后重试。",
  },
  too_many_streams: {
    status: 429,
    retryMayHelp: true,
    sentence: "This account has too many open event streams. Close some of them, or poll instead.",
    zh: "此账户打开的事件流过多。请关闭其中一部分，或改用轮询。",
  },
  headers_too_large: {
    status: 431,
    retryMayHelp: false,
    sentence: "The URL and headers of the request are too large.",
    zh: "请求的 URL 和请求头过大。",
  },
  internal_error: {
    status: 500,
    retryMayHelp: true,
    sentence: "Internal server error. Retry after a few seconds.",
    zh: "服务器内部错误。请在几秒后重试。",
  },
  service_unavailable: {
    status: 503,
    retryMayHelp: true,
    sentence: "The service is temporarily unavailable. Retry after a few seconds.",
    zh: "服务暂时不可用。请在几秒后重试。",
  },
  verify_unavailable: {
    status: 503,
    retryMayHelp: true,
    sentence:
      "Files cannot be opened at the moment. Retry after a few seconds, or send the SHA-256 of the file: GET /api/v1/verify?sha256=….",
    zh: "目前无法打开文件。请在几秒后重试，或发送文件的 SHA-256：GET /api/v1/verify?sha256=…。",
  },
  oidc_unavailable: {
    status: 503,
    retryMayHelp: true,
    sentence:
      "The provider of the company sign-in does not respond. Try again later, or sign in with a password or a passkey.",
    zh: "公司登录服务没有响应。请稍后重试，或用密码或通行密钥登录。",
  },
  account_busy: {
    status: 503,
    retryMayHelp: true,
    sentence: "Another request of this account is still being processed. Retry in a second.",
    zh: "此账户的另一个请求仍在处理中。请在一秒后重试。",
  },
  streams_full: {
    status: 503,
    retryMayHelp: true,
    sentence:
      "No more event streams are available at the moment. Retry in a few seconds, or poll instead.",
    zh: "目前没有可用的事件流。请在几秒后重试，或改用轮询。",
  },

  INVALID_URL: {
    status: 400,
    endsTask: true,
    retryMayHelp: false,
    sentence: "The source must be a public https URL or the storageUrl of one of your assets.",
    zh: "源视频必须是公开的 https URL，或您的素材的 storageUrl。",
  },
  SOURCE_GONE: {
    status: 400,
    endsTask: true,
    retryMayHelp: false,
    sentence:
      "The stored file of the source no longer exists. Upload the file, or make the output, again.",
    zh: "源视频的存储文件已不存在。请重新上传文件，或重新生成该输出。",
  },
  URL_NOT_REACHABLE: {
    status: 400,
    endsTask: true,
    retryMayHelp: true,
    sentence: "The source could not be fetched. Its URL must be public and stay reachable.",
    zh: "无法获取源视频。其 URL 必须公开，并保持可访问。",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 400,
    endsTask: true,
    retryMayHelp: false,
    sentence: "The source is not a supported video. Use MP4, MOV or WebM.",
    zh: "源文件不是受支持的视频。请使用 MP4、MOV 或 WebM。",
  },
  FILE_TOO_LARGE: {
    status: 400,
    endsTask: true,
    retryMayHelp: false,
    sentence: "The source is larger than 200 MB.",
    zh: "源视频大于 200 MB。",
  },
  DURATION_EXCEEDS_LIMIT: {
    status: 400,
    endsTask: true,
    retryMayHelp: false,
    sentence: "The source is longer than 600 s.",
    zh: "源视频长于 600 秒。",
  },
  SOURCE_RESOLUTION_TOO_HIGH: {
    status: 400,
    endsTask: true,
    retryMayHelp: false,
    sentence: "The short side of the source must be smaller than that of the target resolution.",
    zh: "源视频的短边必须小于目标分辨率的短边。",
  },
  INSUFFICIENT_CREDITS: {
    status: 402,
    endsTask: true,
    retryMayHelp: false,
    sentence: "Not enough credits for this upscale.",
    zh: "积分不足，无法执行此超分任务。",
  },

  input_blocked: {
    status: null,
    fault: "content",
    retryMayHelp: false,
    sentence:
      "The prompt or an input was blocked by the vendor's content policy. Change it and create a new task.",
    zh: "提示词或某项输入被供应商的内容政策拦截。请修改后创建新任务。",
  },
  output_blocked: {
    status: null,
    fault: "content",
    retryMayHelp: true,
    sentence:
      "The output was blocked by the vendor's content policy. Another prompt or seed may succeed.",
    zh: "输出被供应商的内容政策拦截。更换提示词或种子可能会成功。",
  },
  copyright_blocked: {
    status: null,
    fault: "content",
    retryMayHelp: false,
    sentence: "The task was blocked for copyright reasons. Change the prompt or the inputs.",
    zh: "任务因版权原因被拦截。请修改提示词或输入。",
  },
  real_person_blocked: {
    status: null,
    fault: "content",
    retryMayHelp: false,
    sentence:
      "An input shows a real person. Upload it as an asset and reference it as asset://<upstreamAssetId>.",
    zh: "某项输入中出现真人。请将其作为素材上传，并以 asset://<upstreamAssetId> 引用。",
  },
  input_unreachable: {
    status: null,
    fault: "caller",
    retryMayHelp: true,
    sentence: "An input could not be fetched. Its URL must be public and stay reachable.",
    zh: "无法获取某项输入。其 URL 必须公开，并保持可访问。",
  },
  input_unusable: {
    status: null,
    fault: "caller",
    retryMayHelp: false,
    sentence:
      "An input file does not meet the model's requirements. Check its type, size and duration.",
    zh: "某个输入文件不符合模型的要求。请检查其类型、大小和时长。",
  },
  vendor_refused: {
    status: null,
    fault: "unclear",
    retryMayHelp: false,
    sentence: "The vendor rejected the request.",
    zh: "供应商拒绝了此请求。",
  },
  vendor_failed: {
    status: null,
    fault: "service",
    retryMayHelp: true,
    sentence: "The vendor failed to generate the output. Retrying may help.",
    zh: "供应商未能生成输出。重试可能会成功。",
  },
  vendor_unavailable: {
    status: null,
    fault: "service",
    retryMayHelp: true,
    sentence: "The vendor is unavailable at the moment. Retrying later may help.",
    zh: "供应商目前不可用。稍后重试可能会成功。",
  },
  vendor_unconfirmed: {
    status: null,
    fault: "service",
    retryMayHelp: true,
    sentence: "The vendor never confirmed the task, so it was abandoned. Retrying may help.",
    zh: "供应商始终没有确认此任务，任务已放弃。重试可能会成功。",
  },
  output_unusable: {
    status: null,
    fault: "service",
    retryMayHelp: true,
    sentence: "The vendor's output could not be fetched or is damaged. Retrying may help.",
    zh: "无法获取供应商的输出，或输出已损坏。重试可能会成功。",
  },
  task_expired: {
    status: null,
    fault: "service",
    retryMayHelp: true,
    sentence: "The task reached its maximum age before it completed. Retrying may help.",
    zh: "任务在完成之前达到了最长时限。重试可能会成功。",
  },
  ended_by_operator: {
    status: null,
    fault: "operator",
    retryMayHelp: true,
    sentence: "The operator of this service ended the task. Retrying may help.",
    zh: "本服务的运营方结束了此任务。重试可能会成功。",
  },
  task_broken: {
    status: null,
    fault: "service",
    retryMayHelp: true,
    sentence: "The task failed because of an internal error. Retrying may help.",
    zh: "任务因内部错误而失败。重试可能会成功。",
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof errorCatalogue;

/** The codes that end an accepted task. */
export type FailureCode = {
  [Code in ErrorCode]: (typeof errorCatalogue)[Code] extends { status: null } | { endsTask: true }
    ? Code
    : never;
}[ErrorCode];

/** The codes of tasks that failed through somebody's fault. */
export function failuresOf(fault: Fault): FailureCode[] {
  return (Object.keys(errorCatalogue) as ErrorCode[]).filter((code): code is FailureCode => {
    const entry: CatalogueEntry = errorCatalogue[code];
    return entry.status === null
      ? entry.fault === fault
      : entry.endsTask === true && fault === "caller";
  });
}

/** The codes that refuse a request. */
export type RefusalCode = {
  [Code in ErrorCode]: (typeof errorCatalogue)[Code]["status"] extends number ? Code : never;
}[ErrorCode];

/** The open tasks of an account, and how many it can have. */
export interface OpenTasks {
  open: number;
  max: number;
}

interface ApiErrorOptions {
  /** More specific than the code's sentence. One in English alone follows the Chinese sentence. */
  message?: string | Text;
  param?: string;
  retryAfterSeconds?: number;
  /** The open tasks, in a refusal for too many of them. */
  openTasks?: OpenTasks;
}

/** A refusal that is returned to the caller. `message` is public; details go to the log only. */
export class ApiError extends Error {
  readonly code: RefusalCode;
  /** The message in every language. */
  readonly text: Text;
  readonly param: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly openTasks: OpenTasks | undefined;

  constructor(code: RefusalCode, options: ApiErrorOptions = {}) {
    const text = textOf(code, options.message ?? null);
    super(text.en);
    this.code = code;
    this.text = text;
    this.param = options.param;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.openTasks = options.openTasks;
  }
}

/** A message of an error with this code in every language: that of the catalogue where none is given. */
export function textOf(code: ErrorCode, message: string | Text | null): Text {
  const { sentence, zh } = errorCatalogue[code];
  if (message === null || message === sentence) return { en: sentence, zh };
  return typeof message === "string" ? { en: message, zh: `${zh}（${message}）` } : message;
}

export function invalid(param: string, message: string | Text): ApiError {
  const text =
    typeof message === "string"
      ? `${param}: ${message}`
      : { en: `${param}: ${message.en}`, zh: `${param}：${message.zh}` };
  return new ApiError("invalid_parameters", { param, message: text });
}

/** No permit became free in time. */
export class NoPermitFree extends Error {
  constructor() {
    super("no permit became free in time");
  }
}
