// Generated from docs/generated/openapi.json by `npm run generate`. Do not edit.

export type CreateTaskBody =
  Sd2TaskInput | Sd2FastTaskInput | HappyhorseTaskInput | ImagePro2TaskInput | ImagePlus2TaskInput;
export type QuoteTaskBody =
  Sd2TaskInput | Sd2FastTaskInput | HappyhorseTaskInput | ImagePro2TaskInput | ImagePlus2TaskInput;
export type ProveBody =
  | {
      password: string;
    }
  | {
      /**
       * A code of the authenticator app, six digits, or a recovery code.
       */
      code: string;
    }
  | {
      credential: {
        id: string;
        rawId: string;
        type: "public-key";
        response: {
          clientDataJSON: string;
          authenticatorData: string;
          signature: string;
          userHandle: string;
        };
        clientExtensionResults: {};
      };
    };
export type DeliverAgainBody =
  | {
      deliveryId: string;
    }
  | {
      from: string;
      to: string;
      outcome?: "delivered" | "failed";
      /**
       * Only deliveries to this endpoint.
       */
      endpointId?: string;
    };

export interface Schemas {
  DeclarationInput: DeclarationInput;
  Sd2TextToVideoInput: Sd2TextToVideoInput;
  Sd2ImageToVideoInput: Sd2ImageToVideoInput;
  Sd2KeyframeInput: Sd2KeyframeInput;
  Sd2ReferenceInput: Sd2ReferenceInput;
  Sd2TaskInput: Sd2TaskInput;
  Sd2FastTextToVideoInput: Sd2FastTextToVideoInput;
  Sd2FastImageToVideoInput: Sd2FastImageToVideoInput;
  Sd2FastKeyframeInput: Sd2FastKeyframeInput;
  Sd2FastReferenceInput: Sd2FastReferenceInput;
  Sd2FastTaskInput: Sd2FastTaskInput;
  HappyhorseTextToVideoInput: HappyhorseTextToVideoInput;
  HappyhorseImageToVideoInput: HappyhorseImageToVideoInput;
  HappyhorseReferenceToVideoInput: HappyhorseReferenceToVideoInput;
  HappyhorseTaskInput: HappyhorseTaskInput;
  ImagePro2TextToImageInput: ImagePro2TextToImageInput;
  ImagePro2EditInput: ImagePro2EditInput;
  ImagePro2TaskInput: ImagePro2TaskInput;
  ImagePlus2TextToImageInput: ImagePlus2TextToImageInput;
  ImagePlus2EditInput: ImagePlus2EditInput;
  ImagePlus2TaskInput: ImagePlus2TaskInput;
  GenerationTask: GenerationTask;
  Model: Model;
  Upscaler: Upscaler;
  UpscaleTask: UpscaleTask;
  WebhookEndpoint: WebhookEndpoint;
  Key: Key;
  AuditEntry: AuditEntry;
  Transfer: Transfer;
  LoggedRequest: LoggedRequest;
  Banner: Banner;
  TimelineEntry: TimelineEntry;
  Verification: Verification;
  Asset: Asset;
  Upload: Upload;
  UsageItem: UsageItem;
  ListedGenerationTask: ListedGenerationTask;
  ListedUpscaleTask: ListedUpscaleTask;
  Delivery: Delivery;
  Event: Event;
  CreateTaskBody: CreateTaskBody;
  CreateTaskAnswer: CreateTaskAnswer;
  QuoteTaskBody: QuoteTaskBody;
  QuoteTaskAnswer: QuoteTaskAnswer;
  DeleteMediaQuery: DeleteMediaQuery;
  DeleteMediaAnswer: DeleteMediaAnswer;
  QueryTaskQuery: QueryTaskQuery;
  ListTasksQuery: ListTasksQuery;
  ListTasksAnswer: ListTasksAnswer;
  QueryTasksBody: QueryTasksBody;
  QueryTasksAnswer: QueryTasksAnswer;
  ReadTimelineQuery: ReadTimelineQuery;
  ReadTimelineAnswer: ReadTimelineAnswer;
  ReadRequestQuery: ReadRequestQuery;
  ReadRequestAnswer: ReadRequestAnswer;
  ListModelsAnswer: ListModelsAnswer;
  CreateUpscaleBody: CreateUpscaleBody;
  CreateUpscaleAnswer: CreateUpscaleAnswer;
  QuoteUpscaleBody: QuoteUpscaleBody;
  QuoteUpscaleAnswer: QuoteUpscaleAnswer;
  QueryUpscaleQuery: QueryUpscaleQuery;
  UploadAssetBody: UploadAssetBody;
  ReadAssetQuery: ReadAssetQuery;
  ListAssetsQuery: ListAssetsQuery;
  ListAssetsAnswer: ListAssetsAnswer;
  ReadDeclarationQuery: ReadDeclarationQuery;
  ReadDeclarationAnswer: ReadDeclarationAnswer;
  DeleteAssetQuery: DeleteAssetQuery;
  DeleteAssetAnswer: DeleteAssetAnswer;
  CreateUploadBody: CreateUploadBody;
  ReadUploadQuery: ReadUploadQuery;
  CompleteUploadBody: CompleteUploadBody;
  ReadCreditsAnswer: ReadCreditsAnswer;
  ReadLedgerQuery: ReadLedgerQuery;
  ReadLedgerAnswer: ReadLedgerAnswer;
  ReadAuditQuery: ReadAuditQuery;
  ReadAuditAnswer: ReadAuditAnswer;
  ListRequestsQuery: ListRequestsQuery;
  ListRequestsAnswer: ListRequestsAnswer;
  ReadLabelAgreementAnswer: ReadLabelAgreementAnswer;
  ReadUsageQuery: ReadUsageQuery;
  ReadUsageAnswer: ReadUsageAnswer;
  ListKeysQuery: ListKeysQuery;
  ListKeysAnswer: ListKeysAnswer;
  CreateKeyBody: CreateKeyBody;
  CreateKeyAnswer: CreateKeyAnswer;
  ChangeKeyQuery: ChangeKeyQuery;
  ChangeKeyBody: ChangeKeyBody;
  RevokeKeyQuery: RevokeKeyQuery;
  RevokeKeyAnswer: RevokeKeyAnswer;
  SignInBody: SignInBody;
  SignInAnswer: SignInAnswer;
  SignOutAnswer: SignOutAnswer;
  PassSecondFactorBody: PassSecondFactorBody;
  PassSecondFactorAnswer: PassSecondFactorAnswer;
  ReadTotpAnswer: ReadTotpAnswer;
  EnrolTotpAnswer: EnrolTotpAnswer;
  DisableTotpAnswer: DisableTotpAnswer;
  ConfirmTotpBody: ConfirmTotpBody;
  ConfirmTotpAnswer: ConfirmTotpAnswer;
  RenewRecoveryCodesAnswer: RenewRecoveryCodesAnswer;
  BeginPasskeySignInAnswer: BeginPasskeySignInAnswer;
  SignInWithPasskeyBody: SignInWithPasskeyBody;
  SignInWithPasskeyAnswer: SignInWithPasskeyAnswer;
  ListPasskeysAnswer: ListPasskeysAnswer;
  AddPasskeyBody: AddPasskeyBody;
  AddPasskeyAnswer: AddPasskeyAnswer;
  RemovePasskeyQuery: RemovePasskeyQuery;
  RemovePasskeyAnswer: RemovePasskeyAnswer;
  BeginPasskeyAnswer: BeginPasskeyAnswer;
  ListProofsAnswer: ListProofsAnswer;
  ProveBody: ProveBody;
  ProveAnswer: ProveAnswer;
  BeginPasskeyProofAnswer: BeginPasskeyProofAnswer;
  BeginOidcProofBody: BeginOidcProofBody;
  BeginOidcProofAnswer: BeginOidcProofAnswer;
  ListSignInMethodsAnswer: ListSignInMethodsAnswer;
  BeginOidcSignInBody: BeginOidcSignInBody;
  BeginOidcSignInAnswer: BeginOidcSignInAnswer;
  ListIdentitiesAnswer: ListIdentitiesAnswer;
  LinkIdentityBody: LinkIdentityBody;
  LinkIdentityAnswer: LinkIdentityAnswer;
  UnlinkIdentityQuery: UnlinkIdentityQuery;
  UnlinkIdentityAnswer: UnlinkIdentityAnswer;
  RequestPasswordResetBody: RequestPasswordResetBody;
  RequestPasswordResetAnswer: RequestPasswordResetAnswer;
  ResetPasswordBody: ResetPasswordBody;
  ResetPasswordAnswer: ResetPasswordAnswer;
  ConfirmEmailBody: ConfirmEmailBody;
  ConfirmEmailAnswer: ConfirmEmailAnswer;
  ReadInvitationBody: ReadInvitationBody;
  ReadInvitationAnswer: ReadInvitationAnswer;
  AcceptInvitationBody: AcceptInvitationBody;
  AcceptInvitationAnswer: AcceptInvitationAnswer;
  ReadMeAnswer: ReadMeAnswer;
  ChangeMeBody: ChangeMeBody;
  ChangeMeAnswer: ChangeMeAnswer;
  ChangePasswordBody: ChangePasswordBody;
  ChangePasswordAnswer: ChangePasswordAnswer;
  RequestEmailChangeBody: RequestEmailChangeBody;
  RequestEmailChangeAnswer: RequestEmailChangeAnswer;
  ListSessionsAnswer: ListSessionsAnswer;
  EndSessionQuery: EndSessionQuery;
  EndSessionAnswer: EndSessionAnswer;
  EndOtherSessionsAnswer: EndOtherSessionsAnswer;
  ListMembersAnswer: ListMembersAnswer;
  ChangeMemberBody: ChangeMemberBody;
  ChangeMemberAnswer: ChangeMemberAnswer;
  RemoveMemberQuery: RemoveMemberQuery;
  RemoveMemberAnswer: RemoveMemberAnswer;
  LeaveAccountAnswer: LeaveAccountAnswer;
  ListInvitationsAnswer: ListInvitationsAnswer;
  InviteMemberBody: InviteMemberBody;
  InviteMemberAnswer: InviteMemberAnswer;
  RevokeInvitationQuery: RevokeInvitationQuery;
  RevokeInvitationAnswer: RevokeInvitationAnswer;
  ListDeliveriesQuery: ListDeliveriesQuery;
  ListDeliveriesAnswer: ListDeliveriesAnswer;
  ReadDeliveryQuery: ReadDeliveryQuery;
  ReadDeliveryAnswer: ReadDeliveryAnswer;
  DeliverAgainBody: DeliverAgainBody;
  DeliverAgainAnswer: DeliverAgainAnswer;
  SendTestEventBody: SendTestEventBody;
  SendTestEventAnswer: SendTestEventAnswer;
  ReadEventsQuery: ReadEventsQuery;
  ReadEventsAnswer: ReadEventsAnswer;
  ReadWebhookSecretAnswer: ReadWebhookSecretAnswer;
  RotateWebhookSecretBody: RotateWebhookSecretBody;
  RotateWebhookSecretAnswer: RotateWebhookSecretAnswer;
  ListEndpointsAnswer: ListEndpointsAnswer;
  CreateEndpointBody: CreateEndpointBody;
  CreateEndpointAnswer: CreateEndpointAnswer;
  ChangeEndpointQuery: ChangeEndpointQuery;
  ChangeEndpointBody: ChangeEndpointBody;
  ChangeEndpointAnswer: ChangeEndpointAnswer;
  DeleteEndpointQuery: DeleteEndpointQuery;
  DeleteEndpointAnswer: DeleteEndpointAnswer;
  ReadEndpointSecretQuery: ReadEndpointSecretQuery;
  ReadEndpointSecretAnswer: ReadEndpointSecretAnswer;
  RotateEndpointSecretQuery: RotateEndpointSecretQuery;
  RotateEndpointSecretBody: RotateEndpointSecretBody;
  RotateEndpointSecretAnswer: RotateEndpointSecretAnswer;
  ReadAlertsAnswer: ReadAlertsAnswer;
  ChangeAlertsBody: ChangeAlertsBody;
  ChangeAlertsAnswer: ChangeAlertsAnswer;
  VerifySha256Query: VerifySha256Query;
  CallMcpBody: CallMcpBody;
  CallMcpAnswer: CallMcpAnswer;
  ReadBannerAnswer: ReadBannerAnswer;
  ListPackagesAnswer: ListPackagesAnswer;
}
/**
 * What you declare about the real people that the file shows. Reviewers read it.
 */
export interface DeclarationInput {
  /**
   * Who is shown: names, or how they are called.
   */
  people: string;
  /**
   * What they agreed to.
   */
  purpose: string;
  /**
   * The signed form: the uploadId of a direct upload of type DOCUMENT whose chunks have all been received.
   */
  formUploadId?: string | null;
}
/**
 * When: no urls.
 */
export interface Sd2TextToVideoInput {
  /**
   * Description of the video.
   */
  prompt: string;
  /**
   * Length of the video: whole seconds as text, with or without an 's', or as a number.
   */
  duration?: string;
  /**
   * Selects the aspect ratio. If omitted, the model chooses it.
   */
  resolution?: "720x720" | "720x960" | "960x720" | "1280x720" | "720x1280" | "1280x540";
  /**
   * Resolution that the model renders.
   */
  outputResolution?: "720p" | "1080p";
  /**
   * Upscales the rendered video. Must be higher than outputResolution and than the resolution that is rendered.
   */
  upscaleResolution?: "1080p" | "2k" | "4k";
  /**
   * Random if omitted or -1.
   */
  seed?: number;
  /**
   * Whether to generate synchronized audio. false gives a silent video.
   */
  generateAudio?: boolean;
}
/**
 * When: 1 url and no videoInputMode.
 */
export interface Sd2ImageToVideoInput {
  /**
   * Description of the motion.
   */
  prompt?: string;
  /**
   * The first frame.
   *
   * @minItems 1
   * @maxItems 1
   *
   * Items: A public http or https URL, asset://<upstreamAssetId>, or an output of a task: task://<taskId>/<index> or its link.
   */
  urls: string[];
  /**
   * Length of the video: whole seconds as text, with or without an 's', or as a number.
   */
  duration?: string;
  /**
   * Selects the aspect ratio. If omitted, the model chooses it.
   */
  resolution?: "720x720" | "720x960" | "960x720" | "1280x720" | "720x1280" | "1280x540";
  /**
   * Resolution that the model renders.
   */
  outputResolution?: "720p" | "1080p";
  /**
   * Upscales the rendered video. Must be higher than outputResolution and than the resolution that is rendered.
   */
  upscaleResolution?: "1080p" | "2k" | "4k";
  /**
   * Random if omitted or -1.
   */
  seed?: number;
  /**
   * Whether to generate synchronized audio. false gives a silent video.
   */
  generateAudio?: boolean;
}
/**
 * When: 2 urls and videoInputMode 'keyframe' or omitted.
 */
export interface Sd2KeyframeInput {
  /**
   * Description of the motion between the frames.
   */
  prompt?: string;
  /**
   * First and last frame.
   *
   * @minItems 2
   * @maxItems 2
   *
   * Items: A public http or https URL, asset://<upstreamAssetId>, or an output of a task: task://<taskId>/<index> or its link.
   */
  urls: string[];
  /**
   * Selects this mode.
   */
  videoInputMode?: "keyframe";
  /**
   * Length of the video: whole seconds as text, with or without an 's', or as a number.
   */
  duration?: string;
  /**
   * Selects the aspect ratio. If omitted, the model chooses it.
   */
  resolution?: "720x720" | "720x960" | "960x720" | "1280x720" | "720x1280" | "1280x540";
  /**
   * Resolution that the model renders.
   */
  outputResolution?: "720p" | "1080p";
  /**
   * Upscales the rendered video. Must be higher than outputResolution and than the resolution that is rendered.
   */
  upscaleResolution?: "1080p" | "2k" | "4k";
  /**
   * Random if omitted or -1.
   */
  seed?: number;
  /**
   * Whether to generate synchronized audio. false gives a silent video.
   */
  generateAudio?: boolean;
}
/**
 * When: videoInputMode 'reference'.
 */
export interface Sd2ReferenceInput {
  /**
   * Description of the video. Refer to the references by kind and number, such as 'image 1'.
   */
  prompt?: string;
  /**
   * Selects this mode.
   */
  videoInputMode: "reference";
  /**
   * Reference images.
   *
   * @minItems 1
   * @maxItems 9
   *
   * Items: A public http or https URL, asset://<upstreamAssetId>, or an output of a task: task://<taskId>/<index> or its link.
   */
  urls?: string[];
  /**
   * Reference videos. Their duration counts towards the price.
   *
   * @minItems 1
   * @maxItems 3
   *
   * Items: asset://<upstreamAssetId> of an uploaded video, or of an output that was saved to the library.
   */
  videoUrls?: string[];
  /**
   * Reference audio files. Requires at least one reference image or video.
   *
   * @minItems 1
   * @maxItems 3
   *
   * Items: A public http or https URL, or asset://<upstreamAssetId>.
   */
  audioUrls?: string[];
  /**
   * Length of the video: whole seconds as text, with or without an 's', or as a number.
   */
  duration?: string;
  /**
   * Selects the aspect ratio.
   */
  resolution: "720x720" | "720x960" | "960x720" | "1280x720" | "720x1280" | "1280x540";
  /**
   * Resolution that the model renders.
   */
  outputResolution?: "720p" | "1080p";
  /**
   * Upscales the rendered video. Must be higher than outputResolution and than the resolution that is rendered.
   */
  upscaleResolution?: "1080p" | "2k" | "4k";
  /**
   * Random if omitted or -1.
   */
  seed?: number;
  /**
   * Whether to generate synchronized audio. false gives a silent video.
   */
  generateAudio?: boolean;
}
export interface Sd2TaskInput {
  model: "sd2";
  inputs: Sd2TextToVideoInput | Sd2ImageToVideoInput | Sd2KeyframeInput | Sd2ReferenceInput;
  /**
   * Called when the task is COMPLETED or FAILED. A public http or https URL.
   */
  callBackUrl?: string | null;
  /**
   * Refuse the task with 402 if its price exceeds this.
   */
  maxCredits?: number | null;
  /**
   * The priceVersion of a quote: pays by it while it is in force and for 15 minutes after its end. Later the request is refused with 409 price_changed.
   */
  priceVersion?: string | null;
}
/**
 * When: no urls.
 */
export interface Sd2FastTextToVideoInput {
  /**
   * Description of the video.
   */
  prompt: string;
  /**
   * Length of the video: whole seconds as text, with or without an 's', or as a number.
   */
  duration?: string;
  /**
   * Selects the aspect ratio. If omitted, the model chooses it.
   */
  resolution?: "720x720" | "720x960" | "960x720" | "1280x720" | "720x1280" | "1280x540";
  /**
   * Resolution that the model renders.
   */
  outputResolution?: "720p";
  /**
   * Upscales the rendered video. Must be higher than outputResolution and than the resolution that is rendered.
   */
  upscaleResolution?: "1080p" | "2k" | "4k";
  /**
   * Random if omitted or -1.
   */
  seed?: number;
  /**
   * Whether to generate synchronized audio. false gives a silent video.
   */
  generateAudio?: boolean;
}
/**
 * When: 1 url and no videoInputMode.
 */
export interface Sd2FastImageToVideoInput {
  /**
   * Description of the motion.
   */
  prompt?: string;
  /**
   * The first frame.
   *
   * @minItems 1
   * @maxItems 1
   *
   * Items: A public http or https URL, asset://<upstreamAssetId>, or an output of a task: task://<taskId>/<index> or its link.
   */
  urls: string[];
  /**
   * Length of the video: whole seconds as text, with or without an 's', or as a number.
   */
  duration?: string;
  /**
   * Selects the aspect ratio. If omitted, the model chooses it.
   */
  resolution?: "720x720" | "720x960" | "960x720" | "1280x720" | "720x1280" | "1280x540";
  /**
   * Resolution that the model renders.
   */
  outputResolution?: "720p";
  /**
   * Upscales the rendered video. Must be higher than outputResolution and than the resolution that is rendered.
   */
  upscaleResolution?: "1080p" | "2k" | "4k";
  /**
   * Random if omitted or -1.
   */
  seed?: number;
  /**
   * Whether to generate synchronized audio. false gives a silent video.
   */
  generateAudio?: boolean;
}
/**
 * When: 2 urls and videoInputMode 'keyframe' or omitted.
 */
export interface Sd2FastKeyframeInput {
  /**
   * Description of the motion between the frames.
   */
  prompt?: string;
  /**
   * First and last frame.
   *
   * @minItems 2
   * @maxItems 2
   *
   * Items: A public http or https URL, asset://<upstreamAssetId>, or an output of a task: task://<taskId>/<index> or its link.
   */
  urls: string[];
  /**
   * Selects this mode.
   */
  videoInputMode?: "keyframe";
  /**
   * Length of the video: whole seconds as text, with or without an 's', or as a number.
   */
  duration?: string;
  /**
   * Selects the aspect ratio. If omitted, the model chooses it.
   */
  resolution?: "720x720" | "720x960" | "960x720" | "1280x720" | "720x1280" | "1280x540";
  /**
   * Resolution that the model renders.
   */
  outputResolution?: "720p";
  /**
   * Upscales the rendered video. Must be higher than outputResolution and than the resolution that is rendered.
   */
  upscaleResolution?: "1080p" | "2k" | "4k";
  /**
   * Random if omitted or -1.
   */
  seed?: number;
  /**
   * Whether to generate synchronized audio. false gives a silent video.
   */
  generateAudio?: boolean;
}
/**
 * When: videoInputMode 'reference'.
 */
export interface Sd2FastReferenceInput {
  /**
   * Description of the video. Refer to the references by kind and number, such as 'image 1'.
   */
  prompt?: string;
  /**
   * Selects this mode.
   */
  videoInputMode: "reference";
  /**
   * Reference images.
   *
   * @minItems 1
   * @maxItems 9
   *
   * Items: A public http or https URL, asset://<upstreamAssetId>, or an output of a task: task://<taskId>/<index> or its link.
   */
  urls?: string[];
  /**
   * Reference videos. Their duration counts towards the price.
   *
   * @minItems 1
   * @maxItems 3
   *
   * Items: asset://<upstreamAssetId> of an uploaded video, or of an output that was saved to the library.
   */
  videoUrls?: string[];
  /**
   * Reference audio files. Requires at least one reference image or video.
   *
   * @minItems 1
   * @maxItems 3
   *
   * Items: A public http or https URL, or asset://<upstreamAssetId>.
   */
  audioUrls?: string[];
  /**
   * Length of the video: whole seconds as text, with or without an 's', or as a number.
   */
  duration?: string;
  /**
   * Selects the aspect ratio.
   */
  resolution: "720x720" | "720x960" | "960x720" | "1280x720" | "720x1280" | "1280x540";
  /**
   * Resolution that the model renders.
   */
  outputResolution?: "720p";
  /**
   * Upscales the rendered video. Must be higher than outputResolution and than the resolution that is rendered.
   */
  upscaleResolution?: "1080p" | "2k" | "4k";
  /**
   * Random if omitted or -1.
   */
  seed?: number;
  /**
   * Whether to generate synchronized audio. false gives a silent video.
   */
  generateAudio?: boolean;
}
export interface Sd2FastTaskInput {
  model: "sd2-fast";
  inputs:
    | Sd2FastTextToVideoInput
    | Sd2FastImageToVideoInput
    | Sd2FastKeyframeInput
    | Sd2FastReferenceInput;
  /**
   * Called when the task is COMPLETED or FAILED. A public http or https URL.
   */
  callBackUrl?: string | null;
  /**
   * Refuse the task with 402 if its price exceeds this.
   */
  maxCredits?: number | null;
  /**
   * The priceVersion of a quote: pays by it while it is in force and for 15 minutes after its end. Later the request is refused with 409 price_changed.
   */
  priceVersion?: string | null;
}
/**
 * When: no urls.
 */
export interface HappyhorseTextToVideoInput {
  /**
   * Description of the video.
   */
  prompt: string;
  /**
   * Length of the video: whole seconds as text, with or without an 's', or as a number.
   */
  duration?: string;
  /**
   * Resolution that the model renders.
   */
  outputResolution?: "720p" | "1080p";
  /**
   * Upscales the rendered video. Must be higher than outputResolution and than the resolution that is rendered.
   */
  upscaleResolution?: "1080p" | "2k" | "4k";
  /**
   * Aspect ratio of the video.
   */
  ratio?: "16:9" | "9:16" | "1:1" | "4:3" | "3:4";
  /**
   * Random if omitted.
   */
  seed?: number;
}
/**
 * When: 1 url and no videoWorkflowTab.
 */
export interface HappyhorseImageToVideoInput {
  /**
   * Description of the motion.
   */
  prompt?: string;
  /**
   * The first frame.
   *
   * @minItems 1
   * @maxItems 1
   *
   * Items: A public https URL, asset://<upstreamAssetId>, or an output of a task: task://<taskId>/<index> or its link.
   */
  urls: string[];
  /**
   * Length of the video: whole seconds as text, with or without an 's', or as a number.
   */
  duration?: string;
  /**
   * Resolution that the model renders.
   */
  outputResolution?: "720p" | "1080p";
  /**
   * Upscales the rendered video. Must be higher than outputResolution and than the resolution that is rendered.
   */
  upscaleResolution?: "1080p" | "2k" | "4k";
  /**
   * Has no effect: the video has the aspect ratio of the first frame.
   */
  ratio?: "16:9" | "9:16" | "1:1" | "4:3" | "3:4";
  /**
   * Random if omitted.
   */
  seed?: number;
}
/**
 * When: videoWorkflowTab 'multi-reference'.
 */
export interface HappyhorseReferenceToVideoInput {
  /**
   * Description of the video. character1, character2, … refer to the urls in order.
   */
  prompt: string;
  /**
   * Reference images.
   *
   * @minItems 1
   * @maxItems 9
   *
   * Items: A public https URL, asset://<upstreamAssetId>, or an output of a task: task://<taskId>/<index> or its link.
   */
  urls: string[];
  /**
   * Selects this mode.
   */
  videoWorkflowTab: "multi-reference";
  /**
   * Length of the video: whole seconds as text, with or without an 's', or as a number.
   */
  duration?: string;
  /**
   * Resolution that the model renders.
   */
  outputResolution?: "720p" | "1080p";
  /**
   * Upscales the rendered video. Must be higher than outputResolution and than the resolution that is rendered.
   */
  upscaleResolution?: "1080p" | "2k" | "4k";
  /**
   * Aspect ratio of the video.
   */
  ratio?: "16:9" | "9:16" | "1:1" | "4:3" | "3:4";
  /**
   * Random if omitted.
   */
  seed?: number;
}
export interface HappyhorseTaskInput {
  model: "happyhorse";
  inputs:
    HappyhorseTextToVideoInput | HappyhorseImageToVideoInput | HappyhorseReferenceToVideoInput;
  /**
   * Called when the task is COMPLETED or FAILED. A public http or https URL.
   */
  callBackUrl?: string | null;
  /**
   * Refuse the task with 402 if its price exceeds this.
   */
  maxCredits?: number | null;
  /**
   * The priceVersion of a quote: pays by it while it is in force and for 15 minutes after its end. Later the request is refused with 409 price_changed.
   */
  priceVersion?: string | null;
}
/**
 * When: no urls.
 */
export interface ImagePro2TextToImageInput {
  /**
   * Description of the image.
   */
  prompt: string;
  /**
   * Rendering quality.
   */
  quality?: "medium" | "high";
  /**
   * Resolution of the image.
   */
  resolution?: "1k" | "2k" | "4k";
  /**
   * Aspect ratio of the image.
   */
  aspectRatio?: "1:1" | "16:9" | "9:16" | "4:3" | "3:4";
  /**
   * File format of the image.
   */
  outputFormat?: "png" | "jpeg" | "webp";
}
/**
 * When: 1 or more urls.
 */
export interface ImagePro2EditInput {
  /**
   * Edit instruction for the reference images.
   */
  prompt: string;
  /**
   * Reference images.
   *
   * @minItems 1
   * @maxItems 10
   *
   * Items: A public https URL, asset://<upstreamAssetId>, or an output of a task: task://<taskId>/<index> or its link.
   */
  urls: string[];
  /**
   * Rendering quality.
   */
  quality?: "medium" | "high";
  /**
   * Resolution of the image.
   */
  resolution?: "1k" | "2k" | "4k";
  /**
   * Aspect ratio of the image.
   */
  aspectRatio?: "1:1" | "16:9" | "9:16" | "4:3" | "3:4";
  /**
   * File format of the image.
   */
  outputFormat?: "png" | "jpeg" | "webp";
}
export interface ImagePro2TaskInput {
  model: "image-pro-2";
  inputs: ImagePro2TextToImageInput | ImagePro2EditInput;
  /**
   * Called when the task is COMPLETED or FAILED. A public http or https URL.
   */
  callBackUrl?: string | null;
  /**
   * Refuse the task with 402 if its price exceeds this.
   */
  maxCredits?: number | null;
  /**
   * The priceVersion of a quote: pays by it while it is in force and for 15 minutes after its end. Later the request is refused with 409 price_changed.
   */
  priceVersion?: string | null;
}
/**
 * When: no urls.
 */
export interface ImagePlus2TextToImageInput {
  /**
   * Description of the image.
   */
  prompt: string;
  /**
   * Resolution of the image.
   */
  resolution?: "1k" | "2k" | "4k";
  /**
   * Aspect ratio of the image.
   */
  aspectRatio?: "1:1" | "16:9" | "9:16" | "4:3" | "3:4" | "3:2" | "2:3" | "4:5" | "5:4" | "21:9";
}
/**
 * When: 1 or more urls.
 */
export interface ImagePlus2EditInput {
  /**
   * Edit instruction for the reference images.
   */
  prompt: string;
  /**
   * Reference images.
   *
   * @minItems 1
   * @maxItems 10
   *
   * Items: A public https URL, asset://<upstreamAssetId>, or an output of a task: task://<taskId>/<index> or its link.
   */
  urls: string[];
  /**
   * Resolution of the image.
   */
  resolution?: "1k" | "2k" | "4k";
  /**
   * Aspect ratio of the image.
   */
  aspectRatio?: "1:1" | "16:9" | "9:16" | "4:3" | "3:4" | "3:2" | "2:3" | "4:5" | "5:4" | "21:9";
}
export interface ImagePlus2TaskInput {
  model: "image-plus-2";
  inputs: ImagePlus2TextToImageInput | ImagePlus2EditInput;
  /**
   * Called when the task is COMPLETED or FAILED. A public http or https URL.
   */
  callBackUrl?: string | null;
  /**
   * Refuse the task with 402 if its price exceeds this.
   */
  maxCredits?: number | null;
  /**
   * The priceVersion of a quote: pays by it while it is in force and for 15 minutes after its end. Later the request is refused with 409 price_changed.
   */
  priceVersion?: string | null;
}
export interface GenerationTask {
  taskId: string;
  model: string;
  status: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";
  /**
   * The price of the task; 0 once it has failed and the hold is released.
   */
  creditsUsed: number;
  /**
   * null unless COMPLETED.
   */
  output:
    | {
        url: string;
        width: number;
        height: number;
        /**
         * The link works until then. After you deleted the media, the time of that. Epoch milliseconds.
         */
        expiresAt: number | null;
        /**
         * Such as video/mp4 or image/png.
         */
        mediaType: string;
        sizeBytes: number;
        /**
         * null for an image.
         */
        durationSeconds: number | null;
        /**
         * A small WebP of the output, of at most 480 pixels a side, for as long as the output. null where there is none.
         */
        posterUrl: string | null;
        /**
         * ThumbHash of the poster in base64, to show while it loads.
         */
        thumbhash: string | null;
        /**
         * The marks in the file that say that a model made it: visible, a text that viewers see; aigc, the implicit label of GB 45438; c2pa, a signed manifest. Do not remove them.
         */
        labels: ("visible" | "aigc" | "c2pa")[];
      }[]
    | null;
  /**
   * Error message; null unless FAILED.
   */
  error: string | null;
  /**
   * Stable error code from the error catalogue; null unless FAILED.
   */
  errorCode: string | null;
  /**
   * Where the task deviates from the request; omitted if it does not.
   */
  notes?: {
    param: string;
    message: string;
  }[];
  /**
   * Epoch milliseconds.
   */
  createTime: number;
  /**
   * null until COMPLETED or FAILED.
   */
  completeTime: number | null;
}
export interface Model {
  model: string;
  kind: "video" | "image";
  /**
   * Name for display.
   */
  title: string;
  summary: string;
  /**
   * null unless the model is deprecated.
   */
  deprecation: {
    /**
     * Date of the announcement.
     */
    since: string;
    /**
     * Date from which the model is no longer available.
     */
    sunset: string;
    /**
     * URL with migration instructions.
     */
    link: string;
  } | null;
  modes: {
    mode: string;
    /**
     * Name for display.
     */
    title: string;
    description: string;
    /**
     * The inputs that select this mode.
     */
    when: string;
  }[];
  /**
   * JSON Schema of `inputs`: one alternative per mode, titled with its name. Its `x-` keywords describe a form.
   */
  inputs: {
    [k: string]: unknown;
  };
  prices:
    | {
        formula: string;
        seconds: {
          outputResolution: string;
          creditsPerSecond: number;
          creditsPerSecondWithVideo: number | null;
        }[];
        upscale: {
          upscaleResolution: string;
          creditsPerSecond: number;
        }[];
      }
    | {
        formula: string;
        images: {
          resolution: string;
          quality: string | null;
          creditsPerImage: number;
        }[];
      };
  /**
   * A task that reaches this age fails and is not charged.
   */
  ageMaxSeconds: number;
}
export interface Upscaler {
  formula: string;
  targets: {
    targetResolution: string;
    /**
     * Short side of the output in pixels.
     */
    shortSide: number;
    creditsPerSecond: number;
  }[];
  /**
   * Shorter videos cost as much as this.
   */
  secondsBilledMin: number;
  /**
   * The most seconds a source may have, counted as for its price.
   */
  secondsMax: number;
  /**
   * Of a video with more frames a second, the frames divided by this count as its seconds.
   */
  framesPerSecondBilled: number;
  sizeBytesMax: number;
  /**
   * A task that reaches this age fails and is not charged.
   */
  ageMaxSeconds: number;
}
export interface UpscaleTask {
  taskId: string;
  status: "validating" | "processing" | "completed" | "failed";
  targetResolution: "1080p" | "2k" | "4k";
  /**
   * Progress in percent. Never decreases while the task runs; 100 once completed, 0 once failed.
   */
  progress: number;
  /**
   * null unless completed.
   */
  creditsConsumed: number | null;
  /**
   * null unless completed.
   */
  result: {
    url: string;
    width: number;
    height: number;
    /**
     * The link works until then. After you deleted the media, the time of that. Epoch milliseconds.
     */
    expiresAt: number | null;
    /**
     * Such as video/mp4 or image/png.
     */
    mediaType: string;
    sizeBytes: number;
    /**
     * null for an image.
     */
    durationSeconds: number | null;
    /**
     * A small WebP of the output, of at most 480 pixels a side, for as long as the output. null where there is none.
     */
    posterUrl: string | null;
    /**
     * ThumbHash of the poster in base64, to show while it loads.
     */
    thumbhash: string | null;
    /**
     * The marks in the file that say that a model made it: visible, a text that viewers see; aigc, the implicit label of GB 45438; c2pa, a signed manifest. Do not remove them.
     */
    labels: ("visible" | "aigc" | "c2pa")[];
    /**
     * Measured duration of the source.
     */
    probedDurationSeconds: number;
    /**
     * Measured resolution of the source, <width>x<height>.
     */
    probedSourceResolution: string;
  } | null;
  /**
   * null unless failed.
   */
  error: {
    code: string;
    message: string;
  } | null;
  /**
   * ISO 8601, UTC.
   */
  createdAt: string;
  /**
   * null until the task has ended. ISO 8601, UTC.
   */
  finishedAt: string | null;
}
export interface WebhookEndpoint {
  endpointId: string;
  url: string;
  /**
   * null: all.
   */
  events: string[] | null;
  description: string;
  /**
   * Epoch milliseconds.
   */
  createdAt: number;
  /**
   * null: events are sent.
   */
  pausedAt: number | null;
  /**
   * failing: every attempt failed for 5 days.
   */
  pauseReason: ("owner" | "failing") | null;
  /**
   * null: nothing was sent yet. Up to some seconds old.
   */
  health: {
    /**
     * HTTP status of the last response, if any.
     */
    status: number | null;
    /**
     * Why the last attempt failed.
     */
    reason: string | null;
    /**
     * Since when attempts end like this.
     */
    since: number;
    /**
     * Failed attempts in a row.
     */
    failures: number;
    failingSince: number | null;
    /**
     * Epoch milliseconds.
     */
    lastAttemptAt: number;
    lastSuccessAt: number | null;
  } | null;
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
export interface AuditEntry {
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
   * What it is called now, or was when it was changed; null: it has no name.
   */
  objectName: string | null;
  actor: {
    kind: "key" | "person" | "operator";
    /**
     * null for operators.
     */
    id: string | null;
    /**
     * Of the person or key, if it still exists.
     */
    name: string | null;
  };
}
export interface Transfer {
  /**
   * Consecutive within the account, starting at 1.
   */
  number: number;
  /**
   * A task holds its price, raises the hold if the price becomes known later, and ends with a capture (charged) or a release (refunded). An expiry takes what is left of credits that were granted until a certain time.
   */
  kind: "grant" | "hold" | "raise" | "capture" | "release" | "adjust" | "expiry";
  /**
   * Credits. Negative for an adjustment that deducts credits and for a raise that reduces a hold.
   */
  amount: number;
  /**
   * The task that caused the entry, if any.
   */
  taskId: string | null;
  /**
   * `credits` after this entry.
   */
  credits: number;
  /**
   * `availableCredits` after this entry.
   */
  availableCredits: number;
  note: string | null;
  /**
   * Epoch milliseconds.
   */
  time: number;
}
export interface LoggedRequest {
  requestId: string;
  /**
   * When it came. Epoch milliseconds.
   */
  time: number;
  method: string;
  /**
   * The path, with the names of its parameters.
   */
  route: string;
  status: number;
  /**
   * null: it was not refused.
   */
  errorCode: string | null;
  /**
   * Until the response was sent; for a stream, its length.
   */
  durationMs: number;
  actor: {
    kind: "key" | "person";
    id: string;
    /**
     * If it still exists.
     */
    name: string | null;
  };
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
export interface TimelineEntry {
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
}
export interface Verification {
  /**
   * The strongest finding. `made_here`: the bytes are those of an output of this service, or this service has signed them. `similar`: the picture is much like that of an output, as after another encoding; this proves nothing. `labelled`: only the file's own marks say where it comes from.
   */
  result: "made_here" | "similar" | "labelled" | "nothing_found";
  /**
   * The date of that output in UTC, such as 2026-08-02.
   */
  madeOn: string | null;
  /**
   * The kind of model that made it.
   */
  madeAs: ("video" | "image" | "upscale") | null;
  /**
   * Whether the file was opened. If not, only its SHA-256 was compared: it was not sent, or it is not a video or image that this service reads.
   */
  isOpened: boolean;
  /**
   * The marks in the file, if it was opened.
   */
  marks: (
    | {
        /**
         * The implicit label of GB 45438.
         */
        kind: "AIGC";
        producer: string;
        /**
         * Who passed the file on.
         */
        propagator: string | null;
      }
    | {
        /**
         * A signed manifest.
         */
        kind: "C2PA";
        signer: "ours" | "others";
        /**
         * The organisation in the certificate.
         */
        name: string | null;
        /**
         * Whether signature and hashes fit the file.
         */
        isValid: boolean;
      }
  )[];
  sha256: string;
}
export interface Asset {
  assetId: number;
  /**
   * Referenced in inputs as asset://<upstreamAssetId>.
   */
  upstreamAssetId: string;
  type: "IMAGE" | "AUDIO" | "VIDEO";
  status: "NONE" | "PROCESSING" | "ACTIVE" | "FAILED";
  failReason: string | null;
  /**
   * The submitted URL, unchanged. For a direct upload, the storageUrl.
   */
  url: string;
  /**
   * URL of the stored copy; it never changes. The upscaler accepts it as a source. It serves the file once the review has passed.
   */
  storageUrl: string;
  /**
   * A signed link to the stored copy, valid for one hour, also during review. null until the copy is stored and once the asset has failed.
   */
  previewUrl: string | null;
  name: string | null;
  /**
   * Epoch milliseconds.
   */
  createdAt: number;
  width: number | null;
  height: number | null;
  /**
   * Size in bytes.
   */
  size: number | null;
  /**
   * Duration in seconds; null for images.
   */
  duration: number | null;
  /**
   * The models that take the asset now. A model that needs no review takes it as soon as it is stored.
   */
  usableBy: string[];
  /**
   * The models that take the asset once its review has passed.
   */
  usableAfterReview: string[];
}
export interface Upload {
  uploadId: string;
  /**
   * Size of the whole file in bytes.
   */
  size: number;
  /**
   * Size of every chunk in bytes, except the last, which may be smaller.
   */
  chunkBytes: number;
  /**
   * The chunks that are still missing, with new links.
   */
  chunks: {
    /**
     * Starts at 0. The chunk starts at byte `number` x `chunkBytes`.
     */
    number: number;
    /**
     * Exact size of the chunk in bytes.
     */
    size: number;
    method: "PUT";
    /**
     * PUT the bytes of the chunk here, without an API key. Valid for at most one hour.
     */
    url: string;
  }[];
  /**
   * Numbers of the chunks that have been received.
   */
  received: number[];
  /**
   * The upload can be resumed until then. Epoch milliseconds.
   */
  expiresAt: number;
  /**
   * null until the upload is completed. At once the asset that the account has of the same bytes: there are no chunks to send.
   */
  asset: Asset | null;
}
export interface UsageItem {
  /**
   * Beginning of the interval. Epoch milliseconds.
   */
  start: number;
  /**
   * The model, the keyId or the status, by `group`. null without `group`, and for tasks that no key created.
   */
  value: string | null;
  /**
   * With `group=key`: the name of the key.
   */
  name: string | null;
  /**
   * Tasks that completed in this interval.
   */
  completed: number;
  /**
   * Tasks that failed in this interval.
   */
  failed: number;
  /**
   * Credits charged: the captures that the ledger has in this interval.
   */
  credits: number;
  /**
   * Total length of the videos that were made.
   */
  videoSeconds: number;
}
export interface ListedGenerationTask {
  taskId: string;
  model: string;
  status: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";
  /**
   * The price of the task; 0 once it has failed and the hold is released.
   */
  creditsUsed: number;
  /**
   * null unless COMPLETED.
   */
  output:
    | {
        url: string;
        width: number;
        height: number;
        /**
         * The link works until then. After you deleted the media, the time of that. Epoch milliseconds.
         */
        expiresAt: number | null;
        /**
         * Such as video/mp4 or image/png.
         */
        mediaType: string;
        sizeBytes: number;
        /**
         * null for an image.
         */
        durationSeconds: number | null;
        /**
         * A small WebP of the output, of at most 480 pixels a side, for as long as the output. null where there is none.
         */
        posterUrl: string | null;
        /**
         * ThumbHash of the poster in base64, to show while it loads.
         */
        thumbhash: string | null;
        /**
         * The marks in the file that say that a model made it: visible, a text that viewers see; aigc, the implicit label of GB 45438; c2pa, a signed manifest. Do not remove them.
         */
        labels: ("visible" | "aigc" | "c2pa")[];
      }[]
    | null;
  /**
   * Error message; null unless FAILED.
   */
  error: string | null;
  /**
   * Stable error code from the error catalogue; null unless FAILED.
   */
  errorCode: string | null;
  /**
   * Where the task deviates from the request; omitted if it does not.
   */
  notes?: {
    param: string;
    message: string;
  }[];
  /**
   * Epoch milliseconds.
   */
  createTime: number;
  /**
   * null until COMPLETED or FAILED.
   */
  completeTime: number | null;
  kind: "generation";
  /**
   * test: created with a test key, and not paid for.
   */
  mode: "live" | "test";
  /**
   * The price: held while the task is open, then charged; 0 once it has failed.
   */
  credits: number;
  /**
   * The API key that created the task. null: it was created without one.
   */
  keyId: string | null;
}
export interface ListedUpscaleTask {
  taskId: string;
  status: "validating" | "processing" | "completed" | "failed";
  targetResolution: "1080p" | "2k" | "4k";
  /**
   * Progress in percent. Never decreases while the task runs; 100 once completed, 0 once failed.
   */
  progress: number;
  /**
   * null unless completed.
   */
  creditsConsumed: number | null;
  /**
   * null unless completed.
   */
  result: {
    url: string;
    width: number;
    height: number;
    /**
     * The link works until then. After you deleted the media, the time of that. Epoch milliseconds.
     */
    expiresAt: number | null;
    /**
     * Such as video/mp4 or image/png.
     */
    mediaType: string;
    sizeBytes: number;
    /**
     * null for an image.
     */
    durationSeconds: number | null;
    /**
     * A small WebP of the output, of at most 480 pixels a side, for as long as the output. null where there is none.
     */
    posterUrl: string | null;
    /**
     * ThumbHash of the poster in base64, to show while it loads.
     */
    thumbhash: string | null;
    /**
     * The marks in the file that say that a model made it: visible, a text that viewers see; aigc, the implicit label of GB 45438; c2pa, a signed manifest. Do not remove them.
     */
    labels: ("visible" | "aigc" | "c2pa")[];
    /**
     * Measured duration of the source.
     */
    probedDurationSeconds: number;
    /**
     * Measured resolution of the source, <width>x<height>.
     */
    probedSourceResolution: string;
  } | null;
  /**
   * null unless failed.
   */
  error: {
    code: string;
    message: string;
  } | null;
  /**
   * ISO 8601, UTC.
   */
  createdAt: string;
  /**
   * null until the task has ended. ISO 8601, UTC.
   */
  finishedAt: string | null;
  kind: "upscale";
  model: string;
  /**
   * test: created with a test key, and not paid for.
   */
  mode: "live" | "test";
  /**
   * The price: held while the task is open, then charged; 0 once it has failed.
   */
  credits: number;
  /**
   * The API key that created the task. null: it was created without one.
   */
  keyId: string | null;
}
export interface Delivery {
  deliveryId: string;
  /**
   * Sent as the webhook-id header of every attempt.
   */
  webhookId: string;
  /**
   * null for a test event and for events that no task causes.
   */
  taskId: string | null;
  /**
   * null for the callback of a task.
   */
  endpointId: string | null;
  url: string;
  /**
   * The type of the event, as in `GET /api/v1/events`; `test` for a test event.
   */
  type: string;
  outcome: "pending" | "delivered" | "failed";
  /**
   * Epoch milliseconds.
   */
  createdAt: number;
  deliveredAt: number | null;
  /**
   * null when no attempt is due.
   */
  nextAttemptAt: number | null;
  attempts: {
    number: number;
    /**
     * Epoch milliseconds.
     */
    at: number;
    /**
     * HTTP status of the receiver's response, if any.
     */
    status: number | null;
    /**
     * null while the attempt is running.
     */
    durationMs: number | null;
    /**
     * Why the attempt failed; null after a 2xx.
     */
    reason: string | null;
  }[];
}
export interface Event {
  /**
   * Increases with every event; there may be gaps.
   */
  number: number;
  /**
   * generation.completed, generation.failed, upscale.completed or upscale.failed.
   */
  type: string;
  /**
   * The webhook-id header of its callback.
   */
  webhookId: string;
  taskId: string;
  /**
   * Epoch milliseconds.
   */
  createdAt: number;
  /**
   * The task as sent in its callback.
   */
  data: {
    [k: string]: unknown;
  };
}
export interface CreateTaskAnswer {
  taskId: string;
}
export interface QuoteTaskAnswer {
  /**
   * The credits that createTask would hold and, on success, charge. An upscale that is not performed is not charged.
   */
  credits: number;
  /**
   * The items of the price; their credits add up to it.
   */
  items: {
    item: "output" | "inputVideo" | "upscale" | "image" | "discount";
    description: string;
    unit: "second" | "image" | "task";
    quantity: number;
    creditsPerUnit: number;
    /**
     * Negative for a discount.
     */
    credits: number;
  }[];
  /**
   * The version of the price book that priced it, for `priceVersion` of the request.
   */
  priceVersion: string;
  /**
   * Where the task deviates from the request; omitted if it does not.
   */
  notes?: {
    param: string;
    message: string;
  }[];
}
export interface DeleteMediaQuery {
  taskId: string;
}
export interface DeleteMediaAnswer {
  /**
   * Number of files deleted. Their links no longer work.
   */
  deleted: number;
}
export interface QueryTaskQuery {
  taskId: string;
}
export interface ListTasksQuery {
  kind?: ("generation" | "upscale") | undefined;
  model?: string | undefined;
  status?: ("PENDING" | "PROCESSING" | "COMPLETED" | "FAILED") | undefined;
  keyId?: string | undefined;
  mode?: ("live" | "test") | undefined;
  from?: string | undefined;
  to?: string | undefined;
  prompt?: string | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
}
export interface ListTasksAnswer {
  items: (ListedGenerationTask | ListedUpscaleTask)[];
  /**
   * null on the last page. A page with a filter can have fewer items than `limit`, or none, and still have a nextCursor: the search continues there.
   */
  nextCursor: string | null;
}
export interface QueryTasksBody {
  /**
   * Ids of generation and upscale tasks.
   *
   * @minItems 1
   * @maxItems 100
   */
  taskIds: string[];
}
export interface QueryTasksAnswer {
  /**
   * In the order of `taskIds`, each once.
   */
  tasks: (ListedGenerationTask | ListedUpscaleTask)[];
  /**
   * The ids that are not a task of this account.
   */
  notFound: string[];
}
export interface ReadTimelineQuery {
  taskId: string;
}
export interface ReadTimelineAnswer {
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
  entries: TimelineEntry[];
}
export interface ReadRequestQuery {
  taskId: string;
}
export interface ReadRequestAnswer {
  taskId: string;
  kind: "generation" | "upscale";
  model: string;
  /**
   * The inputs in their normal form, with the defaults filled in; of an upscale `source` and `targetResolution`. Creating a task with them asks for the same. null if they are not known any more.
   */
  inputs: {
    [k: string]: unknown;
  } | null;
  /**
   * Why `inputs` is null: what you wrote was deleted after its retention period, the model is not offered any more, or the source of the upscale was deleted.
   */
  inputsMissing: ("purged" | "model_removed" | "asset_deleted") | null;
  callBackUrl: string | null;
  /**
   * Of an upscale: the limit that its measured price must keep. Otherwise null.
   */
  maxCredits: number | null;
  /**
   * The items of the price; their credits add up to it. null if they are not known.
   */
  items:
    | {
        item: "output" | "inputVideo" | "upscale" | "image" | "discount";
        description: string;
        unit: "second" | "image" | "task";
        quantity: number;
        creditsPerUnit: number;
        /**
         * Negative for a discount.
         */
        credits: number;
      }[]
    | null;
  /**
   * Epoch milliseconds.
   */
  createdAt: number;
}
export interface ListModelsAnswer {
  models: Model[];
  upscaler: Upscaler;
  /**
   * What the account pays by.
   */
  prices: {
    /**
     * The version of the price book that priced it, for `priceVersion` of the request.
     */
    priceVersion: string;
    /**
     * Taken off the sum of every task; null: none.
     */
    discount: {
      /**
       * Hundredths of a per cent.
       */
      basisPoints: number;
      /**
       * Epoch milliseconds: its end.
       */
      until: number;
    } | null;
    /**
     * The next version and when it begins; null: none is published.
     */
    change: {
      priceVersion: string;
      /**
       * Epoch milliseconds.
       */
      validFrom: number;
      /**
       * What changes.
       */
      rates: {
        /**
         * `upscale` is the upscaler.
         */
        model: string;
        /**
         * The rate key, such as `720p.withVideo`.
         */
        rate: string;
        /**
         * Credits; null: it was not for sale.
         */
        before: number | null;
        /**
         * Credits; null: no longer for sale.
         */
        after: number | null;
      }[];
    } | null;
  };
}
export interface CreateUpscaleBody {
  source:
    | {
        type: "url";
        /**
         * A public https URL of an MP4, MOV or WebM file of at most 200 MB and 600 s, or the link of one of your outputs.
         */
        url: string;
        /**
         * Blank or left out.
         */
        storageUrl?: "";
      }
    | {
        type: "uploadId";
        /**
         * The storageUrl of one of your assets; its review does not matter. If its copy is not stored yet, the task waits for it.
         */
        storageUrl: string;
        /**
         * Blank or left out.
         */
        url?: "";
      }
    | {
        type: "task";
        /**
         * A completed task of yours, of either kind, whose output is a video.
         */
        taskId: string;
        /**
         * Which of its outputs; the first, 0, by default.
         */
        index?: number | null;
        /**
         * Blank or left out.
         */
        url?: "";
        /**
         * Blank or left out.
         */
        storageUrl?: "";
      };
  /**
   * Short side of 1080, 1440 or 2160 pixels with the aspect ratio kept. Must be higher than the short side of the source.
   */
  targetResolution: "1080p" | "2k" | "4k";
  /**
   * Called when the task is completed or failed. A public http or https URL.
   */
  callBackUrl?: string | null;
  /**
   * Refuse the task with 402 if its price exceeds this. A source that is longer than it is known to be ends the task with price_above_max, and costs nothing.
   */
  maxCredits?: number | null;
  /**
   * The priceVersion of a quote: pays by it while it is in force and for 15 minutes after its end. Later the request is refused with 409 price_changed.
   */
  priceVersion?: string | null;
}
export interface CreateUpscaleAnswer {
  taskId: string;
  /**
   * The id of the hold in the ledger.
   */
  orderId: string;
  status: "validating";
}
export interface QuoteUpscaleBody {
  source:
    | {
        type: "url";
        /**
         * A public https URL of an MP4, MOV or WebM file of at most 200 MB and 600 s, or the link of one of your outputs.
         */
        url: string;
        /**
         * Blank or left out.
         */
        storageUrl?: "";
      }
    | {
        type: "uploadId";
        /**
         * The storageUrl of one of your assets; its review does not matter. If its copy is not stored yet, the task waits for it.
         */
        storageUrl: string;
        /**
         * Blank or left out.
         */
        url?: "";
      }
    | {
        type: "task";
        /**
         * A completed task of yours, of either kind, whose output is a video.
         */
        taskId: string;
        /**
         * Which of its outputs; the first, 0, by default.
         */
        index?: number | null;
        /**
         * Blank or left out.
         */
        url?: "";
        /**
         * Blank or left out.
         */
        storageUrl?: "";
      };
  /**
   * Short side of 1080, 1440 or 2160 pixels with the aspect ratio kept. Must be higher than the short side of the source.
   */
  targetResolution: "1080p" | "2k" | "4k";
  /**
   * Called when the task is completed or failed. A public http or https URL.
   */
  callBackUrl?: string | null;
  /**
   * Refuse the task with 402 if its price exceeds this. A source that is longer than it is known to be ends the task with price_above_max, and costs nothing.
   */
  maxCredits?: number | null;
  /**
   * The priceVersion of a quote: pays by it while it is in force and for 15 minutes after its end. Later the request is refused with 409 price_changed.
   */
  priceVersion?: string | null;
}
export interface QuoteUpscaleAnswer {
  /**
   * The credits that upscale/create would hold.
   */
  credits: number;
  /**
   * The seconds that are billed.
   */
  seconds: number;
  /**
   * Whether the duration of the source and its frames, which count above 60 a second, are known. If not, this is the least price: the hold is raised once the source is measured.
   */
  isMeasured: boolean;
  /**
   * The items of the price.
   */
  items: {
    item: "output" | "inputVideo" | "upscale" | "image" | "discount";
    description: string;
    unit: "second" | "image" | "task";
    quantity: number;
    creditsPerUnit: number;
    /**
     * Negative for a discount.
     */
    credits: number;
  }[];
  /**
   * The version of the price book that priced it, for `priceVersion` of the request.
   */
  priceVersion: string;
}
export interface QueryUpscaleQuery {
  taskId: string;
}
export interface UploadAssetBody {
  /**
   * Public URL of the file, which is fetched once; a copy is stored. An output of a task is saved to the library by task://<taskId>/<index> or its link: nothing is fetched, and the asset that the account has of it is answered.
   */
  url: string;
  /**
   * The type of the file, which must match its content.
   */
  type: "IMAGE" | "AUDIO" | "VIDEO";
  /**
   * A label for your own use.
   */
  name?: string | null;
  declaration?: DeclarationInput | null;
}
export interface ReadAssetQuery {
  assetId: string;
}
export interface ListAssetsQuery {
  type?: ("IMAGE" | "AUDIO" | "VIDEO") | undefined;
  status?: ("NONE" | "PROCESSING" | "ACTIVE" | "FAILED") | undefined;
  name?: string | undefined;
  cursor?: number | undefined;
  limit?: number | undefined;
}
export interface ListAssetsAnswer {
  items: Asset[];
  /**
   * null on the last page.
   */
  nextCursor: number | null;
}
export interface ReadDeclarationQuery {
  assetId: string;
}
export interface ReadDeclarationAnswer {
  assetId: number;
  people: string;
  purpose: string;
  /**
   * Its content type, once it is stored.
   */
  formType: string | null;
  /**
   * A signed link to the form, valid for one hour; null without one.
   */
  formUrl: string | null;
  /**
   * Epoch milliseconds.
   */
  declaredAt: number;
}
export interface DeleteAssetQuery {
  assetId: string;
}
export interface DeleteAssetAnswer {
  assetId: number;
  upstreamAssetId: string;
  deleted: true;
}
export interface CreateUploadBody {
  /**
   * A label for your own use.
   */
  name?: string | null;
  /**
   * The type of the file, which must match its content. DOCUMENT: the signed form of a declaration, at most 10 MB.
   */
  type: "IMAGE" | "AUDIO" | "VIDEO" | "DOCUMENT";
  /**
   * Size of the whole file in bytes.
   */
  size: number;
  /**
   * SHA-256 of the whole file. If the account has an asset of this type with these bytes, `asset` is that one and there is nothing to send. Otherwise the asset fails when the bytes do not match.
   */
  sha256?: string | null;
  /**
   * false: makes an asset of its own, although the account has one of the same bytes. Needed to declare something about a file that is in the library.
   */
  reuse?: boolean | null;
}
export interface ReadUploadQuery {
  uploadId: string;
}
export interface CompleteUploadBody {
  /**
   * The uploadId returned when the upload was created.
   */
  uploadId: string;
  declaration?: DeclarationInput | null;
  /**
   * false: makes an asset of its own, although the account has one of the same bytes. Needed to declare something about a file that is in the library.
   */
  reuse?: boolean | null;
}
export interface ReadCreditsAnswer {
  /**
   * The settled balance: captured tasks are deducted, open holds are not.
   */
  credits: number;
  /**
   * `credits` minus the holds of open tasks.
   */
  availableCredits: number;
  /**
   * Tasks that the account can have open at once.
   */
  openTasksMax: number;
  /**
   * How many more it can have now. At 0, a new task is refused with 429.
   */
  openTasksLeft: number;
}
export interface ReadLedgerQuery {
  cursor?: number | undefined;
  limit?: number | undefined;
}
export interface ReadLedgerAnswer {
  items: Transfer[];
  /**
   * null on the last page.
   */
  nextCursor: number | null;
}
export interface ReadAuditQuery {
  action?: string | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
}
export interface ReadAuditAnswer {
  items: AuditEntry[];
  /**
   * null on the last page.
   */
  nextCursor: string | null;
}
export interface ListRequestsQuery {
  requestId?: string | undefined;
  status?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
}
export interface ListRequestsAnswer {
  items: LoggedRequest[];
  /**
   * null on the last page.
   */
  nextCursor: string | null;
}
export interface ReadLabelAgreementAnswer {
  /**
   * null: none is live, and outputs carry the visible label where one is due.
   */
  agreement: {
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
  } | null;
}
export interface ReadUsageQuery {
  by?: ("hour" | "day" | "month") | undefined;
  group?: ("model" | "key" | "status") | undefined;
  from?: string | undefined;
  to?: string | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
}
export interface ReadUsageAnswer {
  by: "hour" | "day" | "month";
  group: ("model" | "key" | "status") | null;
  /**
   * Beginning of the first interval. Epoch milliseconds.
   */
  from: number;
  /**
   * Epoch milliseconds.
   */
  to: number;
  /**
   * Oldest first. Intervals without an ended task are left out.
   */
  items: UsageItem[];
  /**
   * null on the last page.
   */
  nextCursor: string | null;
}
export interface ListKeysQuery {
  cursor?: string | undefined;
  limit?: number | undefined;
}
export interface ListKeysAnswer {
  items: Key[];
  /**
   * null on the last page.
   */
  nextCursor: string | null;
}
export interface CreateKeyBody {
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
export interface CreateKeyAnswer {
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
export interface ChangeKeyQuery {
  keyId: string;
}
export interface ChangeKeyBody {
  /**
   * A label for your own use.
   */
  name?: string;
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
export interface RevokeKeyQuery {
  keyId: string;
}
export interface RevokeKeyAnswer {
  keyId: string;
  revoked: true;
}
export interface SignInBody {
  /**
   * An e-mail address.
   */
  email: string;
  password: string;
}
export interface SignInAnswer {
  /**
   * With `second_factor_required` the session is good for the second factor only.
   */
  status: "signed_in" | "second_factor_required";
}
/**
 * An empty object.
 */
export interface SignOutAnswer {}
export interface PassSecondFactorBody {
  /**
   * A code of the authenticator app, six digits, or a recovery code.
   */
  code: string;
}
export interface PassSecondFactorAnswer {
  /**
   * With `second_factor_required` the session is good for the second factor only.
   */
  status: "signed_in" | "second_factor_required";
}
export interface ReadTotpAnswer {
  isEnabled: boolean;
  recoveryCodesLeft: number;
}
export interface EnrolTotpAnswer {
  /**
   * In base32, to type in where no QR code can be read.
   */
  secret: string;
  /**
   * Show it as a QR code.
   */
  otpauthUrl: string;
}
/**
 * An empty object.
 */
export interface DisableTotpAnswer {}
export interface ConfirmTotpBody {
  /**
   * A code of the authenticator app, six digits, or a recovery code.
   */
  code: string;
}
export interface ConfirmTotpAnswer {
  /**
   * Ten codes that work once each, in place of the app. They are not shown again.
   */
  recoveryCodes: string[];
}
export interface RenewRecoveryCodesAnswer {
  /**
   * Ten codes that work once each, in place of the app. They are not shown again.
   */
  recoveryCodes: string[];
}
export interface BeginPasskeySignInAnswer {
  /**
   * Pass to `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`. Valid for 5 minutes, once.
   */
  options: {
    [k: string]: unknown;
  };
}
export interface SignInWithPasskeyBody {
  credential: {
    id: string;
    rawId: string;
    type: "public-key";
    response: {
      clientDataJSON: string;
      authenticatorData: string;
      signature: string;
      userHandle: string;
    };
    clientExtensionResults: {};
  };
}
export interface SignInWithPasskeyAnswer {
  /**
   * With `second_factor_required` the session is good for the second factor only.
   */
  status: "signed_in" | "second_factor_required";
}
export interface ListPasskeysAnswer {
  passkeys: {
    passkeyId: string;
    name: string;
    createdAt: string;
    /**
     * Absent: not used yet.
     */
    usedAt?: string;
  }[];
}
export interface AddPasskeyBody {
  /**
   * A name by which you recognise it, such as the device.
   */
  name: string;
  credential: {
    id: string;
    rawId: string;
    type: "public-key";
    response: {
      clientDataJSON: string;
      attestationObject: string;
      /**
       * @maxItems 10
       */
      transports?: string[];
    };
    clientExtensionResults: {};
  };
}
export interface AddPasskeyAnswer {
  passkeyId: string;
  name: string;
}
export interface RemovePasskeyQuery {
  passkeyId: string;
}
/**
 * An empty object.
 */
export interface RemovePasskeyAnswer {}
export interface BeginPasskeyAnswer {
  /**
   * Pass to `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`. Valid for 5 minutes, once.
   */
  options: {
    [k: string]: unknown;
  };
}
export interface ListProofsAnswer {
  /**
   * True: no proof is needed for the moment.
   */
  isFresh: boolean;
  /**
   * How this person can prove who it is. None: end the session and sign in again. With an authenticator app, a password is not enough.
   */
  ways: ("password" | "code" | "passkey" | "oidc")[];
}
/**
 * An empty object.
 */
export interface ProveAnswer {}
export interface BeginPasskeyProofAnswer {
  /**
   * Pass to `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`. Valid for 5 minutes, once.
   */
  options: {
    [k: string]: unknown;
  };
}
export interface BeginOidcProofBody {
  /**
   * The page to come back to: a path of this deployment.
   */
  returnTo?: string;
}
export interface BeginOidcProofAnswer {
  /**
   * Send the browser there within 10 minutes.
   */
  url: string;
}
export interface ListSignInMethodsAnswer {
  password: true;
  passkey: true;
  /**
   * Company sign-in; null: there is none.
   */
  oidc: {
    /**
     * What the button says.
     */
    name: string;
  } | null;
}
export interface BeginOidcSignInBody {
  /**
   * The page to come back to: a path of this deployment.
   */
  returnTo?: string;
  /**
   * The token of an invitation's link, to accept it by company sign-in.
   */
  invitation?: string;
}
export interface BeginOidcSignInAnswer {
  /**
   * Send the browser there within 10 minutes.
   */
  url: string;
}
export interface ListIdentitiesAnswer {
  identities: {
    identityId: string;
    issuer: string;
    /**
     * As the provider said it when linked.
     */
    email?: string;
    createdAt: string;
    usedAt?: string;
  }[];
}
export interface LinkIdentityBody {
  /**
   * The page to come back to: a path of this deployment.
   */
  returnTo?: string;
}
export interface LinkIdentityAnswer {
  /**
   * Send the browser there within 10 minutes.
   */
  url: string;
}
export interface UnlinkIdentityQuery {
  identityId: string;
}
/**
 * An empty object.
 */
export interface UnlinkIdentityAnswer {}
export interface RequestPasswordResetBody {
  /**
   * An e-mail address.
   */
  email: string;
}
/**
 * An empty object.
 */
export interface RequestPasswordResetAnswer {}
export interface ResetPasswordBody {
  /**
   * From the fragment of the link.
   */
  token: string;
  /**
   * At least 12 characters.
   */
  password: string;
}
export interface ResetPasswordAnswer {
  /**
   * Passkeys and company sign-ins that were added while a session that has now ended was open: somebody else may have added them.
   */
  removed: {
    kind: "passkey" | "company" | "authenticator";
    name: string;
    createdAt: string;
  }[];
  /**
   * What is left beside the password. Remove what you do not know.
   */
  kept: {
    kind: "passkey" | "company" | "authenticator";
    name: string;
    createdAt: string;
  }[];
}
export interface ConfirmEmailBody {
  /**
   * From the fragment of the link.
   */
  token: string;
}
/**
 * An empty object.
 */
export interface ConfirmEmailAnswer {}
export interface ReadInvitationBody {
  /**
   * From the fragment of the link.
   */
  token: string;
}
export interface ReadInvitationAnswer {
  email: string;
  role: "owner" | "developer" | "viewer" | "operator" | "support" | "reviewer";
  /**
   * Null: an invitation to the staff of this deployment.
   */
  accountName: string | null;
  /**
   * False: accepting it needs `name` and `password`.
   */
  isKnown: boolean;
}
export interface AcceptInvitationBody {
  /**
   * From the fragment of the link.
   */
  token: string;
  /**
   * How the person is called.
   */
  name?: string;
  /**
   * At least 12 characters.
   */
  password?: string;
  /**
   * The language of mails.
   */
  language?: "en" | "zh";
}
export interface AcceptInvitationAnswer {
  /**
   * `joined`: the person existed already and signs in as usual.
   */
  status: "signed_in" | "joined";
}
export interface ReadMeAnswer {
  personId: string;
  email: string;
  name: string;
  /**
   * The language of mails.
   */
  language: "en" | "zh";
  /**
   * At most 100.
   */
  accounts: {
    accountId: string;
    name: string;
    role: "owner" | "developer" | "viewer";
    /**
     * The test account, for the header `Zoetrope-Account`; null if there is none.
     */
    testAccountId: string | null;
  }[];
  /**
   * The role in the deployment; null for customers.
   */
  staffRole: ("operator" | "support" | "reviewer") | null;
}
export interface ChangeMeBody {
  /**
   * How the person is called.
   */
  name?: string;
  /**
   * The language of mails.
   */
  language?: "en" | "zh";
}
/**
 * An empty object.
 */
export interface ChangeMeAnswer {}
export interface ChangePasswordBody {
  /**
   * Required of a person who has one.
   */
  currentPassword?: string;
  /**
   * At least 12 characters.
   */
  newPassword: string;
}
/**
 * An empty object.
 */
export interface ChangePasswordAnswer {}
export interface RequestEmailChangeBody {
  /**
   * An e-mail address.
   */
  email: string;
  /**
   * Required of a person who has one.
   */
  password?: string;
}
/**
 * An empty object.
 */
export interface RequestEmailChangeAnswer {}
export interface ListSessionsAnswer {
  /**
   * Newest first; at most 20.
   */
  sessions: {
    sessionId: string;
    address: string | null;
    userAgent: string | null;
    createdAt: string;
    /**
     * To the minute.
     */
    lastUsedAt: string;
    expiresAt: string;
    /**
     * The session of this request.
     */
    isCurrent: boolean;
  }[];
}
export interface EndSessionQuery {
  sessionId: string;
}
/**
 * An empty object.
 */
export interface EndSessionAnswer {}
export interface EndOtherSessionsAnswer {
  /**
   * How many sessions were ended.
   */
  ended: number;
}
export interface ListMembersAnswer {
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
}
export interface ChangeMemberBody {
  personId: string;
  /**
   * Each role includes those after it.
   */
  role: "owner" | "developer" | "viewer";
}
/**
 * An empty object.
 */
export interface ChangeMemberAnswer {}
export interface RemoveMemberQuery {
  personId: string;
}
/**
 * An empty object.
 */
export interface RemoveMemberAnswer {}
/**
 * An empty object.
 */
export interface LeaveAccountAnswer {}
export interface ListInvitationsAnswer {
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
export interface InviteMemberBody {
  /**
   * An e-mail address.
   */
  email: string;
  /**
   * Each role includes those after it.
   */
  role: "owner" | "developer" | "viewer";
}
export interface InviteMemberAnswer {
  invitationId: string;
  mail: "sent" | "waiting" | "refused" | "link" | "off";
}
export interface RevokeInvitationQuery {
  invitationId: string;
}
/**
 * An empty object.
 */
export interface RevokeInvitationAnswer {}
export interface ListDeliveriesQuery {
  taskId?: string | undefined;
  endpointId?: string | undefined;
  outcome?: ("pending" | "delivered" | "failed") | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
}
export interface ListDeliveriesAnswer {
  items: Delivery[];
  /**
   * null on the last page.
   */
  nextCursor: string | null;
}
export interface ReadDeliveryQuery {
  deliveryId: string;
}
export interface ReadDeliveryAnswer {
  deliveryId: string;
  /**
   * Sent as the webhook-id header of every attempt.
   */
  webhookId: string;
  /**
   * null for a test event and for events that no task causes.
   */
  taskId: string | null;
  /**
   * null for the callback of a task.
   */
  endpointId: string | null;
  url: string;
  /**
   * The type of the event, as in `GET /api/v1/events`; `test` for a test event.
   */
  type: string;
  outcome: "pending" | "delivered" | "failed";
  /**
   * Epoch milliseconds.
   */
  createdAt: number;
  deliveredAt: number | null;
  /**
   * null when no attempt is due.
   */
  nextAttemptAt: number | null;
  attempts: {
    number: number;
    /**
     * Epoch milliseconds.
     */
    at: number;
    /**
     * HTTP status of the receiver's response, if any.
     */
    status: number | null;
    /**
     * null while the attempt is running.
     */
    durationMs: number | null;
    /**
     * Why the attempt failed; null after a 2xx.
     */
    reason: string | null;
  }[];
  /**
   * The exact bytes that are signed and sent.
   */
  body: string;
}
export interface DeliverAgainAnswer {
  /**
   * Number of deliveries that are queued for redelivery.
   */
  queued: number;
  /**
   * The range contains more deliveries. Repeat the request.
   */
  isMore: boolean;
}
export interface SendTestEventBody {
  /**
   * Where to. Required unless endpointId is given.
   */
  url?: string;
  /**
   * Instead of url: to this endpoint.
   */
  endpointId?: string;
}
export interface SendTestEventAnswer {
  deliveryId: string;
}
export interface ReadEventsQuery {
  after?: number | undefined;
  order?: ("asc" | "desc") | undefined;
  before?: number | undefined;
  limit?: number | undefined;
}
export interface ReadEventsAnswer {
  events: Event[];
  /**
   * Send it as `after` to read the following events.
   */
  next: number;
  hasMore: boolean;
}
export interface ReadWebhookSecretAnswer {
  /**
   * Secret in the Standard Webhooks format, whsec_….
   */
  secret: string;
  /**
   * The previous secret also signs until then. Epoch milliseconds.
   */
  previousUntil: number | null;
}
export interface RotateWebhookSecretBody {
  /**
   * How long the previous secret keeps signing beside the new one.
   */
  overlapHours?: number;
}
export interface RotateWebhookSecretAnswer {
  /**
   * Secret in the Standard Webhooks format, whsec_….
   */
  secret: string;
  /**
   * The previous secret also signs until then. Epoch milliseconds.
   */
  previousUntil: number | null;
}
export interface ListEndpointsAnswer {
  items: WebhookEndpoint[];
}
export interface CreateEndpointBody {
  /**
   * Where events are sent. Public addresses only; redirects are not followed.
   */
  url: string;
  /**
   * Which types of events are sent. null: all, also types of later releases.
   */
  events?:
    | (
        | "generation.completed"
        | "generation.failed"
        | "upscale.completed"
        | "upscale.failed"
        | "asset.reviewed"
        | "credits.low"
        | "key.budget_low"
      )[]
    | null;
  /**
   * A label for your own use.
   */
  description?: string;
}
export interface CreateEndpointAnswer {
  endpointId: string;
  url: string;
  /**
   * null: all.
   */
  events: string[] | null;
  description: string;
  /**
   * Epoch milliseconds.
   */
  createdAt: number;
  /**
   * null: events are sent.
   */
  pausedAt: number | null;
  /**
   * failing: every attempt failed for 5 days.
   */
  pauseReason: ("owner" | "failing") | null;
  /**
   * null: nothing was sent yet. Up to some seconds old.
   */
  health: {
    /**
     * HTTP status of the last response, if any.
     */
    status: number | null;
    /**
     * Why the last attempt failed.
     */
    reason: string | null;
    /**
     * Since when attempts end like this.
     */
    since: number;
    /**
     * Failed attempts in a row.
     */
    failures: number;
    failingSince: number | null;
    /**
     * Epoch milliseconds.
     */
    lastAttemptAt: number;
    lastSuccessAt: number | null;
  } | null;
  /**
   * Signs what is sent to this endpoint.
   */
  secret: string;
}
export interface ChangeEndpointQuery {
  endpointId: string;
}
export interface ChangeEndpointBody {
  /**
   * Where events are sent. Public addresses only; redirects are not followed.
   */
  url?: string;
  /**
   * Which types of events are sent. null: all, also types of later releases.
   */
  events?:
    | (
        | "generation.completed"
        | "generation.failed"
        | "upscale.completed"
        | "upscale.failed"
        | "asset.reviewed"
        | "credits.low"
        | "key.budget_low"
      )[]
    | null;
  /**
   * A label for your own use.
   */
  description?: string;
  /**
   * While paused, deliveries are recorded but not attempted.
   */
  paused?: boolean;
}
export interface ChangeEndpointAnswer {
  endpointId: string;
  url: string;
  /**
   * null: all.
   */
  events: string[] | null;
  description: string;
  /**
   * Epoch milliseconds.
   */
  createdAt: number;
  /**
   * null: events are sent.
   */
  pausedAt: number | null;
  /**
   * failing: every attempt failed for 5 days.
   */
  pauseReason: ("owner" | "failing") | null;
  /**
   * null: nothing was sent yet. Up to some seconds old.
   */
  health: {
    /**
     * HTTP status of the last response, if any.
     */
    status: number | null;
    /**
     * Why the last attempt failed.
     */
    reason: string | null;
    /**
     * Since when attempts end like this.
     */
    since: number;
    /**
     * Failed attempts in a row.
     */
    failures: number;
    failingSince: number | null;
    /**
     * Epoch milliseconds.
     */
    lastAttemptAt: number;
    lastSuccessAt: number | null;
  } | null;
  /**
   * After a pause: the body of POST /api/v1/webhooks/again that delivers what was recorded meanwhile. Nothing is delivered without it.
   */
  missed: {
    endpointId: string;
    from: string;
    to: string;
    outcome: "failed";
  } | null;
}
export interface DeleteEndpointQuery {
  endpointId: string;
}
export interface DeleteEndpointAnswer {
  endpointId: string;
  deleted: true;
}
export interface ReadEndpointSecretQuery {
  endpointId: string;
}
export interface ReadEndpointSecretAnswer {
  /**
   * Secret in the Standard Webhooks format, whsec_….
   */
  secret: string;
  /**
   * The previous secret also signs until then. Epoch milliseconds.
   */
  previousUntil: number | null;
}
export interface RotateEndpointSecretQuery {
  endpointId: string;
}
export interface RotateEndpointSecretBody {
  /**
   * How long the previous secret keeps signing beside the new one.
   */
  overlapHours?: number;
}
export interface RotateEndpointSecretAnswer {
  /**
   * Secret in the Standard Webhooks format, whsec_….
   */
  secret: string;
  /**
   * The previous secret also signs until then. Epoch milliseconds.
   */
  previousUntil: number | null;
}
export interface ReadAlertsAnswer {
  creditsLow: number | null;
}
export interface ChangeAlertsBody {
  /**
   * An event credits.low is sent when `credits` falls below this. null: never.
   */
  creditsLow?: number | null;
}
export interface ChangeAlertsAnswer {
  creditsLow: number | null;
}
export interface VerifySha256Query {
  sha256: string;
}
/**
 * A JSON-RPC message of the Model Context Protocol.
 */
export interface CallMcpBody {
  [k: string]: unknown;
}
/**
 * A JSON-RPC message of the Model Context Protocol.
 */
export interface CallMcpAnswer {
  [k: string]: unknown;
}
export interface ReadBannerAnswer {
  /**
   * null: there is nothing to announce.
   */
  banner: Banner | null;
}
export interface ListPackagesAnswer {
  /**
   * Of this release: the service and its clients.
   */
  version: string;
  /**
   * Empty: this deployment does not serve its clients.
   */
  items: {
    id: "typescript" | "python" | "cli" | "aiSdk" | "dev";
    /**
     * As programs import it.
     */
    name: string;
    summary: string;
    url: string;
    /**
     * What to type.
     */
    install: string;
    sizeBytes: number;
    /**
     * Of the file, in hexadecimal.
     */
    sha256: string;
  }[];
}
