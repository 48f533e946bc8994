// Generated from docs/generated/admin-openapi.json by `npm run sdk-types`. Do not edit.

export interface Schemas {
  StaffAuditEntry: StaffAuditEntry;
  StaffActor: StaffActor;
  StaffAccount: StaffAccount;
  AccountNote: AccountNote;
  FailingHost: FailingHost;
  Grant: Grant;
  LedgerCheck: LedgerCheck;
  StuckRow: StuckRow;
  Banner: Banner;
  ModelSwitch: ModelSwitch;
  Queues: Queues;
  Process: Process;
  StaffTask: StaffTask;
  VendorAccount: VendorAccount;
  ReviewItem: ReviewItem;
  ReviewDecision: ReviewDecision;
  ListReviewQueueQuery: ListReviewQueueQuery;
  ListReviewQueueAnswer: ListReviewQueueAnswer;
  ListRefusalReasonsAnswer: ListRefusalReasonsAnswer;
  ListReviewDecisionsQuery: ListReviewDecisionsQuery;
  ListReviewDecisionsAnswer: ListReviewDecisionsAnswer;
  ListReviewFiguresQuery: ListReviewFiguresQuery;
  ListReviewFiguresAnswer: ListReviewFiguresAnswer;
  ClaimNextReviewsBody: ClaimNextReviewsBody;
  ClaimNextReviewsAnswer: ClaimNextReviewsAnswer;
  ClaimReviewBody: ClaimReviewBody;
  ClaimReviewAnswer: ClaimReviewAnswer;
  RenewClaimsAnswer: RenewClaimsAnswer;
  ReleaseClaimsBody: ReleaseClaimsBody;
  ReleaseClaimsAnswer: ReleaseClaimsAnswer;
  ApproveAssetBody: ApproveAssetBody;
  ApproveAssetAnswer: ApproveAssetAnswer;
  RefuseAssetBody: RefuseAssetBody;
  RefuseAssetAnswer: RefuseAssetAnswer;
  UndoReviewBody: UndoReviewBody;
  UndoReviewAnswer: UndoReviewAnswer;
  ListStaffAnswer: ListStaffAnswer;
  ChangeStaffBody: ChangeStaffBody;
  ChangeStaffAnswer: ChangeStaffAnswer;
  RemoveStaffQuery: RemoveStaffQuery;
  RemoveStaffAnswer: RemoveStaffAnswer;
  InviteStaffBody: InviteStaffBody;
  InviteStaffAnswer: InviteStaffAnswer;
  RevokeStaffInvitationQuery: RevokeStaffInvitationQuery;
  RevokeStaffInvitationAnswer: RevokeStaffInvitationAnswer;
  InviteToAccountBody: InviteToAccountBody;
  InviteToAccountAnswer: InviteToAccountAnswer;
  SearchAccountsQuery: SearchAccountsQuery;
  SearchAccountsAnswer: SearchAccountsAnswer;
  CreateAccountBody: CreateAccountBody;
  CreateAccountAnswer: CreateAccountAnswer;
  ReadAccountAnswer: ReadAccountAnswer;
  ChangeAccountBody: ChangeAccountBody;
  ChangeAccountAnswer: ChangeAccountAnswer;
  SuspendAccountBody: SuspendAccountBody;
  SuspendAccountAnswer: SuspendAccountAnswer;
  ResumeAccountBody: ResumeAccountBody;
  ResumeAccountAnswer: ResumeAccountAnswer;
  AddAccountNoteBody: AddAccountNoteBody;
  AddAccountNoteAnswer: AddAccountNoteAnswer;
  ListGrantsQuery: ListGrantsQuery;
  ListGrantsAnswer: ListGrantsAnswer;
  GrantCreditsBody: GrantCreditsBody;
  GrantCreditsAnswer: GrantCreditsAnswer;
  ApproveGrantBody: ApproveGrantBody;
  ApproveGrantAnswer: ApproveGrantAnswer;
  RejectGrantBody: RejectGrantBody;
  RejectGrantAnswer: RejectGrantAnswer;
  ReadStaffAuditQuery: ReadStaffAuditQuery;
  ReadStaffAuditAnswer: ReadStaffAuditAnswer;
  SearchTasksQuery: SearchTasksQuery;
  SearchTasksAnswer: SearchTasksAnswer;
  ReadTaskTimelineAnswer: ReadTaskTimelineAnswer;
  FailTaskBody: FailTaskBody;
  FailTaskAnswer: FailTaskAnswer;
  ListVendorAccountsAnswer: ListVendorAccountsAnswer;
  PauseVendorAccountBody: PauseVendorAccountBody;
  PauseVendorAccountAnswer: PauseVendorAccountAnswer;
  ResumeVendorAccountBody: ResumeVendorAccountBody;
  ResumeVendorAccountAnswer: ResumeVendorAccountAnswer;
  TestVendorAccountAnswer: TestVendorAccountAnswer;
  WeighVendorAccountBody: WeighVendorAccountBody;
  WeighVendorAccountAnswer: WeighVendorAccountAnswer;
  ListStuckRowsAnswer: ListStuckRowsAnswer;
  RetryStuckRowsBody: RetryStuckRowsBody;
  RetryStuckRowsAnswer: RetryStuckRowsAnswer;
  DropStuckRowBody: DropStuckRowBody;
  DropStuckRowAnswer: DropStuckRowAnswer;
  ListFailingHostsAnswer: ListFailingHostsAnswer;
  ListLedgerChecksAnswer: ListLedgerChecksAnswer;
  StartLedgerCheckAnswer: StartLedgerCheckAnswer;
  ReadSystemAnswer: ReadSystemAnswer;
  ReadSwitchesAnswer: ReadSwitchesAnswer;
  ShowBannerBody: ShowBannerBody;
  ShowBannerAnswer: ShowBannerAnswer;
  RemoveBannerAnswer: RemoveBannerAnswer;
  SwitchModelBody: SwitchModelBody;
  SwitchModelAnswer: SwitchModelAnswer;
}
export interface StaffAuditEntry {
  id: string;
  /**
   * Epoch milliseconds.
   */
  time: number;
  /**
   * What was done, such as `key.create`.
   */
  action: string;
  /**
   * The id of what was changed.
   */
  object: string;
  /**
   * By field, without secrets; null if there was nothing, or it was erased.
   */
  before: {
    [k: string]: unknown;
  } | null;
  /**
   * By field, without secrets; null if there was nothing, or it was erased.
   */
  after: {
    [k: string]: unknown;
  } | null;
  /**
   * IP address; null for operators.
   */
  address: string | null;
  requestId: string | null;
  /**
   * null: it is the deployment's.
   */
  accountId: string | null;
  reason: string | null;
  actor: {
    kind: "key" | "person" | "command";
    /**
     * Of a command: the user of the machine.
     */
    id: string;
    /**
     * Of the person or key, if it still exists.
     */
    name: string | null;
    email: string | null;
  };
}
export interface StaffActor {
  kind: "person" | "command";
  /**
   * Of a command: the user of the machine.
   */
  id: string;
  name: string | null;
}
export interface StaffAccount {
  accountId: string;
  name: string;
  state: "active" | "suspended" | "closed";
  suspendedAt: number | null;
  suspendedReason: string | null;
  credits: number;
  /**
   * `credits` minus the holds of open tasks.
   */
  availableCredits: number;
  /**
   * null: the schedule of the deployment.
   */
  priceSchedule: ("A" | "B") | null;
  openTasksMax: number;
  /**
   * The account whose test account it is.
   */
  testOf: string | null;
  /**
   * Epoch milliseconds.
   */
  createdAt: number;
}
export interface AccountNote {
  noteId: string;
  note: string;
  by: StaffActor;
  /**
   * Epoch milliseconds.
   */
  time: number;
}
export interface FailingHost {
  host: string;
  /**
   * Open deliveries that failed at least once.
   */
  failing: number;
  accounts: number;
  /**
   * When the oldest of them was created.
   */
  since: number;
  /**
   * Of the oldest one's last response.
   */
  lastStatus: number | null;
  lastReason: string | null;
}
export interface Grant {
  /**
   * Also the id of the ledger's transfer.
   */
  grantId: string;
  accountId: string;
  kind: "grant" | "adjust";
  credits: number;
  reason: string;
  /**
   * `pending`: it waits for a second person, at most 7 days, and has moved nothing.
   */
  status: "pending" | "posted" | "rejected" | "expired";
  askedBy: StaffActor;
  decidedBy: StaffActor | null;
  /**
   * Epoch milliseconds.
   */
  createdAt: number;
  expiresAt: number | null;
  decidedAt: number | null;
}
export interface LedgerCheck {
  checkId: string;
  /**
   * Epoch milliseconds.
   */
  askedAt: number;
  /**
   * null: no worker has begun.
   */
  startedAt: number | null;
  finishedAt: number | null;
  /**
   * How many there were.
   */
  transfers: number | null;
  tasks: number | null;
  /**
   * What breaks an invariant, at most 20 rows of each; empty: nothing.
   */
  breaches: unknown[] | null;
  /**
   * Why it could not be made.
   */
  failure: string | null;
}
export interface StuckRow {
  loop: string;
  key: string;
  accountId: string | null;
  failures: number;
  /**
   * Epoch milliseconds.
   */
  since: number;
  /**
   * The loop no longer retries it.
   */
  parkedAt: number | null;
  reason: string;
}
export interface Banner {
  severity: "info" | "warning" | "critical";
  /**
   * In English and Chinese.
   */
  text: {
    en: string;
    zh: string;
  };
  /**
   * Epoch milliseconds: not shown from then on. null: until it is removed.
   */
  until: number | null;
}
export interface ModelSwitch {
  model: string;
  isOn: boolean;
  /**
   * What callers are told.
   */
  message: string | null;
}
export interface Queues {
  /**
   * Tasks in flight by age; counted up to 100,000.
   */
  openTasks: {
    age: "under_1m" | "1m_to_10m" | "10m_to_1h" | "1h_to_3h" | "over_3h";
    count: number;
  }[];
  /**
   * Age of the oldest task; 0 without one.
   */
  oldestTaskSeconds: number;
  /**
   * Tasks in flight a minute after their deadline; counted up to 10,000.
   */
  overdueTasks: number;
  /**
   * Callbacks to be delivered; counted up to 100,000.
   */
  openDeliveries: number;
  /**
   * Accounts with a failing callback, among the 10,000 oldest callbacks.
   */
  failingDeliveryAccounts: number;
  /**
   * Rows that keep failing and wait for an operator; counted up to 10,000.
   */
  parkedRows: number;
}
export interface Process {
  processId: string;
  role: string;
  version: string;
  host: string;
  /**
   * Whether it reported in the last minute.
   */
  isRunning: boolean;
  /**
   * Epoch milliseconds.
   */
  startedAt: number;
  /**
   * Epoch milliseconds.
   */
  seenAt: number;
  loops: {
    name: string;
    lastSuccessAt: number | null;
    isAlive: boolean;
  }[];
}
export interface StaffTask {
  taskId: string;
  accountId: string;
  keyId: string | null;
  kind: "generation" | "upscale";
  model: string;
  status: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";
  credits: number;
  errorCode: string | null;
  errorMessage: string | null;
  /**
   * Epoch milliseconds.
   */
  createdAt: number;
  completedAt: number | null;
  /**
   * null: it has ended.
   */
  running: {
    vendorAccount: string;
    vendorJobId: string | null;
    submitStartedAt: number | null;
    /**
     * Epoch milliseconds.
     */
    deadlineAt: number;
    /**
     * Epoch milliseconds.
     */
    nextStepAt: number;
    steps: number;
  } | null;
}
export interface VendorAccount {
  name: string;
  /**
   * null: of the setting.
   */
  kind: string | null;
  /**
   * Accounts of the setting VENDORS are changed in the setting.
   */
  source: "database" | "setting";
  state: "open" | "paused" | "removed";
  baseUrl: string | null;
  /**
   * For test keys.
   */
  isTest: boolean;
  /**
   * null: all that it can serve.
   */
  models: string[] | null;
  /**
   * null: after the others, in the order of the setting.
   */
  weight: number | null;
  /**
   * Counted up to 10,000.
   */
  openJobs: number;
  openJobsMax: number | null;
  /**
   * null: it has no limit.
   */
  creditsToday: number | null;
  creditsPerDayMax: number | null;
  /**
   * In a row, until now.
   */
  failures: number;
  /**
   * Submits go elsewhere until then: it kept failing, or refuses for a while.
   */
  skippedUntil: number | null;
  /**
   * How long the same submits took until the vendor answered; null: none did.
   */
  submitMs: {
    median: number;
    p95: number;
  } | null;
  /**
   * By outcome: accepted, delivered, refused, throttled, unavailable, unknown, open.
   */
  submits: {
    [k: string]: number;
  };
}
export interface ReviewItem {
  assetId: number;
  upstreamAssetId: string;
  type: "IMAGE" | "AUDIO" | "VIDEO";
  name: string | null;
  contentType: string | null;
  /**
   * Size in bytes.
   */
  size: number | null;
  width: number | null;
  height: number | null;
  /**
   * Duration in seconds.
   */
  duration: number | null;
  /**
   * A signed link to the file, valid for an hour.
   */
  mediaUrl: string;
  /**
   * Epoch milliseconds.
   */
  createdAt: number;
  /**
   * Epoch milliseconds.
   */
  waitingSince: number;
  /**
   * Earlier verdicts on this asset, newest first, at most 10.
   */
  reviews: {
    reviewer: string;
    verdict: "passed" | "refused" | "unsure" | "revoked" | "undone";
    reason: string;
    scores: {
      explicit: number;
      sexual: number;
      face: number;
    } | null;
    /**
     * Epoch milliseconds.
     */
    at: number;
  }[];
  /**
   * How the reviews of this account's assets ended.
   */
  account: {
    accountId: string;
    name: string;
    /**
     * Assets of this account that passed.
     */
    passed: number;
    /**
     * Assets of this account that were refused.
     */
    refused: number;
    /**
     * Epoch milliseconds.
     */
    lastRefusedAt: number | null;
    /**
     * Newest first, at most 5.
     */
    recentRefusals: {
      assetId: number;
      reason: string;
      at: number;
    }[];
  };
  /**
   * What the owner declares about the real people that it shows.
   */
  declaration: {
    people: string;
    purpose: string;
    /**
     * Epoch milliseconds.
     */
    declaredAt: number;
    formType: string | null;
    /**
     * A signed link to the signed form, valid for an hour. The file is the customer's: open it with care.
     */
    formUrl: string | null;
  } | null;
  claim: {
    by: string;
    isMine: boolean;
    /**
     * Epoch milliseconds.
     */
    until: number;
  } | null;
}
export interface ReviewDecision {
  id: string;
  assetId: number;
  /**
   * Epoch milliseconds.
   */
  at: number;
  action: "asset.approve" | "asset.refuse" | "asset.undo" | "asset.revoke";
  /**
   * Of a refusal.
   */
  code:
    | (
        | "consent_missing"
        | "public_figure"
        | "minor"
        | "sexual"
        | "violence"
        | "hate"
        | "personal_data"
        | "copyright"
        | "illegal"
        | "other"
      )
    | null;
  text: string | null;
  by: {
    /**
     * Of a command: the user of the machine.
     */
    id: string;
    name: string | null;
    isMine: boolean;
  };
  /**
   * Epoch milliseconds. null: you cannot undo it.
   */
  undoableUntil: number | null;
  /**
   * null once its owner has deleted it.
   */
  asset: {
    upstreamAssetId: string;
    type: "IMAGE" | "AUDIO" | "VIDEO";
    status: "NONE" | "PROCESSING" | "ACTIVE" | "FAILED";
    name: string | null;
    /**
     * A signed link, valid for an hour; null without a copy.
     */
    mediaUrl: string | null;
  } | null;
}
export interface ListReviewQueueQuery {
  cursor?: number;
  limit?: number;
  mine?: "true" | "false";
}
export interface ListReviewQueueAnswer {
  items: ReviewItem[];
  /**
   * null on the last page.
   */
  nextCursor: number | null;
  queue: {
    /**
     * Assets that wait, counted up to 10,000.
     */
    waiting: number;
    /**
     * false: there are more.
     */
    isCountedOut: boolean;
    /**
     * How long the oldest has waited. Epoch milliseconds.
     */
    oldestSince: number | null;
  };
}
export interface ListRefusalReasonsAnswer {
  reasons: {
    code:
      | "consent_missing"
      | "public_figure"
      | "minor"
      | "sexual"
      | "violence"
      | "hate"
      | "personal_data"
      | "copyright"
      | "illegal"
      | "other";
    titles: {
      en: string;
      zh: string;
    };
    /**
     * Takes effect at once and cannot be undone.
     */
    isAtOnce: boolean;
    needsText: boolean;
  }[];
}
export interface ListReviewDecisionsQuery {
  mine?: "true" | "false";
  cursor?: string;
  limit?: number;
}
export interface ListReviewDecisionsAnswer {
  items: ReviewDecision[];
  /**
   * null on the last page.
   */
  nextCursor: string | null;
}
export interface ListReviewFiguresQuery {
  from?: string;
  to?: string;
  reviewer?: string;
  cursor?: string;
  limit?: number;
}
export interface ListReviewFiguresAnswer {
  items: {
    day: string;
    reviewer: string;
    /**
     * null for commands, and for people who no longer exist.
     */
    reviewerName: string | null;
    judged: number;
    approved: number;
    refused: number;
    undone: number;
    /**
     * Time spent on the judged assets.
     */
    seconds: number;
  }[];
  nextCursor: string | null;
}
export interface ClaimNextReviewsBody {
  count?: number;
}
export interface ClaimNextReviewsAnswer {
  items: ReviewItem[];
  queue: {
    /**
     * Assets that wait, counted up to 10,000.
     */
    waiting: number;
    /**
     * false: there are more.
     */
    isCountedOut: boolean;
    /**
     * How long the oldest has waited. Epoch milliseconds.
     */
    oldestSince: number | null;
  };
}
export interface ClaimReviewBody {
  /**
   * The numeric assetId.
   */
  assetId: number;
}
export interface ClaimReviewAnswer {
  items: ReviewItem[];
  queue: {
    /**
     * Assets that wait, counted up to 10,000.
     */
    waiting: number;
    /**
     * false: there are more.
     */
    isCountedOut: boolean;
    /**
     * How long the oldest has waited. Epoch milliseconds.
     */
    oldestSince: number | null;
  };
}
export interface RenewClaimsAnswer {
  claims: {
    assetId: number;
    /**
     * Epoch milliseconds.
     */
    until: number;
  }[];
}
export interface ReleaseClaimsBody {
  /**
   * Omit it to release all.
   *
   * @minItems 1
   * @maxItems 20
   *
   * Items: The numeric assetId.
   */
  assetIds?: number[];
}
export interface ReleaseClaimsAnswer {
  released: number[];
}
export interface ApproveAssetBody {
  /**
   * The numeric assetId.
   */
  assetId: number;
  /**
   * A note for the record.
   */
  text?: string | null;
}
export interface ApproveAssetAnswer {
  assetId: number;
  /**
   * Epoch milliseconds. null: it is final.
   */
  undoableUntil: number | null;
}
export interface RefuseAssetBody {
  /**
   * The numeric assetId.
   */
  assetId: number;
  code:
    | "consent_missing"
    | "public_figure"
    | "minor"
    | "sexual"
    | "violence"
    | "hate"
    | "personal_data"
    | "copyright"
    | "illegal"
    | "other";
  /**
   * Added to the reason that the owner reads.
   */
  text?: string | null;
}
export interface RefuseAssetAnswer {
  assetId: number;
  /**
   * Epoch milliseconds. null: it is final.
   */
  undoableUntil: number | null;
}
export interface UndoReviewBody {
  /**
   * The numeric assetId.
   */
  assetId: number;
}
export interface UndoReviewAnswer {
  items: ReviewItem[];
  queue: {
    /**
     * Assets that wait, counted up to 10,000.
     */
    waiting: number;
    /**
     * false: there are more.
     */
    isCountedOut: boolean;
    /**
     * How long the oldest has waited. Epoch milliseconds.
     */
    oldestSince: number | null;
  };
}
export interface ListStaffAnswer {
  /**
   * At most 500.
   */
  staff: {
    personId: string;
    email: string;
    name: string;
    createdAt: string;
    role: "operator" | "support" | "reviewer";
  }[];
  invitations: {
    invitationId: string;
    email: string;
    /**
     * The person; null: an operator's command.
     */
    invitedBy: string | null;
    createdAt: string;
    expiresAt: string;
    role: "operator" | "support" | "reviewer";
  }[];
}
export interface ChangeStaffBody {
  personId: string;
  role: "operator" | "support" | "reviewer";
}
/**
 * Nothing to tell.
 */
export interface ChangeStaffAnswer {}
export interface RemoveStaffQuery {
  personId: string;
}
/**
 * Nothing to tell.
 */
export interface RemoveStaffAnswer {}
export interface InviteStaffBody {
  /**
   * An e-mail address.
   */
  email: string;
  role: "operator" | "support" | "reviewer";
}
export interface InviteStaffAnswer {
  invitationId: string;
}
export interface RevokeStaffInvitationQuery {
  invitationId: string;
}
/**
 * Nothing to tell.
 */
export interface RevokeStaffInvitationAnswer {}
export interface InviteToAccountBody {
  accountId: string;
  /**
   * An e-mail address.
   */
  email: string;
  /**
   * Each role includes those after it.
   */
  role: "owner" | "developer" | "viewer";
}
export interface InviteToAccountAnswer {
  invitationId: string;
}
export interface SearchAccountsQuery {
  accountId?: string;
  name?: string;
  suspended?: "true";
  cursor?: string;
  limit?: number;
}
export interface SearchAccountsAnswer {
  items: StaffAccount[];
  /**
   * null on the last page.
   */
  nextCursor: string | null;
}
export interface CreateAccountBody {
  name: string;
  priceSchedule?: "A" | "B";
  /**
   * Tasks at the same time.
   */
  openTasksMax?: number;
  /**
   * Whether you become its owner.
   */
  asOwner?: boolean;
}
export interface CreateAccountAnswer {
  accountId: string;
  /**
   * Signs callbacks. Owners can read it.
   */
  webhookSecret: string;
}
export interface ReadAccountAnswer {
  accountId: string;
  name: string;
  state: "active" | "suspended" | "closed";
  suspendedAt: number | null;
  suspendedReason: string | null;
  credits: number;
  /**
   * `credits` minus the holds of open tasks.
   */
  availableCredits: number;
  /**
   * null: the schedule of the deployment.
   */
  priceSchedule: ("A" | "B") | null;
  openTasksMax: number;
  /**
   * The account whose test account it is.
   */
  testOf: string | null;
  /**
   * Epoch milliseconds.
   */
  createdAt: number;
  testAccountId: string | null;
  webhookTailHours: number;
  storedBytes: number;
  /**
   * null: the limit of the deployment.
   */
  openAssetsMax: number | null;
  /**
   * null: the limit of the deployment.
   */
  openUploadsMax: number | null;
  /**
   * null: the limit of the deployment.
   */
  storedBytesMax: number | null;
  /**
   * The newest 20.
   */
  notes: AccountNote[];
  /**
   * At most 200, with open invitations.
   */
  members: {
    personId: string;
    email: string;
    name: string;
    createdAt: string;
    /**
     * Each role includes those after it.
     */
    role: "owner" | "developer" | "viewer";
  }[];
  invitations: {
    invitationId: string;
    email: string;
    /**
     * The person; null: an operator's command.
     */
    invitedBy: string | null;
    createdAt: string;
    expiresAt: string;
    /**
     * Each role includes those after it.
     */
    role: "owner" | "developer" | "viewer";
  }[];
}
export interface ChangeAccountBody {
  name?: string;
  /**
   * `default`: the schedule of the deployment.
   */
  priceSchedule?: "A" | "B" | "default";
  /**
   * Tasks at the same time.
   */
  openTasksMax?: number;
  webhookTailHours?: number;
  openAssetsMax?: number;
  openUploadsMax?: number;
  storedBytesMax?: number;
}
/**
 * It is done.
 */
export interface ChangeAccountAnswer {}
export interface SuspendAccountBody {
  /**
   * Why. Stays in the audit.
   */
  reason: string;
}
/**
 * It is done.
 */
export interface SuspendAccountAnswer {}
export interface ResumeAccountBody {
  /**
   * Why. Stays in the audit.
   */
  reason: string;
}
/**
 * It is done.
 */
export interface ResumeAccountAnswer {}
export interface AddAccountNoteBody {
  note: string;
}
export interface AddAccountNoteAnswer {
  noteId: string;
}
export interface ListGrantsQuery {
  accountId?: string;
  pending?: "true";
  cursor?: string;
  limit?: number;
}
export interface ListGrantsAnswer {
  items: Grant[];
  /**
   * null on the last page.
   */
  nextCursor: string | null;
}
export interface GrantCreditsBody {
  accountId: string;
  /**
   * `adjust` corrects a balance, up or down; `grant` adds credits.
   */
  kind: "grant" | "adjust";
  credits: number;
  /**
   * The account sees it in its ledger.
   */
  reason: string;
}
export interface GrantCreditsAnswer {
  grantId: string;
  /**
   * `pending`: it waits for a second person, at most 7 days, and has moved nothing.
   */
  status: "pending" | "posted" | "rejected" | "expired";
}
export interface ApproveGrantBody {
  /**
   * Why. Stays in the audit.
   */
  reason?: string;
}
/**
 * It is done.
 */
export interface ApproveGrantAnswer {}
export interface RejectGrantBody {
  /**
   * Why. Stays in the audit.
   */
  reason?: string;
}
/**
 * It is done.
 */
export interface RejectGrantAnswer {}
export interface ReadStaffAuditQuery {
  action?: string;
  cursor?: string;
  limit?: number;
  accountId?: string;
  personId?: string;
}
export interface ReadStaffAuditAnswer {
  items: StaffAuditEntry[];
  /**
   * null on the last page.
   */
  nextCursor: string | null;
}
export interface SearchTasksQuery {
  taskId?: string;
  accountId?: string;
  vendorJobId?: string;
  cursor?: string;
  limit?: number;
}
export interface SearchTasksAnswer {
  items: StaffTask[];
  /**
   * null on the last page.
   */
  nextCursor: string | null;
}
export interface ReadTaskTimelineAnswer {
  taskId: string;
  kind: "generation" | "upscale";
  /**
   * How long the task waited until it finished, so far.
   */
  waitingMs: number;
  /**
   * How long it was worked on.
   */
  workingMs: number;
  entries: {
    /**
     * What the entry ends with.
     */
    event:
      | "accepted"
      | "submit"
      | "vendorAccepted"
      | "vendorFinished"
      | "stored"
      | "upscaled"
      | "finished"
      | "delivery";
    /**
     * Whether the task waited for the event or was worked on.
     */
    state: "waiting" | "working";
    /**
     * Epoch milliseconds.
     */
    from: number;
    /**
     * null while it lasts. Epoch milliseconds.
     */
    to: number | null;
    /**
     * Of a submit: accepted, delivered, refused, throttled, unavailable or unknown. Of finished: the status. Of a delivery: delivered or failed. null while it lasts.
     */
    outcome?: string | null;
    /**
     * Of a failed task.
     */
    errorCode?: string | null;
    /**
     * Of an upscale.
     */
    segmentCount?: number;
    /**
     * The first 100 segments of an upscale, each worked on by itself.
     */
    segments?: {
      number: number;
      from: number | null;
      to: number | null;
    }[];
    deliveryId?: string;
    /**
     * The number of the attempt.
     */
    attempt?: number;
    /**
     * Of the receiver's response.
     */
    status?: number | null;
    /**
     * Why the attempt failed.
     */
    reason?: string | null;
    vendorAccount?: string;
    vendorJobId?: string | null;
    /**
     * What the vendor answered.
     */
    detail?: string | null;
  }[];
}
export interface FailTaskBody {
  /**
   * Why. Stays in the audit.
   */
  reason: string;
}
/**
 * It is done.
 */
export interface FailTaskAnswer {}
export interface ListVendorAccountsAnswer {
  /**
   * The submits are those of tasks accepted since then: the newest 20,000 of the last hour.
   */
  submitsSince: number | null;
  items: VendorAccount[];
}
export interface PauseVendorAccountBody {
  /**
   * Why. Stays in the audit.
   */
  reason?: string;
}
/**
 * It is done.
 */
export interface PauseVendorAccountAnswer {}
export interface ResumeVendorAccountBody {
  /**
   * Why. Stays in the audit.
   */
  reason?: string;
}
/**
 * It is done.
 */
export interface ResumeVendorAccountAnswer {}
export interface TestVendorAccountAnswer {
  works: boolean;
  /**
   * What was seen, in words.
   */
  result: string;
  /**
   * How long the call took.
   */
  ms: number;
}
export interface WeighVendorAccountBody {
  weight: number;
  /**
   * Why. Stays in the audit.
   */
  reason?: string;
}
/**
 * It is done.
 */
export interface WeighVendorAccountAnswer {}
export interface ListStuckRowsAnswer {
  /**
   * At most 500: parked ones first, then those that fail longest.
   */
  items: StuckRow[];
}
export interface RetryStuckRowsBody {
  loop: string;
  key?: string;
}
export interface RetryStuckRowsAnswer {
  retried: number;
}
export interface DropStuckRowBody {
  loop: string;
  key: string;
}
export interface DropStuckRowAnswer {
  /**
   * What to do next.
   */
  next: string;
}
export interface ListFailingHostsAnswer {
  /**
   * false: more deliveries are open than the oldest 20,000, which are counted here.
   */
  isComplete: boolean;
  /**
   * The 100 hosts with the most failing deliveries.
   */
  items: FailingHost[];
}
export interface ListLedgerChecksAnswer {
  /**
   * The newest 20.
   */
  items: LedgerCheck[];
}
export interface StartLedgerCheckAnswer {
  checkId: string;
}
export interface ReadSystemAnswer {
  /**
   * Of the process that answers.
   */
  version: string;
  /**
   * What the process that answers can reach.
   */
  parts: {
    database: boolean;
    engine: boolean;
    storage: boolean;
  };
  newestMigration: {
    name: string;
    /**
     * Epoch milliseconds.
     */
    appliedAt: number;
  } | null;
  queues: Queues;
  /**
   * Of the last 24 hours, at most 200, the latest seen first.
   */
  processes: Process[];
}
export interface ReadSwitchesAnswer {
  banner: Banner | null;
  models: ModelSwitch[];
}
export interface ShowBannerBody {
  severity: "info" | "warning" | "critical";
  /**
   * In English and Chinese.
   */
  text: {
    en: string;
    zh: string;
  };
  /**
   * Not shown from then on. Epoch milliseconds.
   */
  until?: number;
}
/**
 * It is done.
 */
export interface ShowBannerAnswer {}
/**
 * It is done.
 */
export interface RemoveBannerAnswer {}
export interface SwitchModelBody {
  isOn: boolean;
  /**
   * A sentence for callers while the model is off.
   */
  message?: string;
  /**
   * Why. Stays in the audit.
   */
  reason?: string;
}
/**
 * It is done.
 */
export interface SwitchModelAnswer {}
