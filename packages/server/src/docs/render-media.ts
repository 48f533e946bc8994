import {
  audioCodecs,
  framePixelsMax,
  imagePixelsMax,
  tracksMax,
  videoCodecs,
} from "../media/probe/codecs.ts";

/** Renders the facts that the service reads from files. */
export function renderMedia(): string {
  const listed = (codecs: readonly { name: string }[]) => codecs.map(({ name }) => name).join(", ");
  return `# Media

What this service reads of images, videos and audio that are uploaded, named as inputs or upscaled. A model can require more of a file: see [parameters](./parameters.md).

| | |
| --- | --- |
| images | JPEG, PNG, WebP and BMP; not animated; at most ${imagePixelsMax / 1_000_000} megapixels |
| videos | MP4, MOV and WebM with a video track |
| audio | WAV (also RF64) and MP3 |
| video codecs | ${listed(videoCodecs)} |
| audio codecs, alone or with a video | ${listed(audioCodecs)} |
| tracks | at most ${tracksMax}; subtitles, data, timecode and cover images are passed over |
| a frame | at most ${framePixelsMax / 1_000_000} megapixels |

A file with another codec is refused, and the error names the codec. AVIF, HEIC, CR3 and JPEG 2000 images and M4A audio are in the same boxes as MP4; they are recognised by their brand and refused by name. "Is damaged" is said only of files that cannot be read.
`;
}
