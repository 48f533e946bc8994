// Generated from docs/generated/openapi.json by `npm run sdk-types`. Do not edit.

export interface Schemas {
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
  Transfer: Transfer;
  Asset: Asset;
  Upload: Upload;
  UsageItem: UsageItem;
  GenerationTask: GenerationTask;
  Model: Model;
  Upscaler: Upscaler;
  UpscaleTask: UpscaleTask;
  ListedGenerationTask: ListedGenerationTask;
  ListedUpscaleTask: ListedUpscaleTask;
  Delivery: Delivery;
  Event: Event;
  CreateTaskAnswer: CreateTaskAnswer;
  QuoteTaskAnswer: QuoteTaskAnswer;
  DeleteMediaQuery: DeleteMediaQuery;
  DeleteMediaAnswer: DeleteMediaAnswer;
  QueryTaskQuery: QueryTaskQuery;
  ListTasksQuery: ListTasksQuery;
  ListTasksAnswer: ListTasksAnswer;
  QueryTasksAnswer: QueryTasksAnswer;
  ListModelsAnswer: ListModelsAnswer;
  CreateUpscaleAnswer: CreateUpscaleAnswer;
  QueryUpscaleQuery: QueryUpscaleQuery;
  ReadAssetQuery: ReadAssetQuery;
  ListAssetsQuery: ListAssetsQuery;
  ListAssetsAnswer: ListAssetsAnswer;
  DeleteAssetQuery: DeleteAssetQuery;
  DeleteAssetAnswer: DeleteAssetAnswer;
  ReadUploadQuery: ReadUploadQuery;
  ReadCreditsAnswer: ReadCreditsAnswer;
  ReadLedgerQuery: ReadLedgerQuery;
  ReadLedgerAnswer: ReadLedgerAnswer;
  ReadUsageQuery: ReadUsageQuery;
  ReadUsageAnswer: ReadUsageAnswer;
  ListDeliveriesQuery: ListDeliveriesQuery;
  ListDeliveriesAnswer: ListDeliveriesAnswer;
  ReadDeliveryQuery: ReadDeliveryQuery;
  ReadDeliveryAnswer: ReadDeliveryAnswer;
  DeliverAgainAnswer: DeliverAgainAnswer;
  SendTestEventAnswer: SendTestEventAnswer;
  ReadEventsQuery: ReadEventsQuery;
  ReadEventsAnswer: ReadEventsAnswer;
  ReadWebhookSecretAnswer: ReadWebhookSecretAnswer;
  RotateWebhookSecretAnswer: RotateWebhookSecretAnswer;
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
   * Length of the video: whole seconds as text, with or without an 's'.
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
   * Items: A public http or https URL, or asset://<upstreamAssetId>.
   */
  urls: string[];
  /**
   * Length of the video: whole seconds as text, with or without an 's'.
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
   * Items: A public http or https URL, or asset://<upstreamAssetId>.
   */
  urls: string[];
  /**
   * Selects this mode.
   */
  videoInputMode?: "keyframe";
  /**
   * Length of the video: whole seconds as text, with or without an 's'.
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
   * Items: A public http or https URL, or asset://<upstreamAssetId>.
   */
  urls?: string[];
  /**
   * Reference videos. Their duration counts towards the price.
   *
   * @minItems 1
   * @maxItems 3
   *
   * Items: asset://<upstreamAssetId> of an uploaded video.
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
   * Length of the video: whole seconds as text, with or without an 's'.
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
   * Length of the video: whole seconds as text, with or without an 's'.
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
   * Items: A public http or https URL, or asset://<upstreamAssetId>.
   */
  urls: string[];
  /**
   * Length of the video: whole seconds as text, with or without an 's'.
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
   * Items: A public http or https URL, or asset://<upstreamAssetId>.
   */
  urls: string[];
  /**
   * Selects this mode.
   */
  videoInputMode?: "keyframe";
  /**
   * Length of the video: whole seconds as text, with or without an 's'.
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
   * Items: A public http or https URL, or asset://<upstreamAssetId>.
   */
  urls?: string[];
  /**
   * Reference videos. Their duration counts towards the price.
   *
   * @minItems 1
   * @maxItems 3
   *
   * Items: asset://<upstreamAssetId> of an uploaded video.
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
   * Length of the video: whole seconds as text, with or without an 's'.
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
   * Length of the video: whole seconds as text, with or without an 's'.
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
   * Items: A public https URL, or asset://<upstreamAssetId>.
   */
  urls: string[];
  /**
   * Length of the video: whole seconds as text, with or without an 's'.
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
   * Items: A public https URL, or asset://<upstreamAssetId>.
   */
  urls: string[];
  /**
   * Selects this mode.
   */
  videoWorkflowTab: "multi-reference";
  /**
   * Length of the video: whole seconds as text, with or without an 's'.
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
   * Items: A public https URL, or asset://<upstreamAssetId>.
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
   * Items: A public https URL, or asset://<upstreamAssetId>.
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
}
export interface Transfer {
  /**
   * Consecutive within the account, starting at 1.
   */
  number: number;
  /**
   * A task holds its price, raises the hold if the price becomes known later, and ends with a capture (charged) or a release (refunded).
   */
  kind: "grant" | "hold" | "raise" | "capture" | "release" | "adjust";
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
   * null until the upload is completed.
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
         * The link works until then, unless you delete the media earlier. Epoch milliseconds.
         */
        expiresAt: number | null;
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
        schedule: "A" | "B";
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
        schedule: "A" | "B";
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
  schedule: "A" | "B";
  formula: string;
  targets: {
    targetResolution: string;
    /**
     * Short side of the output in pixels.
     */
    shortSide: number;
    creditsPerSecond: number;
  }[];
  secondsMax: number;
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
     * The link works until then. Epoch milliseconds.
     */
    expiresAt: number | null;
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
         * The link works until then, unless you delete the media earlier. Epoch milliseconds.
         */
        expiresAt: number | null;
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
     * The link works until then. Epoch milliseconds.
     */
    expiresAt: number | null;
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
   * null for a test event.
   */
  taskId: string | null;
  url: string;
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
    item: "output" | "inputVideo" | "upscale" | "image";
    description: string;
    unit: "second" | "image";
    quantity: number;
    creditsPerUnit: number;
    credits: number;
  }[];
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
  kind?: "generation" | "upscale";
  model?: string;
  status?: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";
  keyId?: string;
  mode?: "live" | "test";
  from?: string;
  to?: string;
  prompt?: string;
  cursor?: string;
  limit?: number;
}
export interface ListTasksAnswer {
  items: (ListedGenerationTask | ListedUpscaleTask)[];
  /**
   * null on the last page. A page with a filter can have fewer items than `limit`, or none, and still have a nextCursor: the search continues there.
   */
  nextCursor: string | null;
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
export interface ListModelsAnswer {
  models: Model[];
  upscaler: Upscaler;
}
export interface CreateUpscaleAnswer {
  taskId: string;
  /**
   * The id of the hold in the ledger.
   */
  orderId: string;
  status: "validating";
}
export interface QueryUpscaleQuery {
  taskId: string;
}
export interface ReadAssetQuery {
  assetId: string;
}
export interface ListAssetsQuery {
  type?: "IMAGE" | "AUDIO" | "VIDEO";
  status?: "NONE" | "PROCESSING" | "ACTIVE" | "FAILED";
  cursor?: number;
  limit?: number;
}
export interface ListAssetsAnswer {
  items: Asset[];
  /**
   * null on the last page.
   */
  nextCursor: number | null;
}
export interface DeleteAssetQuery {
  assetId: string;
}
export interface DeleteAssetAnswer {
  assetId: number;
  upstreamAssetId: string;
  deleted: true;
}
export interface ReadUploadQuery {
  uploadId: string;
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
}
export interface ReadLedgerQuery {
  cursor?: number;
  limit?: number;
}
export interface ReadLedgerAnswer {
  items: Transfer[];
  /**
   * null on the last page.
   */
  nextCursor: number | null;
}
export interface ReadUsageQuery {
  by?: "hour" | "day" | "month";
  group?: "model" | "key" | "status";
  from?: string;
  to?: string;
  cursor?: string;
  limit?: number;
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
export interface ListDeliveriesQuery {
  taskId?: string;
  outcome?: "pending" | "delivered" | "failed";
  cursor?: string;
  limit?: number;
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
   * null for a test event.
   */
  taskId: string | null;
  url: string;
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
export interface SendTestEventAnswer {
  deliveryId: string;
}
export interface ReadEventsQuery {
  after?: number;
  limit?: number;
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
