// Generated from docs/generated/admin-openapi.json by `npm run generate`. Do not edit.

export interface Schemas {
  CostDocumentInput: CostDocumentInput;
  PriceDocumentInput: PriceDocumentInput;
  Key: Key;
  StaffAuditEntry: StaffAuditEntry;
  StaffActor: StaffActor;
  StaffAccount: StaffAccount;
  AccountNote: AccountNote;
  CostDocument: CostDocument;
  CostBook: CostBook;
  CostVersion: CostVersion;
  FailingHost: FailingHost;
  FailingEndpoint: FailingEndpoint;
  Grant: Grant;
  LabelAgreement: LabelAgreement;
  FreedOutput: FreedOutput;
  LedgerCheck: LedgerCheck;
  PriceDocument: PriceDocument;
  PriceBookSummary: PriceBookSummary;
  PriceVersion: PriceVersion;
  PriceDraft: PriceDraft;
  PricePreviewRow: PricePreviewRow;
  StuckRow: StuckRow;
  Banner: Banner;
  ModelSwitch: ModelSwitch;
  Queues: Queues;
  Process: Process;
  EnginePartition: EnginePartition;
  StaffTask: StaffTask;
  TaskSegment: TaskSegment;
  VendorAccount: VendorAccount;
  ReviewItem: ReviewItem;
  ReviewDecision: ReviewDecision;
  ServiceKey: ServiceKey;
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
  RevokeAssetBody: RevokeAssetBody;
  RevokeAssetAnswer: RevokeAssetAnswer;
  ListStaffAnswer: ListStaffAnswer;
  ChangeStaffBody: ChangeStaffBody;
  ChangeStaffAnswer: ChangeStaffAnswer;
  RemoveStaffQuery: RemoveStaffQuery;
  RemoveStaffAnswer: RemoveStaffAnswer;
  InviteStaffBody: InviteStaffBody;
  InviteStaffAnswer: InviteStaffAnswer;
  RevokeStaffInvitationQuery: RevokeStaffInvitationQuery;
  RevokeStaffInvitationAnswer: RevokeStaffInvitationAnswer;
  ApproveStaffInvitationBody: ApproveStaffInvitationBody;
  ApproveStaffInvitationAnswer: ApproveStaffInvitationAnswer;
  InviteToAccountBody: InviteToAccountBody;
  InviteToAccountAnswer: InviteToAccountAnswer;
  ListServiceKeysAnswer: ListServiceKeysAnswer;
  CreateServiceKeyBody: CreateServiceKeyBody;
  CreateServiceKeyAnswer: CreateServiceKeyAnswer;
  RevokeServiceKeyAnswer: RevokeServiceKeyAnswer;
  RemoveAccountMemberAnswer: RemoveAccountMemberAnswer;
  SignOutPersonBody: SignOutPersonBody;
  SignOutPersonAnswer: SignOutPersonAnswer;
  RemoveAuthenticatorBody: RemoveAuthenticatorBody;
  RemoveAuthenticatorAnswer: RemoveAuthenticatorAnswer;
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
  ListAccountKeysQuery: ListAccountKeysQuery;
  ListAccountKeysAnswer: ListAccountKeysAnswer;
  CreateAccountKeyBody: CreateAccountKeyBody;
  CreateAccountKeyAnswer: CreateAccountKeyAnswer;
  RevokeAccountKeyAnswer: RevokeAccountKeyAnswer;
  ListLabelAgreementsQuery: ListLabelAgreementsQuery;
  ListLabelAgreementsAnswer: ListLabelAgreementsAnswer;
  RecordLabelAgreementBody: RecordLabelAgreementBody;
  RecordLabelAgreementAnswer: RecordLabelAgreementAnswer;
  ListFreedOutputsQuery: ListFreedOutputsQuery;
  ListFreedOutputsAnswer: ListFreedOutputsAnswer;
  EndLabelAgreementBody: EndLabelAgreementBody;
  EndLabelAgreementAnswer: EndLabelAgreementAnswer;
  ListGrantsQuery: ListGrantsQuery;
  ListGrantsAnswer: ListGrantsAnswer;
  GrantCreditsBody: GrantCreditsBody;
  GrantCreditsAnswer: GrantCreditsAnswer;
  ApproveGrantBody: ApproveGrantBody;
  ApproveGrantAnswer: ApproveGrantAnswer;
  RejectGrantBody: RejectGrantBody;
  RejectGrantAnswer: RejectGrantAnswer;
  ReadGrantLimitAnswer: ReadGrantLimitAnswer;
  ChangeGrantLimitBody: ChangeGrantLimitBody;
  ChangeGrantLimitAnswer: ChangeGrantLimitAnswer;
  ApproveGrantLimitAnswer: ApproveGrantLimitAnswer;
  RejectGrantLimitAnswer: RejectGrantLimitAnswer;
  ReadStaffAuditQuery: ReadStaffAuditQuery;
  ReadStaffAuditAnswer: ReadStaffAuditAnswer;
  SearchTasksQuery: SearchTasksQuery;
  SearchTasksAnswer: SearchTasksAnswer;
  ReadTaskTimelineAnswer: ReadTaskTimelineAnswer;
  ListTaskSegmentsAnswer: ListTaskSegmentsAnswer;
  FailTaskBody: FailTaskBody;
  FailTaskAnswer: FailTaskAnswer;
  ListVendorAccountsAnswer: ListVendorAccountsAnswer;
  AddVendorAccountBody: AddVendorAccountBody;
  AddVendorAccountAnswer: AddVendorAccountAnswer;
  RotateVendorAccountBody: RotateVendorAccountBody;
  RotateVendorAccountAnswer: RotateVendorAccountAnswer;
  RemoveVendorAccountAnswer: RemoveVendorAccountAnswer;
  LimitVendorAccountBody: LimitVendorAccountBody;
  LimitVendorAccountAnswer: LimitVendorAccountAnswer;
  PauseVendorAccountBody: PauseVendorAccountBody;
  PauseVendorAccountAnswer: PauseVendorAccountAnswer;
  ResumeVendorAccountBody: ResumeVendorAccountBody;
  ResumeVendorAccountAnswer: ResumeVendorAccountAnswer;
  TestVendorAccountAnswer: TestVendorAccountAnswer;
  WeighVendorAccountBody: WeighVendorAccountBody;
  WeighVendorAccountAnswer: WeighVendorAccountAnswer;
  ListCostBooksAnswer: ListCostBooksAnswer;
  ListCostsQuery: ListCostsQuery;
  ListCostsAnswer: ListCostsAnswer;
  PublishCostsBody: PublishCostsBody;
  PublishCostsAnswer: PublishCostsAnswer;
  ListStuckRowsAnswer: ListStuckRowsAnswer;
  RetryStuckRowsBody: RetryStuckRowsBody;
  RetryStuckRowsAnswer: RetryStuckRowsAnswer;
  DropStuckRowBody: DropStuckRowBody;
  DropStuckRowAnswer: DropStuckRowAnswer;
  ListFailingHostsAnswer: ListFailingHostsAnswer;
  ListLedgerChecksAnswer: ListLedgerChecksAnswer;
  StartLedgerCheckAnswer: StartLedgerCheckAnswer;
  ReadSystemAnswer: ReadSystemAnswer;
  ListEnginePartitionsAnswer: ListEnginePartitionsAnswer;
  ReadSwitchesAnswer: ReadSwitchesAnswer;
  ShowBannerBody: ShowBannerBody;
  ShowBannerAnswer: ShowBannerAnswer;
  RemoveBannerAnswer: RemoveBannerAnswer;
  SwitchModelBody: SwitchModelBody;
  SwitchModelAnswer: SwitchModelAnswer;
  ListPriceBooksAnswer: ListPriceBooksAnswer;
  CreatePriceBookBody: CreatePriceBookBody;
  CreatePriceBookAnswer: CreatePriceBookAnswer;
  ReadPriceBookAnswer: ReadPriceBookAnswer;
  ReadPriceVersionAnswer: ReadPriceVersionAnswer;
  PreviewPricesQuery: PreviewPricesQuery;
  PreviewPricesAnswer: PreviewPricesAnswer;
  WritePriceDraftBody: WritePriceDraftBody;
  WritePriceDraftAnswer: WritePriceDraftAnswer;
  DropPriceDraftAnswer: DropPriceDraftAnswer;
  PublishPricesBody: PublishPricesBody;
  PublishPricesAnswer: PublishPricesAnswer;
  ApprovePricesAnswer: ApprovePricesAnswer;
  RejectPricesAnswer: RejectPricesAnswer;
}
export interface CostDocumentInput {
  currency: string;
  /**
   * By the vendor's name of the model.
   */
  models: {
    [k: string]: {
      /**
       * By rate key of the price books, such as 720p.withVideo; `*` is for the keys that are not named.
       */
      rates: {
        /**
         * @minItems 1
         * @maxItems 10
         */
        [k: string]: {
          /**
           * As the vendor reports it, such as completion_tokens.
           */
          unit: string;
          /**
           * In millionths of the smallest unit of the currency, for one unit.
           */
          rate: string;
          /**
           * What the vendor charges at least.
           */
          minimum?: string;
          /**
           * Whether a report without this unit means none of it.
           */
          isOptional?: boolean;
          /**
           * Units where the vendor reports none, and until it has reported.
           */
          estimate?: {
            /**
             * Of the output.
             */
            perSecond?: string;
            /**
             * Of all input videos.
             */
            perInputSecond?: string;
            perImage?: string;
          };
        }[];
      };
      /**
       * What a failed job costs: nothing, the units that the vendor reports for it, or as much as one that succeeded.
       */
      failed: "free" | "reported" | "full";
    };
  };
}
export interface PriceDocumentInput {
  [k: string]: {
    [k: string]: number;
  };
}
export interface Key {
  keyId: string;
  name: string;
  /**
   * The beginning of the key, to recognise it by.
   */
  hint: string;
  mode: "live" | "test";
  status: "live" | "expired" | "revoked";
  /**
   * null: all except `keys`.
   */
  scopes: ("tasks" | "assets" | "webhooks" | "account" | "keys" | "read")[] | null;
  /**
   * null: all.
   */
  models: string[] | null;
  /**
   * null: the limit of the deployment.
   */
  requestsPerMinuteMax: number | null;
  /**
   * The budget; null: no limit.
   */
  creditsMax: number | null;
  /**
   * The budget minus what the tasks of the key cost or hold; null: no limit.
   */
  creditsLeft: number | null;
  /**
   * Epoch milliseconds.
   */
  createdAt: number;
  createdBy: {
    kind: "person" | "key" | "operator";
    /**
     * Of the person or key.
     */
    id: string | null;
  };
  expiresAt: number | null;
  revokedAt: number | null;
  /**
   * The minute of the last request, in epoch milliseconds. null: never used.
   */
  lastUsedAt: number | null;
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
    kind: "key" | "person" | "command" | "service";
    /**
     * Of a command: the user of the machine.
     */
    id: string;
    /**
     * Of the person or key, if it still exists.
     */
    name: string | null;
    /**
     * Of the person; of a service key: of the person who issued it.
     */
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
   * null: the book of the deployment.
   */
  priceBook: string | null;
  /**
   * null: none was agreed.
   */
  discount: {
    /**
     * Hundredths of a per cent.
     */
    basisPoints: number;
    /**
     * Its end.
     */
    until: number;
  } | null;
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
export interface CostDocument {
  currency: string;
  /**
   * By the vendor's name of the model.
   */
  models: {
    [k: string]: {
      /**
       * By rate key of the price books, such as 720p.withVideo; `*` is for the keys that are not named.
       */
      rates: {
        /**
         * @minItems 1
         * @maxItems 10
         */
        [k: string]: {
          /**
           * As the vendor reports it, such as completion_tokens.
           */
          unit: string;
          /**
           * In millionths of the smallest unit of the currency, for one unit.
           */
          rate: string;
          /**
           * What the vendor charges at least.
           */
          minimum?: string;
          /**
           * Whether a report without this unit means none of it.
           */
          isOptional: boolean;
          /**
           * Units where the vendor reports none, and until it has reported.
           */
          estimate?: {
            /**
             * Of the output.
             */
            perSecond?: string;
            /**
             * Of all input videos.
             */
            perInputSecond?: string;
            perImage?: string;
          };
        }[];
      };
      /**
       * What a failed job costs: nothing, the units that the vendor reports for it, or as much as one that succeeded.
       */
      failed: "free" | "reported" | "full";
    };
  };
}
export interface CostBook {
  vendorAccount: string;
  /**
   * The newest.
   */
  version: number;
  currency: string;
  /**
   * The version counts for submits from then on.
   */
  validFrom: number;
  /**
   * Epoch milliseconds.
   */
  publishedAt: number;
}
export interface CostVersion {
  version: number;
  /**
   * The version counts for submits from then on.
   */
  validFrom: number;
  /**
   * Epoch milliseconds.
   */
  publishedAt: number;
  publishedBy: StaffActor;
  reason: string | null;
  document: CostDocument;
}
export interface FailingHost {
  host: string;
  /**
   * Open deliveries that failed at least once.
   */
  failing: number;
  /**
   * Deliveries given up in the last 24 hours.
   */
  givenUp: number;
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
export interface FailingEndpoint {
  endpointId: string;
  accountId: string;
  /**
   * Of its URL.
   */
  host: string;
  /**
   * Failed attempts in a row.
   */
  failures: number;
  /**
   * Epoch milliseconds.
   */
  failingSince: number;
  /**
   * Because it failed for 5 days.
   */
  isPaused: boolean;
  /**
   * Epoch milliseconds.
   */
  lastAttemptAt: number;
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
  /**
   * The end of a pending one.
   */
  expiresAt: number | null;
  decidedAt: number | null;
  /**
   * When what is left of the credits expires.
   */
  creditsExpireAt: number | null;
}
export interface LabelAgreement {
  agreementId: string;
  /**
   * Who agreed for the customer.
   */
  agreedBy: string;
  /**
   * Epoch milliseconds.
   */
  agreedAt: number;
  /**
   * The text that was agreed on.
   */
  text: string;
  /**
   * SHA-256 of the text in UTF-8, in hex.
   */
  sha256: string;
  /**
   * Epoch milliseconds.
   */
  recordedAt: number;
  recordedBy: StaffActor;
  /**
   * null: the agreement is live.
   */
  endedAt: number | null;
  endedBy: StaffActor | null;
  endReason: string | null;
}
export interface FreedOutput {
  taskId: string;
  /**
   * The place of the output in its task, from 0.
   */
  number: number;
  agreementId: string;
  sha256: string;
  /**
   * Epoch milliseconds.
   */
  deliveredAt: number;
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
export interface PriceDocument {
  [k: string]: {
    [k: string]: number;
  };
}
export interface PriceBookSummary {
  book: string;
  description: string;
  versions: number;
  /**
   * `waits`: a second person must approve it.
   */
  draft: "none" | "written" | "waits";
}
export interface PriceVersion {
  version: number;
  /**
   * Epoch milliseconds.
   */
  validFrom: number;
  state: "ended" | "in_force" | "announced";
  /**
   * Epoch milliseconds.
   */
  publishedAt: number;
  /**
   * null: it came with the service.
   */
  publishedBy: StaffActor | null;
  reason: string | null;
}
export interface PriceDraft {
  document: PriceDocument;
  /**
   * The last version when it was written.
   */
  basedOn: number;
  /**
   * Epoch milliseconds.
   */
  changedAt: number;
  changedBy: StaffActor;
  /**
   * What waits for a second person; null: nothing.
   */
  asked: {
    /**
     * Epoch milliseconds.
     */
    validFrom: number;
    reason: string;
    /**
     * Epoch milliseconds.
     */
    askedAt: number;
    askedBy: StaffActor;
  } | null;
}
export interface PricePreviewRow {
  model: string;
  tasks: number;
  creditsBefore: number;
  creditsAfter: number;
  /**
   * Tasks that the draft would not sell.
   */
  refused: number;
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
   * Webhook endpoints whose last attempt failed, with those that were paused for it within a day of their last attempt; counted up to 10,000.
   */
  failingEndpoints: number;
  /**
   * Deliveries given up in the last 24 hours; counted up to 10,000.
   */
  deliveriesGivenUp: number;
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
export interface EnginePartition {
  partition: number;
  /**
   * Epoch milliseconds.
   */
  askedAt: number;
  /**
   * Epoch milliseconds.
   */
  answeredAt: number;
  /**
   * 0: it ran what it was sent last.
   */
  silentSeconds: number;
  /**
   * It does not run what it accepts.
   */
  isSilent: boolean;
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
   * Where it runs, or was submitted last; null: nowhere yet.
   */
  vendorAccount: string | null;
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
export interface TaskSegment {
  number: number;
  frames: number;
  framesDone: number;
  vendorJobId: string | null;
  /**
   * Why it was given up.
   */
  failure: string | null;
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
   * How long the same submits took until the vendor responded; null: none did.
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
  /**
   * null unless you have claimed the asset.
   */
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
   * The file, in your session and while you have claimed the asset; null otherwise.
   */
  mediaUrl: string | null;
  /**
   * Epoch milliseconds.
   */
  createdAt: number;
  /**
   * Epoch milliseconds.
   */
  waitingSince: number;
  /**
   * Earlier verdicts on this asset, newest first, at most 10; empty unless you have claimed it.
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
     * Newest first, at most 5; empty unless you have claimed the asset.
     */
    recentRefusals: {
      assetId: number;
      reason: string;
      at: number;
    }[];
  };
  /**
   * What the owner declares about the real people that it shows; null unless you have claimed it.
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
     * The signed form, in your session and while you have claimed the asset. Reading it is an audit entry. The file is the customer's: open it with care.
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
     * The file, in your session: of an approved asset, or of one that you judged less than 10 minutes ago; null otherwise.
     */
    mediaUrl: string | null;
  } | null;
}
export interface ServiceKey {
  serviceKeyId: string;
  name: string;
  /**
   * The beginning of the key, to recognise it by.
   */
  hint: string;
  status: "live" | "expired" | "revoked";
  /**
   * Items: A noun of the operator API: alone to read and change it, with `:read` to read it. Approving as the second person is `credits:approve`.
   */
  scopes: (
    | "accounts"
    | "accounts:read"
    | "keys"
    | "keys:read"
    | "credits"
    | "credits:read"
    | "credits:approve"
    | "tasks"
    | "tasks:read"
    | "vendors"
    | "vendors:read"
    | "people"
    | "people:read"
    | "review"
    | "review:read"
    | "switches"
    | "switches:read"
    | "prices"
    | "prices:read"
    | "audit:read"
    | "system"
    | "system:read"
  )[];
  /**
   * null: everywhere.
   */
  networks: string[] | null;
  /**
   * For whom the key acts. It ends when this person is no operator any longer.
   */
  issuedBy: {
    personId: string;
    name: string | null;
  };
  /**
   * Epoch milliseconds.
   */
  createdAt: number;
  /**
   * Epoch milliseconds.
   */
  expiresAt: number;
  revokedAt: number | null;
  /**
   * The minute of the last request; null: never used.
   */
  lastUsedAt: number | null;
}
export interface ListReviewQueueQuery {
  cursor?: number | undefined;
  limit?: number | undefined;
  mine?: ("true" | "false") | undefined;
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
  mine?: ("true" | "false") | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
}
export interface ListReviewDecisionsAnswer {
  items: ReviewDecision[];
  /**
   * null on the last page.
   */
  nextCursor: string | null;
}
export interface ListReviewFiguresQuery {
  from?: string | undefined;
  to?: string | undefined;
  reviewer?: string | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
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
export interface RevokeAssetBody {
  /**
   * The numeric assetId.
   */
  assetId: number;
  /**
   * Why. Stays in the record.
   */
  reason: string;
}
export interface RevokeAssetAnswer {
  assetId: number;
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
    /**
     * `refused`: the mail server does not take mail to this address. `link`: handed over as a link. `off`: not sent, because no mail server is set.
     */
    mail: "sent" | "waiting" | "refused" | "link" | "off";
    role: "operator" | "support" | "reviewer";
    /**
     * Of an operator: it is mailed when another operator has approved it.
     */
    awaitsApproval: boolean;
  }[];
}
export interface ChangeStaffBody {
  personId: string;
  role: "operator" | "support" | "reviewer";
}
/**
 * An empty object.
 */
export interface ChangeStaffAnswer {}
export interface RemoveStaffQuery {
  personId: string;
}
/**
 * An empty object.
 */
export interface RemoveStaffAnswer {}
export interface InviteStaffBody {
  /**
   * An e-mail address.
   */
  email: string;
  role: "operator" | "support" | "reviewer";
  /**
   * No mail is sent, and the response has the link. Only where no mail server is set.
   */
  asLink?: boolean;
}
export interface InviteStaffAnswer {
  invitationId: string;
  mail: "sent" | "waiting" | "refused" | "link" | "off";
  /**
   * True: another operator has to approve it. There is no link before.
   */
  awaitsApproval: boolean;
  /**
   * With `asLink`: works once.
   */
  url?: string;
}
export interface RevokeStaffInvitationQuery {
  invitationId: string;
}
/**
 * An empty object.
 */
export interface RevokeStaffInvitationAnswer {}
export interface ApproveStaffInvitationBody {
  invitationId: string;
  /**
   * No mail is sent, and the response has the link. Only where no mail server is set.
   */
  asLink?: boolean;
}
export interface ApproveStaffInvitationAnswer {
  /**
   * With `asLink`: works once.
   */
  url?: string;
}
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
  /**
   * No mail is sent, and the response has the link. Only where no mail server is set.
   */
  asLink?: boolean;
}
export interface InviteToAccountAnswer {
  invitationId: string;
  mail: "sent" | "waiting" | "refused" | "link" | "off";
  /**
   * With `asLink`: works once.
   */
  url?: string;
}
export interface ListServiceKeysAnswer {
  /**
   * The newest 500.
   */
  items: ServiceKey[];
}
export interface CreateServiceKeyBody {
  /**
   * A label: which program uses the key.
   */
  name: string;
  /**
   * @minItems 1
   * @maxItems 22
   *
   * Items: A noun of the operator API: alone to read and change it, with `:read` to read it. Approving as the second person is `credits:approve`.
   */
  scopes: (
    | "accounts"
    | "accounts:read"
    | "keys"
    | "keys:read"
    | "credits"
    | "credits:read"
    | "credits:approve"
    | "tasks"
    | "tasks:read"
    | "vendors"
    | "vendors:read"
    | "people"
    | "people:read"
    | "review"
    | "review:read"
    | "switches"
    | "switches:read"
    | "prices"
    | "prices:read"
    | "audit:read"
    | "system"
    | "system:read"
  )[];
  /**
   * The networks of which the key is accepted, such as `192.0.2.0/24`. Without any it is accepted from everywhere.
   *
   * @minItems 1
   * @maxItems 20
   */
  networks?: string[];
  /**
   * After how many days the key ends. It cannot be extended.
   */
  expiresInDays?: number;
}
export interface CreateServiceKeyAnswer {
  serviceKeyId: string;
  /**
   * The key. Store it now: it is not shown again.
   */
  key: string;
  /**
   * Epoch milliseconds.
   */
  expiresAt: number;
}
/**
 * An empty object.
 */
export interface RevokeServiceKeyAnswer {}
/**
 * An empty object.
 */
export interface RemoveAccountMemberAnswer {}
export interface SignOutPersonBody {
  /**
   * An e-mail address.
   */
  email: string;
  /**
   * Whether password, passkeys, company sign-ins and authenticator app are removed: a mailed link sets a new password. Service keys of the person end, too.
   */
  removesWays?: boolean;
}
export interface SignOutPersonAnswer {
  /**
   * Sessions that ended.
   */
  ended: number;
  hasPassword: boolean;
  /**
   * How the person can, or could, sign in beside the password.
   */
  ways: {
    kind: "passkey" | "company" | "authenticator";
    name: string;
    createdAt: string;
  }[];
}
export interface RemoveAuthenticatorBody {
  /**
   * An e-mail address.
   */
  email: string;
}
/**
 * An empty object.
 */
export interface RemoveAuthenticatorAnswer {}
export interface SearchAccountsQuery {
  accountId?: string | undefined;
  name?: string | undefined;
  suspended?: "true" | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
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
  priceBook?: string;
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
   * null: the book of the deployment.
   */
  priceBook: string | null;
  /**
   * null: none was agreed.
   */
  discount: {
    /**
     * Hundredths of a per cent.
     */
    basisPoints: number;
    /**
     * Its end.
     */
    until: number;
  } | null;
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
  /**
   * `off`: no test key is issued or accepted. The deployment can switch it off, too.
   */
  testMode: "on" | "off";
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
     * `refused`: the mail server does not take mail to this address. `link`: handed over as a link. `off`: not sent, because no mail server is set.
     */
    mail: "sent" | "waiting" | "refused" | "link" | "off";
    /**
     * Each role includes those after it.
     */
    role: "owner" | "developer" | "viewer";
  }[];
}
export interface ChangeAccountBody {
  name?: string;
  /**
   * null: the book of the deployment.
   */
  priceBook?: string | null;
  /**
   * In place of the one before; null: none from now on.
   */
  discount?: {
    /**
     * Hundredths of a per cent.
     */
    basisPoints: number;
    /**
     * Its end.
     */
    until: number;
  } | null;
  /**
   * Tasks at the same time.
   */
  openTasksMax?: number;
  webhookTailHours?: number;
  testMode?: "on" | "off";
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
export interface ListAccountKeysQuery {
  cursor?: string | undefined;
  limit?: number | undefined;
}
export interface ListAccountKeysAnswer {
  items: Key[];
  /**
   * null on the last page.
   */
  nextCursor: string | null;
}
export interface CreateAccountKeyBody {
  /**
   * A label for your own use.
   */
  name: string;
  /**
   * test: the key belongs to the test account, which runs on the sandbox with credits that nobody paid for.
   */
  mode?: "live" | "test";
  /**
   * What the key may do; null: everything except creating, changing and revoking keys, for which a key needs the scope `keys` by name.
   */
  scopes?: ("tasks" | "assets" | "webhooks" | "account" | "keys" | "read")[] | null;
  /**
   * Which models the key may use; null: all.
   */
  models?:
    ("upscale" | "sd2" | "sd2-fast" | "happyhorse" | "image-pro-2" | "image-plus-2")[] | null;
  /**
   * null: the limit of the deployment.
   */
  requestsPerMinuteMax?: number | null;
  /**
   * The budget: what the tasks of the key may cost in all. null: no limit.
   */
  creditsMax?: number | null;
  /**
   * When the key stops working. null: never.
   */
  expiresAt?: string | null;
}
export interface CreateAccountKeyAnswer {
  keyId: string;
  name: string;
  /**
   * The beginning of the key, to recognise it by.
   */
  hint: string;
  mode: "live" | "test";
  status: "live" | "expired" | "revoked";
  /**
   * null: all except `keys`.
   */
  scopes: ("tasks" | "assets" | "webhooks" | "account" | "keys" | "read")[] | null;
  /**
   * null: all.
   */
  models: string[] | null;
  /**
   * null: the limit of the deployment.
   */
  requestsPerMinuteMax: number | null;
  /**
   * The budget; null: no limit.
   */
  creditsMax: number | null;
  /**
   * The budget minus what the tasks of the key cost or hold; null: no limit.
   */
  creditsLeft: number | null;
  /**
   * Epoch milliseconds.
   */
  createdAt: number;
  createdBy: {
    kind: "person" | "key" | "operator";
    /**
     * Of the person or key.
     */
    id: string | null;
  };
  expiresAt: number | null;
  revokedAt: number | null;
  /**
   * The minute of the last request, in epoch milliseconds. null: never used.
   */
  lastUsedAt: number | null;
  /**
   * The API key. Store it now: it is not shown again.
   */
  key: string;
}
export interface RevokeAccountKeyAnswer {
  keyId: string;
  revoked: true;
}
export interface ListLabelAgreementsQuery {
  cursor?: string | undefined;
  limit?: number | undefined;
}
export interface ListLabelAgreementsAnswer {
  items: LabelAgreement[];
  /**
   * null on the last page.
   */
  nextCursor: string | null;
}
export interface RecordLabelAgreementBody {
  /**
   * Who agreed for the customer: the person, and the name of the company.
   */
  agreedBy: string;
  /**
   * Epoch milliseconds.
   */
  agreedAt: number;
  /**
   * The text that was agreed on. It stays readable, and never changes.
   */
  text: string;
}
export interface RecordLabelAgreementAnswer {
  agreementId: string;
}
export interface ListFreedOutputsQuery {
  cursor?: string | undefined;
  limit?: number | undefined;
}
export interface ListFreedOutputsAnswer {
  items: FreedOutput[];
  /**
   * null on the last page.
   */
  nextCursor: string | null;
}
export interface EndLabelAgreementBody {
  /**
   * Why. Stays in the audit.
   */
  reason: string;
}
/**
 * It is done.
 */
export interface EndLabelAgreementAnswer {}
export interface ListGrantsQuery {
  accountId?: string | undefined;
  pending?: "true" | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
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
  /**
   * Epoch milliseconds. What is left of a grant then expires; without it, it does not. Not of an `adjust`.
   */
  expiresAt?: number;
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
export interface ReadGrantLimitAnswer {
  /**
   * What one person may grant or adjust alone in 24 hours, and one account may get that way; null: there is no limit.
   */
  credits: number | null;
  /**
   * A higher limit that waits for a second person.
   */
  pending: {
    /**
     * What one person may grant or adjust alone in 24 hours, and one account may get that way; null: there is no limit.
     */
    credits: number | null;
    askedBy: StaffActor;
    /**
     * Epoch milliseconds.
     */
    createdAt: number;
  } | null;
}
export interface ChangeGrantLimitBody {
  /**
   * What one person may grant or adjust alone in 24 hours, and one account may get that way; null: there is no limit.
   */
  credits: number | null;
}
export interface ChangeGrantLimitAnswer {
  status: "set" | "pending";
}
/**
 * It is done.
 */
export interface ApproveGrantLimitAnswer {}
/**
 * It is done.
 */
export interface RejectGrantLimitAnswer {}
export interface ReadStaffAuditQuery {
  action?: string | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
  accountId?: string | undefined;
  personId?: string | undefined;
}
export interface ReadStaffAuditAnswer {
  items: StaffAuditEntry[];
  /**
   * null on the last page.
   */
  nextCursor: string | null;
}
export interface SearchTasksQuery {
  taskId?: string | undefined;
  accountId?: string | undefined;
  vendorJobId?: string | undefined;
  sha256?: string | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
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
     * Where a delivery goes.
     */
    url?: string;
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
     * The vendor's response.
     */
    detail?: string | null;
  }[];
}
export interface ListTaskSegmentsAnswer {
  /**
   * Empty unless the task is an upscale that runs.
   */
  items: TaskSegment[];
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
export interface AddVendorAccountBody {
  name: string;
  kind: "ark" | "dashscope" | "openai" | "gemini";
  baseUrl: string;
  /**
   * The key at the vendor. It is stored encrypted and never shown.
   */
  apiKey: string;
  /**
   * Without any: all that it can serve.
   *
   * @minItems 1
   */
  models?: ("sd2" | "sd2-fast" | "happyhorse" | "image-pro-2" | "image-plus-2")[];
  weight?: number;
  openJobsMax?: number | null;
  creditsPerDayMax?: number | null;
  /**
   * More settings of the kind, such as `pollsPerSecond`.
   */
  settings?: {
    [k: string]: unknown;
  };
  /**
   * For test keys.
   */
  isTest?: boolean;
  /**
   * Whether the key is stored without a test call, which costs nothing.
   */
  unchecked?: boolean;
}
export interface AddVendorAccountAnswer {
  /**
   * What the test call saw, in words.
   */
  result: string;
}
export interface RotateVendorAccountBody {
  /**
   * The key at the vendor. It is stored encrypted and never shown.
   */
  apiKey: string;
  /**
   * Whether the key is stored without a test call, which costs nothing.
   */
  unchecked?: boolean;
}
export interface RotateVendorAccountAnswer {
  /**
   * What the test call saw, in words.
   */
  result: string;
}
/**
 * It is done.
 */
export interface RemoveVendorAccountAnswer {}
export interface LimitVendorAccountBody {
  /**
   * null: no limit. Left out: as it is.
   */
  openJobsMax?: number | null;
  /**
   * null: no limit. Left out: as it is.
   */
  creditsPerDayMax?: number | null;
  /**
   * Why. Stays in the audit.
   */
  reason?: string;
}
/**
 * It is done.
 */
export interface LimitVendorAccountAnswer {}
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
export interface ListCostBooksAnswer {
  items: CostBook[];
}
export interface ListCostsQuery {
  cursor?: string | undefined;
  limit?: number | undefined;
}
export interface ListCostsAnswer {
  items: CostVersion[];
  /**
   * null on the last page.
   */
  nextCursor: string | null;
}
export interface PublishCostsBody {
  document: CostDocumentInput;
  /**
   * The version counts for submits from then on; left out: from now on. A time in the past corrects the versions before for submits that are recorded later, not those that have been counted.
   */
  validFrom?: number;
  /**
   * Why. Stays in the audit.
   */
  reason: string;
}
export interface PublishCostsAnswer {
  version: number;
  /**
   * The version counts for submits from then on.
   */
  validFrom: number;
}
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
   * false: more than 20,000 deliveries are open or were given up; only as many are counted here.
   */
  isComplete: boolean;
  /**
   * The 100 hosts with the most failing deliveries.
   */
  items: FailingHost[];
  /**
   * The 100 webhook endpoints that fail for the longest time; a paused one for a day after its last attempt.
   */
  endpoints: FailingEndpoint[];
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
   * The version of the process that responds.
   */
  version: string;
  /**
   * What the process that responds can reach.
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
export interface ListEnginePartitionsAnswer {
  items: EnginePartition[];
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
export interface ListPriceBooksAnswer {
  items: PriceBookSummary[];
}
export interface CreatePriceBookBody {
  book: string;
  description?: string;
}
/**
 * It is done.
 */
export interface CreatePriceBookAnswer {}
export interface ReadPriceBookAnswer {
  book: string;
  description: string;
  /**
   * The rates that each model needs, in the order in which to show them.
   */
  models: {
    model: string;
    title: string;
    rateKeys: string[];
  }[];
  /**
   * Newest first.
   */
  versions: PriceVersion[];
  /**
   * That of the version in force; null: there is none.
   */
  document: PriceDocument | null;
  draft: PriceDraft | null;
}
export interface ReadPriceVersionAnswer {
  document: PriceDocument;
}
export interface PreviewPricesQuery {
  days?: number | undefined;
}
export interface PreviewPricesAnswer {
  items: PricePreviewRow[];
}
export interface WritePriceDraftBody {
  document: PriceDocumentInput;
}
/**
 * It is done.
 */
export interface WritePriceDraftAnswer {}
/**
 * It is done.
 */
export interface DropPriceDraftAnswer {}
export interface PublishPricesBody {
  /**
   * When it begins, at least 60 s ahead.
   */
  validFrom: number;
  /**
   * Why. It stays with the version.
   */
  reason: string;
}
export interface PublishPricesAnswer {
  /**
   * `pending`: it waits for a second person.
   */
  status: "published" | "pending";
  version: number | null;
}
export interface ApprovePricesAnswer {
  /**
   * `pending`: it waits for a second person.
   */
  status: "published" | "pending";
  version: number | null;
}
/**
 * It is done.
 */
export interface RejectPricesAnswer {}
