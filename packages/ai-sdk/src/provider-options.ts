import type { JSONObject, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { InputsOf } from "@zoetrope/sdk";
import type { ImageModelId, VideoModelId } from "./model-traits.ts";

type NameIn<Inputs> = Inputs extends unknown ? keyof Inputs : never;
type ValueIn<Inputs, Name> = Inputs extends unknown
  ? Name extends keyof Inputs
    ? Inputs[Name]
    : never
  : never;
type FileInput = "urls" | "videoUrls" | "audioUrls";

/** Every input of a model, in any mode; files by their addresses, `asset://…` or `https://…`. */
type AnyInput<Inputs> = {
  [Name in NameIn<Inputs>]?: Name extends FileInput ? string[] : ValueIn<Inputs, Name>;
};

type Limits = {
  /** The most that one video or image may cost; above it nothing is created. */
  maxCredits?: number;
};

/** `providerOptions.zoetrope` of a video: inputs by the names of the service, which replace all others. */
export type ZoetropeVideoOptions<Model extends VideoModelId = VideoModelId> = AnyInput<
  InputsOf<Model>
> &
  Limits;

/** `providerOptions.zoetrope` of an image. */
export type ZoetropeImageOptions<Model extends ImageModelId = ImageModelId> = AnyInput<
  InputsOf<Model>
> &
  Limits;

/** The service checks the inputs: it names one that is wrong. */
export function readProviderOptions(options: SharedV4ProviderOptions): {
  inputs: JSONObject;
  maxCredits: number | undefined;
} {
  const { maxCredits, ...inputs } = options["zoetrope"] ?? {};
  return { inputs, maxCredits: maxCredits === undefined ? undefined : Number(maxCredits) };
}
