import type { MediaFile } from "../media-file.ts";
import { audioFiles } from "./audio-files.ts";
import { sidesAndRatios, sizesAndFormats } from "./boundaries.ts";
import { type Canary, playlists, polyglots, references } from "./disguises.ts";
import { animatedImages, heavyImages, plainImages } from "./images.ts";
import type { Renderer } from "./render.ts";
import { transports } from "./transport.ts";
import { bombs, longVideos, plainVideos, sidesOfVideos } from "./videos.ts";

/** Every file of the run, made now: nothing of it is kept in the repository. */
export async function makeFiles(renderer: Renderer, canary: Canary): Promise<MediaFile[]> {
  return [
    ...(await plainVideos(renderer)),
    ...(await longVideos(renderer)),
    ...(await sidesOfVideos(renderer)),
    ...(await bombs(renderer)),
    ...playlists(canary),
    ...(await references(renderer, canary)),
    ...(await polyglots(renderer, canary)),
    ...(await plainImages(renderer)),
    ...heavyImages(),
    ...(await animatedImages(renderer)),
    ...(await audioFiles(renderer)),
    ...sidesAndRatios(),
    ...(await sizesAndFormats(renderer)),
    ...(await transports(renderer)),
  ];
}
