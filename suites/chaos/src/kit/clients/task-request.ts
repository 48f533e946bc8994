/** A client's request, and the behaviour of its receiver. */
export interface TaskRequest {
  /** The idempotency key. */
  key: string;
  /** The video to upscale, whose length `seconds` is; null: a video is to be made. */
  sourceUrl: string | null;
  prompt: string;
  /** The sandbox directives in the prompt: what the vendor does with it. */
  directives: string;
  outputResolution: "720p" | "1080p";
  seconds: number;
  behaviour: "well" | "500-first" | "drop-first" | "500-always" | null;
  /** Sent twice at the same time, under the one key. */
  isSentTwice: boolean;
  /** False for what the account cannot pay: to be refused with 402. */
  isAffordable: boolean;
}
