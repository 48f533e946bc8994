import type {
  Asset,
  GenerationTask,
  HappyhorseTaskInput,
  ImagePlus2TaskInput,
  ImagePro2TaskInput,
  Sd2FastTaskInput,
  Sd2TaskInput,
  UpscaleTask,
} from "./generated.ts";
import type { FileLike } from "./upload-file.ts";

export type { Asset, GenerationTask, UpscaleTask };

type AnyTask =
  | Sd2TaskInput
  | Sd2FastTaskInput
  | HappyhorseTaskInput
  | ImagePro2TaskInput
  | ImagePlus2TaskInput;

export type ModelName = AnyTask["model"];
export type AssetType = Asset["type"];
export type TargetResolution = UpscaleTask["targetResolution"];

/** The inputs that name files; each also takes the file itself, which is uploaded first. */
type FileInput = "urls" | "videoUrls" | "audioUrls";

type WithFiles<Inputs> = Inputs extends unknown
  ? {
      [Name in keyof Inputs]: Name extends FileInput ? (string | FileLike)[] : Inputs[Name];
    }
  : never;

/** What a model takes; a field of another model is a compile error. */
export type InputsOf<Model extends ModelName> = WithFiles<
  Extract<AnyTask, { model: Model }>["inputs"]
>;

export interface TaskRequest<Model extends ModelName = ModelName> {
  model: Model;
  inputs: InputsOf<Model>;
  callBackUrl?: string | undefined;
  /** The most that the task may cost; above it nothing is created. */
  maxCredits?: number | undefined;
}
