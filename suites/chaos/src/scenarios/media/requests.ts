import type { EntryPoint } from "./media-file.ts";

/** Makes the vendor fail the job at once, without a video. */
const directives = "[sandbox:fail]";

/** The task that takes a file in at an entry point. `good` is an image that every model takes. */
export function requestAt(entryPoint: EntryPoint, link: string, good: string) {
  const reference = { prompt: directives, videoInputMode: "reference", resolution: "1280x720" };
  switch (entryPoint) {
    case "sd2 frame":
      return { model: "sd2", inputs: { prompt: directives, urls: [link], duration: "4s" } };
    case "sd2 reference":
      return { model: "sd2", inputs: { ...reference, urls: [link] } };
    case "sd2 video":
      return { model: "sd2", inputs: { ...reference, videoUrls: [link] } };
    case "sd2 audio":
      return { model: "sd2", inputs: { ...reference, urls: [good], audioUrls: [link] } };
    case "happyhorse":
      return { model: "happyhorse", inputs: { prompt: directives, urls: [link], duration: "3" } };
    case "image-pro-2":
    case "image-plus-2":
      return {
        model: entryPoint,
        inputs: { prompt: "Make it night", urls: [link], resolution: "1k" },
      };
  }
}

/** Returns the name of the file in a refusal. */
export function paramAt(entryPoint: EntryPoint): string {
  if (entryPoint === "sd2 video") return "inputs.videoUrls[0]";
  return entryPoint === "sd2 audio" ? "inputs.audioUrls[0]" : "inputs.urls[0]";
}
