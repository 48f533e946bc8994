import type { MediaFile } from "../media-file.ts";
import { sidesAndRatios, sizesAndFormats } from "./boundaries.ts";
import { type Canary, playlists, polyglots, references } from "./disguises.ts";
import { animatedImages, heavyImages, plainImages } from "./images.ts";
import type { Studio } from "./render.ts";
import { sounds } from "./sounds.ts";
import { transports } from "./transport.ts";
import { bombs, longVideos, plainVideos, sidesOfVideos } from "./videos.ts";

/** Every file of the run, made now: nothing of it is kept in the repository. */
export async function makeFiles(studio: Studio, canary: Canary): Promise<MediaFile[]> {
  return [
    ...(await plainVideos(studio)),
    ...(await longVideos(studio)),
    ...(await sidesOfVideos(studio)),
    ...(await bombs(studio)),
    ...playlists(canary),
    ...(await references(studio, canary)),
    ...(await polyglots(studio, canary)),
    ...(await plainImages(studio)),
    ...heavyImages(),
    ...(await animatedImages(studio)),
    ...(await sounds(studio)),
    ...sidesAndRatios(),
    ...(await sizesAndFormats(studio)),
    ...(await transports(studio)),
  ];
}
