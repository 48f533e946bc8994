import type { EntryPoint } from "./media-file.ts";

/** The end that the vendor is told to make of it: quick, and no video. */
const words = "[sandbox:fail]";

/** The task that takes a file in at a door. `good` is an image that every model takes. */
export function orderAt(door: EntryPoint, link: string, good: string) {
  const reference = { prompt: words, videoInputMode: "reference", resolution: "1280x720" };
  switch (door) {
    case "sd2 frame":
      return { model: "sd2", inputs: { prompt: words, urls: [link], duration: "4s" } };
    case "sd2 reference":
      return { model: "sd2", inputs: { ...reference, urls: [link] } };
    case "sd2 video":
      return { model: "sd2", inputs: { ...reference, videoUrls: [link] } };
    case "sd2 sound":
      return { model: "sd2", inputs: { ...reference, urls: [good], audioUrls: [link] } };
    case "happyhorse":
      return { model: "happyhorse", inputs: { prompt: words, urls: [link], duration: "3" } };
    case "image-pro-2":
    case "image-plus-2":
      return { model: door, inputs: { prompt: "Make it night", urls: [link], resolution: "1k" } };
  }
}

/** How a refusal names the file. */
export function paramAt(door: EntryPoint): string {
  if (door === "sd2 video") return "inputs.videoUrls[0]";
  return door === "sd2 sound" ? "inputs.audioUrls[0]" : "inputs.urls[0]";
}
