/** Inputs of tracks that this machine's ffmpeg copies or converts, but cannot make itself, by their names. */
export const trackFiles: Readonly<Record<string, string | Buffer>> = {
  "subtitles.srt": "1\n00:00:00,000 --> 00:00:02,000\nhello\n",
  "captions.scc":
    "Scenarist_SCC V1.0\n\n00:00:00:00\t9420 9420 9470 9470 c8e5 ecec ef80 942f 942f\n\n00:00:03:00\t942c 942c\n",
  "subtitles.sup": makeBitmapSubtitles(),
  "narrow.amr": makeAmr("#!AMR\n", 12),
  "wide.amr": makeAmr("#!AMR-WB\n", 17),
};

/** 5.5 s of frames in the lowest mode: a header of one byte, and zeros. */
function makeAmr(signature: string, zeros: number): Buffer {
  const frame = Buffer.concat([Buffer.of(4), Buffer.alloc(zeros)]);
  return Buffer.concat([Buffer.from(signature), ...Array<Buffer>(275).fill(frame)]);
}

/** Subtitles of a Blu-ray disc (PGS): a line of four pixels, shown for two seconds. */
function makeBitmapSubtitles(): Buffer {
  const composition = (number: number, objects: number[]) => {
    const frame = [0, 64, 0, 36, 16]; // 64x36
    return [...frame, 0, number, 128, 0, 0, objects.length === 0 ? 0 : 1, ...objects];
  };
  const end: number[] = [];
  return Buffer.concat([
    segment(0, 0x16, composition(0, [0, 0, 0, 0, 0, 8, 0, 8])),
    segment(0, 0x17, [1, 0, 0, 8, 0, 8, 0, 4, 0, 1]), // the window
    segment(0, 0x14, [0, 0, 1, 235, 128, 128, 255]), // a palette with white
    segment(0, 0x15, [0, 0, 0, 0xc0, 0, 0, 10, 0, 4, 0, 1, 1, 1, 1, 1, 0, 0]), // the pixels
    segment(0, 0x80, end),
    segment(2, 0x16, composition(1, [])),
    segment(2, 0x80, end),
  ]);
}

function segment(atSeconds: number, type: number, bytes: number[]): Buffer {
  const head = Buffer.alloc(13);
  head.write("PG");
  head.writeUInt32BE(atSeconds * 90_000, 2);
  head.writeUInt8(type, 10);
  head.writeUInt16BE(bytes.length, 11);
  return Buffer.concat([head, Buffer.from(bytes)]);
}
