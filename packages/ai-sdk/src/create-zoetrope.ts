import {
  type FilesV4,
  type ImageModelV4,
  NoSuchModelError,
  type ProviderV4,
  type Experimental_VideoModelV4 as VideoModelV4,
} from "@ai-sdk/provider";
import { openImageModel } from "./image-model.ts";
import type { AnyImageModelId, AnyVideoModelId } from "./model-traits.ts";
import { openFiles } from "./open-files.ts";
import {
  type Connection,
  connect,
  requireKnownSettings,
  type ZoetropeSettings,
} from "./settings.ts";
import { openVideoModel, type Shared } from "./video-model.ts";

export interface ZoetropeProvider extends ProviderV4 {
  video(modelId: AnyVideoModelId): VideoModelV4;
  videoModel(modelId: string): VideoModelV4;
  image(modelId: AnyImageModelId): ImageModelV4;
  files(): FilesV4;
}

/** The models of a Zoetrope service. Nothing is read from the environment before the first call. */
export function createZoetrope(settings: ZoetropeSettings = {}): ZoetropeProvider {
  requireKnownSettings(settings);
  let connection: Connection | undefined;
  const connectOnce = () => {
    connection ??= connect(settings);
    return connection;
  };
  const shared: Shared = { connect: connectOnce, videos: new Map(), verdicts: new Map() };
  const videoModel = (modelId: string) => openVideoModel(shared, modelId);
  const imageModel = (modelId: string) => openImageModel(shared, modelId);
  return {
    specificationVersion: "v4",
    video: videoModel,
    videoModel,
    image: imageModel,
    imageModel,
    files: () => openFiles(connectOnce),
    languageModel(modelId) {
      throw new NoSuchModelError({ modelId, modelType: "languageModel" });
    },
    embeddingModel(modelId) {
      throw new NoSuchModelError({ modelId, modelType: "embeddingModel" });
    },
  };
}

/** A provider with the settings of the environment: `ZOETROPE_BASE_URL` and `ZOETROPE_API_KEY`. */
export const zoetrope = createZoetrope();
