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
import type { FileLike } from "./read-file.ts";

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

/** What JSON Schema says with a pattern. */
type Seconds = `${number}` | `${number}s`;

type InputOf<Name, Value> = Name extends FileInput
  ? readonly (string | FileLike)[]
  : Name extends "duration"
    ? Seconds
    : Value;

type WithFiles<Inputs> = Inputs extends unknown
  ? { [Name in keyof Inputs]: InputOf<Name, Inputs[Name]> }
  : never;

/** What a model takes; a field of another model is a compile error. */
export type InputsOf<Model extends ModelName> = WithFiles<
  Extract<AnyTask, { model: Model }>["inputs"]
>;

interface RequestOf<Model extends ModelName> {
  model: Model;
  inputs: InputsOf<Model>;
  callBackUrl?: string | undefined;
  /** The most that the task may cost; above it nothing is created. */
  maxCredits?: number | undefined;
}

/** A union on `model`: the inputs are those of the model. */
export type TaskRequest<Model extends ModelName = ModelName> = {
  [Name in Model]: RequestOf<Name>;
}[Model];
