import type { Image } from "../scenes/paint.ts";

/** The properties that determine the painted world of a video or image. */
export interface WorldSpec {
  prompt: string;
  width: number;
  height: number;
  /** 0 for an image, which shows the first moment of the video. */
  seconds: number;
  audio: boolean;
  seed: number;
}

/** The input files: untrusted bytes. */
export interface VideoInputs {
  /** Images that fill the video at its very beginning and its very end. */
  firstFrame?: Buffer;
  lastFrame?: Buffer;
  /** Images and videos (MP4 or MOV) of which a thumbnail is seen throughout. */
  references?: readonly Buffer[];
  clips?: readonly Buffer[];
  /** WAV or MP3, played from the beginning if the video has audio. */
  audioFiles?: readonly Buffer[];
}

/** Everything a video depends on: the same spec gives the same video. */
export interface VideoSpec extends WorldSpec, VideoInputs {}

/** The inputs, decoded: what renders reads nothing but this. */
export interface Media {
  /** RGB of the frame's size; the ground is an image's that is edited. */
  ground?: Image;
  firstFrame?: Image;
  lastFrame?: Image;
  thumbs: readonly Image[];
  /** 16 bit mono. */
  audioFiles: readonly Buffer[];
}

export const noMedia: Media = { thumbs: [], audioFiles: [] };
