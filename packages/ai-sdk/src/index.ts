// biome-ignore-all lint/performance/noBarrelFile: what the package offers

export type { ZoetropeErrorData } from "./call-errors.ts";
export { createZoetrope, type ZoetropeProvider, zoetrope } from "./create-zoetrope.ts";
export type {
  AnyImageModelId,
  AnyVideoModelId,
  ImageModelId,
  VideoModelId,
} from "./model-traits.ts";
export type { ZoetropeImageOptions, ZoetropeVideoOptions } from "./provider-options.ts";
export type { ZoetropeSettings } from "./settings.ts";
