import { audio, damaged, type MediaFile, type Outcome, unknownType } from "../media-file.ts";
import { moving, type Renderer, tone } from "./render.ts";

export async function audioFiles({ render }: Renderer): Promise<MediaFile[]> {
  const made = async (name: string, args: string[], upload: Outcome): Promise<MediaFile> => ({
    name,
    declaredType: "AUDIO",
    body: await render(name, ...args),
    upload,
  });
  const cover = ["-map", "0", "-map", "1", "-c:v", "mjpeg", "-frames:v", "1"];
  const withCover = [
    ...tone(3),
    ...moving(64, 64, 1, 1),
    ...cover,
    "-disposition:v",
    "attached_pic",
  ];
  const wav = await render("to-cut.wav", ...tone(2));
  const declaresMore = Buffer.from(wav);
  declaresMore.writeUInt32LE(0x7fffffff, declaresMore.indexOf("data") + 4);
  const offered = (name: string, body: Buffer, upload: Outcome): MediaFile => ({
    name,
    declaredType: "AUDIO",
    body,
    upload,
  });
  return [
    await made("plain.mp3", tone(3), audio(3, "mp3")),
    await made("plain.wav", tone(3), audio(3, "wav")),
    await made("with-cover.mp3", withCover, audio(3, "mp3")),
    await made("15-s.mp3", tone(15), audio(15, "mp3")),
    await made("15-s.wav", tone(15), audio(15, "wav")),
    await made("15.001-s.wav", [...tone(16), "-t", "15.001"], audio(15.001, "wav")),
    await made("15.1-s.mp3", tone(15.1), audio(15.1, "mp3")),
    await made("600-s.mp3", [...tone(600), "-ar", "8000", "-b:a", "8k"], audio(600, "mp3")),
    offered("half.wav", wav.subarray(0, 44 + 88_234), audio(1, "wav")),
    offered("says-more.wav", declaresMore, audio(2, "wav")),
    offered("empty.mp3", Buffer.alloc(0), unknownType),
    offered("head-only.wav", wav.subarray(0, 44), damaged),
    offered("tag-only.mp3", Buffer.from("ID3\x04\0\0\0\0\0\0", "latin1"), damaged),
  ];
}
