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
import type { Made } from "./made.ts";
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

/** The inputs that name files; each also takes the file itself, which is uploaded first, or what a task made. */
type FileInput = "urls" | "videoUrls" | "audioUrls";

/** A number of seconds in the forms that JSON Schema describes with a pattern. */
type Seconds = number | `${number}` | `${number}s`;

/** Every model takes it by this name, whatever its own input is called. */
interface WithRatio {
  /** Such as `16:9`. */
  aspectRatio?: `${number}:${number}`;
}

type InputOf<Name, Value> = Name extends FileInput
  ? readonly (string | FileLike | Made)[]
  : Name extends "duration"
    ? Seconds
    : Value;

type WithFiles<Inputs> = Inputs extends unknown
  ? { [Name in keyof Inputs]: InputOf<Name, Inputs[Name]> }
  : never;

/** The name of a model, also of one that is newer than this package. */
export type AnyModel = ModelName | (string & {});

/**
 * The inputs of a model; a field of another model is a compile error. The service checks the inputs
 * of a model that is not known here.
 */
export type InputsOf<Model extends AnyModel> = Model extends ModelName
  ? WithFiles<Extract<AnyTask, { model: Model }>["inputs"]> &
      (Model extends "image-pro-2" | "image-plus-2" ? unknown : WithRatio)
  : Readonly<Record<string, unknown>>;

/** The request of one model, or of any model if the name is not known here. */
export interface RequestOf<Model extends AnyModel> {
  model: Model;
  inputs: InputsOf<Model>;
  callBackUrl?: string | undefined;
  /** The most that the task may cost; above it nothing is created. */
  maxCredits?: number | undefined;
}

/** A union on `model`: the inputs are those of the model. */
export type TaskRequest<Model extends AnyModel = ModelName> = Model extends unknown
  ? RequestOf<Model>
  : never;
