/** What a video model was asked for, checked and with its defaults filled in. Stored with the task. */
export interface VideoRequest {
  model: "sd2";
  prompt: string;
  durationSeconds: number;
  /** `null` lets the model choose. */
  ratio: VideoRatio | null;
  outputResolution: "720p" | "1080p";
  /** `null` is random. */
  seed: number | null;
  generateAudio: boolean;
}

export type VideoRatio = "1:1" | "3:4" | "4:3" | "16:9" | "9:16" | "21:9";
