import { deflateRawSync } from "node:zlib";
import { png } from "../../../kit/png.ts";
import {
  damaged,
  gif,
  image,
  type MediaFile,
  mistaken,
  refersElsewhere,
  unknownType,
  video,
} from "../media-file.ts";
import { box, numbers, replaced } from "./mp4-boxes.ts";
import { h264, moving, type Renderer } from "./render.ts";

/** Targets that files may point at and nobody may open: an address, and a file of this machine. */
export interface Canary {
  url: string;
  path: string;
}

/** Lists of other files that call themselves a video, an audio file or an image. */
export function playlists({ url, path }: Canary): MediaFile[] {
  const texts: Record<string, string> = {
    "hls-to-web": `#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\n${url}\n#EXT-X-ENDLIST\n`,
    "hls-to-file": `#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nfile://${path}\n#EXT-X-ENDLIST\n`,
    dash: `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT5S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>${url}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
    "ffconcat-to-file": `ffconcat version 1.0\nfile '${path}'\n`,
    "ffconcat-to-web": `ffconcat version 1.0\nfile '${url}'\n`,
    sdp: `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video ${new URL(url).port} RTP/AVP 96\na=rtpmap:96 H264/90000\n`,
    subfile: `#EXTM3U\n#EXTINF:5,\nsubfile,,start,0,end,100,,:${path}\n`,
  };
  const front = box("ftyp", Buffer.from("isom\0\0\x02\0isomiso2"));
  const id3 = Buffer.from("ID3\x04\0\0\0\0\0\0", "latin1");
  return Object.entries(texts).flatMap(([name, text]): MediaFile[] => {
    const body = Buffer.from(text);
    const contentType = "video/mp4";
    return [
      { name: `${name}.mp4`, declaredType: "VIDEO", body, contentType, upload: unknownType },
      {
        name: `${name}-after-a-head.mp4`,
        declaredType: "VIDEO",
        body: Buffer.concat([front, body]),
        contentType,
        upload: damaged,
      },
      {
        name: `${name}-after-a-tag.mp3`,
        declaredType: "AUDIO",
        body: Buffer.concat([id3, body]),
        contentType: "audio/mpeg",
        upload: damaged,
      },
    ];
  });
}

/** Videos whose media is elsewhere. */
export async function references({ render }: Renderer, canary: Canary): Promise<MediaFile[]> {
  const whole = await render("to-refer.mov", ...moving(64, 64, 25, 1), ...h264);
  const linkTo = (kind: string, link: string) =>
    box("dref", numbers(0, 1), box(kind, numbers(0), Buffer.from(`${link}\0`)));
  const reference = box(
    "rmra",
    box(
      "rmda",
      box(
        "rdrf",
        numbers(0),
        Buffer.from("url "),
        numbers(canary.url.length + 1),
        Buffer.from(`${canary.url}\0`),
      ),
    ),
  );
  const offered = (name: string, body: Buffer): MediaFile => ({
    name,
    declaredType: "VIDEO",
    body,
    contentType: "video/quicktime",
    upload: refersElsewhere,
  });
  return [
    offered("media-at-url.mov", replaced(whole, "dref", linkTo("url ", canary.url))),
    offered(
      "media-at-file-url.mov",
      replaced(whole, "dref", linkTo("url ", `file://${canary.path}`)),
    ),
    offered(
      "media-at-path.mov",
      replaced(whole, "dref", box("dref", numbers(0, 1), aliasTo(canary.path))),
    ),
    offered("reference-movie.mov", replaced(whole, "moov", box("moov", reference))),
  ];
}

/** A Macintosh alias record, with the path once in its old form and once as a unix path. */
function aliasTo(path: string): Buffer {
  const head = Buffer.alloc(150);
  head.writeUInt16BE(150 + 4 + path.length, 4);
  head.writeUInt16BE(2, 6);
  head.writeUInt8(6, 10);
  head.write("volume", 11);
  const name = path.split("/").at(-1) ?? "";
  head.writeUInt8(Math.min(name.length, 63), 50);
  head.write(name.slice(0, 63), 51);
  const even = path.length % 2 === 0 ? path : `${path}\0`;
  const entry = Buffer.alloc(4);
  entry.writeUInt16BE(18, 0); // a path from the root of the volume
  entry.writeUInt16BE(path.length, 2);
  const end = Buffer.from([0xff, 0xff, 0, 0]);
  return box("alis", numbers(0), head, entry, Buffer.from(even), end);
}

/** Files that are two things at once, or not what their sender says. */
export async function polyglots({ render }: Renderer, canary: Canary): Promise<MediaFile[]> {
  const whole = await render("front.mp4", ...moving(64, 64, 25, 1), ...h264);
  const page = Buffer.from(`<html><script src="${canary.url}"></script></html>`);
  const still = png(64, 48);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><image href="${canary.url}"/><image href="file://${canary.path}"/></svg>`;
  const script = Buffer.from("GIF89a=1;fetch('/x')//");
  const is = (
    name: string,
    declaredType: MediaFile["declaredType"],
    body: Buffer,
    contentType: string,
  ) => ({
    name,
    declaredType,
    body,
    contentType,
  });
  return [
    {
      ...is("png-and-zip.png", "IMAGE", Buffer.concat([still, zipOf(page)]), "image/png"),
      upload: image(64, 48, "png"),
    },
    { ...is("gif-and-script.gif", "IMAGE", script, "image/gif"), upload: gif },
    {
      ...is("page-then-video.mp4", "VIDEO", Buffer.concat([page, whole]), "video/mp4"),
      upload: unknownType,
    },
    {
      ...is("video-with-page.mp4", "VIDEO", Buffer.concat([whole, box("free", page)]), "video/mp4"),
      upload: video(64, 64, 1, "mp4"),
    },
    {
      ...is("page-in-free.mp4", "VIDEO", Buffer.concat([box("free", page)]), "video/mp4"),
      upload: damaged,
    },
    { ...is("svg.png", "IMAGE", Buffer.from(svg), "image/png"), upload: unknownType },
    {
      ...is("svg-after-xml.png", "IMAGE", Buffer.from(`<?xml version="1.0"?>${svg}`), "image/png"),
      upload: unknownType,
    },
    { ...is("image-as-page.html", "IMAGE", still, "text/html"), upload: image(64, 48, "png") },
    { ...is("image-as-video.mp4", "IMAGE", still, "video/mp4"), upload: image(64, 48, "png") },
    { ...is("video-as-image.png", "VIDEO", whole, "image/png"), upload: video(64, 64, 1, "mp4") },
    { ...is("page-as-image.png", "IMAGE", page, "image/png"), upload: unknownType },
    {
      ...is("image-declared-audio.mp3", "AUDIO", still, "audio/mpeg"),
      upload: mistaken("IMAGE", "AUDIO"),
    },
    {
      ...is("video-declared-image.png", "IMAGE", whole, "image/png"),
      upload: mistaken("VIDEO", "IMAGE"),
    },
    {
      ...is("image-declared-video.mp4", "VIDEO", still, "video/mp4"),
      upload: mistaken("IMAGE", "VIDEO"),
    },
  ];
}

/** A ZIP of one file that can be read from the end of anything. */
function zipOf(inside: Buffer): Buffer {
  const packed = deflateRawSync(inside);
  const name = Buffer.from("index.html");
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(packed.length, 18);
  local.writeUInt32LE(inside.length, 22);
  local.writeUInt16LE(name.length, 26);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  return Buffer.concat([local, name, packed, end]);
}
