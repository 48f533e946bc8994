import type { MediaFile } from "../media-file.ts";
import { sidesAndRatios, sizesAndFormats } from "./boundaries.ts";
import { type Canary, playlists, polyglots, references } from "./disguises.ts";
import { bombs, longFilms, plainFilms, sidesOfFilms } from "./films.ts";
import { animatedPictures, heavyPictures, plainPictures } from "./pictures.ts";
import type { Studio } from "./render.ts";
import { sounds } from "./sounds.ts";
import { transports } from "./transport.ts";

/** Every file of the run, made now: nothing of it is kept in the repository. */
export async function makeFiles(studio: Studio, canary: Canary): Promise<MediaFile[]> {
  return [
    ...(await plainFilms(studio)),
    ...(await longFilms(studio)),
    ...(await sidesOfFilms(studio)),
    ...(await bombs(studio)),
    ...playlists(canary),
    ...(await references(studio, canary)),
    ...(await polyglots(studio, canary)),
    ...(await plainPictures(studio)),
    ...heavyPictures(),
    ...(await animatedPictures(studio)),
    ...(await sounds(studio)),
    ...sidesAndRatios(),
    ...(await sizesAndFormats(studio)),
    ...(await transports(studio)),
  ];
}
