import { lavfi } from "@zoetrope/testkit/make-media.ts";

/** The options with which ffmpeg makes a file. */
export interface Recipe {
  name: string;
  /** The ending decides on the container. */
  ending: string;
  args: string[];
  /** Whether it has the form in which vendors deliver. */
  isUsual: boolean;
}

/** Returns a random choice with the same numbers in every run. */
export function createRandom(seed: number): <Item>(items: readonly Item[]) => Item {
  let state = seed;
  return (items) => {
    state = (state + 0x6d2b79f5) >>> 0; // mulberry32
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    const share = ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    const item = items[Math.floor(share * items.length)];
    if (item === undefined) throw new Error("nothing to choose from");
    return item;
  };
}

const sizes = ["64x48", "48x64", "66x50", "50x38", "176x144", "128x72"];
/** x265 damages its memory at smaller sides. */
const sizesOfHevc = ["176x144", "128x72", "144x176", "162x130"];
const wholeRates = ["8", "12", "15", "16", "24", "25", "30", "48", "50", "60"];
const rates = [...wholeRates, "24000/1001", "30000/1001", "60000/1001"];
const frames = [2, 3, 7, 10, 24, 25, 49, 81, 97, 121, 145];
const h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
const hevc = ["-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
const x265 = (params: string) => [
  "-x265-params",
  `log-level=error:pools=none:frame-threads=1:${params}`,
];
const encoders: Record<string, string[]> = {
  h264: [...h264, "-bf", "0"],
  "h264 with B-frames": [...h264, "-bf", "2"],
  "h264 with a pyramid": [...h264, "-bf", "3", "-x264-params", "b-pyramid=normal:ref=4"],
  "h264 baseline": [...h264, "-profile:v", "baseline"],
  "h264 without VUI timing": [...h264, "-bf", "2", "-x264-params", "force-cfr=0"],
  "h264 of short groups": [...h264, "-bf", "2", "-g", "12", "-color_primaries", "bt709"],
  hevc: [...hevc, ...x265("bframes=0")],
  "hevc as hvc1": [...hevc, "-tag:v", "hvc1", ...x265("bframes=0")],
  "hevc with B-frames": [...hevc, "-tag:v", "hvc1", ...x265("bframes=3")],
  "hevc of 10 bits": [...hevc, "-pix_fmt", "yuv420p10le", ...x265("bframes=2")],
};
const aac = ["-c:a", "aac"];

function moving(size: string, rate: string, seconds: number): string[] {
  return lavfi(`testsrc=s=${size}:r=${rate}:d=${seconds.toFixed(6)}`);
}

function secondsOf(count: number, rate: string): number {
  const [over = 1, under = 1] = rate.split("/").map(Number);
  return (count * under) / over;
}

/**
 * Returns recipes of files as vendors deliver them: every combination is possible, and random ones are
 * made.
 */
export function usualRecipes(count: number): Recipe[] {
  const choose = createRandom(7);
  return Array.from({ length: count }, () => {
    const [encoder, rate] = [choose(Object.keys(encoders)), choose(rates)];
    const size = choose(encoder.startsWith("hevc") ? sizesOfHevc : sizes);
    const frameCount = choose(frames);
    const seconds = secondsOf(frameCount, rate);
    const sampleRate = choose([0, 0, 44_100, 48_000, 24_000]);
    const audioSeconds = choose([seconds, seconds, seconds * 0.8, Math.floor(seconds) || seconds]);
    const hasAudio = sampleRate > 0 && audioSeconds > 0.1;
    const index = choose([[], ["-movflags", "+faststart"]]);
    const sound = choose(["sine=r", "sine=r", "anullsrc=r"]); // silence has packets of one size
    const audio = hasAudio ? lavfi(`${sound}=${sampleRate}:d=${audioSeconds.toFixed(6)}`) : [];
    return {
      name: `${encoder}, ${frameCount} frames of ${size} at ${rate}, audio ${hasAudio ? `${sampleRate} ${audioSeconds.toFixed(2)} s` : "none"}${index.length > 0 ? ", index first" : ""}`,
      ending: "mp4",
      args: [
        ...moving(size, rate, seconds),
        ...audio,
        ...(encoders[encoder] ?? []),
        ...(hasAudio ? aac : []),
        ...index,
        "-frames:v",
        String(frameCount),
      ],
      isUsual: true,
    };
  });
}

const plain = moving("128x72", "25", 2);
const tone = (seconds: number) => lavfi(`sine=d=${seconds}`);
const both = [...plain, ...tone(2)];
const bFrames = [...h264, "-bf", "2"];
const flags = (movflags: string) => ["-movflags", movflags];

/** One thing each that vendors do not do, or not often. */
const oddArgs: Record<string, string[]> = {
  fragmented: [...both, ...bFrames, ...flags("frag_keyframe+empty_moov+default_base_moof")],
  "fragmented after its index": [...plain, ...h264, ...flags("frag_keyframe")],
  "fragmented for DASH": [...plain, ...bFrames, ...flags("dash+global_sidx")],
  CMAF: [...plain, ...bFrames, ...flags("cmaf")],
  "negative offsets": [...both, ...bFrames, ...flags("negative_cts_offsets")],
  "no edit list": [...both, ...bFrames, "-use_editlist", "0"],
  "hint tracks": [...both, ...h264, ...flags("rtphint")],
  colours: [...both, ...bFrames, ...flags("write_colr"), "-colorspace", "bt709"],
  "wide pixels": [...plain, ...h264, "-vf", "setsar=4/3"],
  "wide pixels in HEVC": [...plain, ...hevc, ...x265("bframes=0"), "-vf", "setsar=4/3"],
  anamorphic: [...plain, ...h264, "-aspect", "4:3"],
  interlaced: [...plain, ...h264, "-flags", "+ildct+ilme", "-x264-params", "tff=1"],
  "fake interlaced": [...plain, ...bFrames, "-x264-params", "fake-interlaced=1"],
  "picture structure": [...plain, ...bFrames, "-x264-params", "pic-struct=1"],
  "hypothetical decoder": [
    ...plain,
    ...bFrames,
    "-x264-params",
    "nal-hrd=vbr:vbv-maxrate=300:vbv-bufsize=300",
  ],
  "other rate in the stream": [...plain, ...bFrames, "-bsf:v", "h264_metadata=tick_rate=100"],
  "half the rate in the stream": [...plain, ...bFrames, "-bsf:v", "h264_metadata=tick_rate=25"],
  "parameters in the stream": [...plain, ...bFrames, "-bsf:v", "dump_extra"],
  "cropped in the stream": [...plain, ...h264, "-bsf:v", "h264_metadata=crop_right=8"],
  "cropped HEVC": [...plain, ...hevc, ...x265("bframes=0"), "-bsf:v", "hevc_metadata=crop_top=8"],
  "HEVC with scaling lists": [...plain, ...hevc, ...x265("scaling-list=default")],
  "HEVC with a display window": [...plain, ...hevc, ...x265("display-window=2,2,2,2")],
  "HEVC with repeated headers": [...both, ...hevc, ...x265("repeat-headers=1:bframes=3")],
  "HEVC with fields": [...plain, ...hevc, ...x265("interlace=tff:bframes=0")],
  "scaling lists": [...plain, ...bFrames, "-profile:v", "high", "-x264-params", "cqm=jvt"],
  "10 bits": [...plain, ...h264, "-pix_fmt", "yuv420p10le", "-bf", "2"],
  "4:2:2": [...plain, ...h264, "-pix_fmt", "yuv422p"],
  "4:4:4": [...plain, ...h264, "-pix_fmt", "yuv444p"],
  gray: [...plain, ...h264, "-pix_fmt", "gray"],
  "odd sides": [...moving("65x49", "25", 1), ...h264, "-pix_fmt", "yuv444p"],
  "one frame": [...plain, ...h264, "-frames:v", "1"],
  "one frame and audio": [...both, ...h264, "-frames:v", "1"],
  "one frame of HEVC": [...plain, ...hevc, ...x265("bframes=0"), "-frames:v", "1"],
  "two videos": [...plain, ...plain, ...h264, "-map", "0", "-map", "1"],
  "two audios": [...both, ...tone(1), ...h264, "-map", "0", "-map", "1", "-map", "2"],
  "audio alone": [...tone(2), ...aac],
  "time code": [...plain, ...h264, "-timecode", "01:00:00:00"],
  "a cover": [
    ...plain,
    ...plain,
    "-map",
    "0",
    "-map",
    "1",
    ...h264,
    "-c:v:1",
    "mjpeg",
    "-pix_fmt:v:1",
    "yuvj420p",
    "-frames:v:1",
    "1",
    "-disposition:v:1",
    "attached_pic",
  ],
  "variable rate": [
    ...plain,
    ...h264,
    "-bf",
    "0",
    "-vf",
    "select='mod(n+1,7)'",
    "-fps_mode",
    "vfr",
  ],
  "variable rate out of order": [
    ...plain,
    ...bFrames,
    "-vf",
    "select='mod(n+1,5)'",
    "-fps_mode",
    "vfr",
  ],
  "a long last frame": [
    ...plain,
    ...h264,
    "-bf",
    "0",
    "-bsf:v",
    "setts=duration=if(eq(N\\,49)\\,9*DURATION\\,DURATION)",
  ],
  "it begins late": ["-itsoffset", "0.5", ...plain, ...h264],
  "audio begins late": [...plain, "-itsoffset", "0.3", ...tone(2), ...bFrames],
  "audio begins a little late": [...plain, "-itsoffset", "0.05", ...tone(1), ...bFrames],
  "video begins late": ["-itsoffset", "0.3", ...plain, ...tone(2), ...bFrames],
  "video begins a little late": ["-itsoffset", "0.08", ...plain, ...tone(2), ...bFrames],
  "MPEG-4": [...plain, "-c:v", "mpeg4"],
  "Motion JPEG": [...plain, "-c:v", "mjpeg"],
  VP9: [...moving("64x48", "10", 0.5), "-c:v", "libvpx-vp9", "-deadline", "realtime"],
  AV1: [...moving("64x64", "10", 0.3), "-c:v", "libaom-av1", "-cpu-used", "8"],
  MP3: [...both, ...h264, "-c:a", "libmp3lame"],
  Opus: [...both, ...h264, "-c:a", "libopus"],
  "AC-3": [...both, ...h264, "-c:a", "ac3"],
  metadata: [...both, ...bFrames, "-metadata", "title=fox", "-metadata", "comment=covered"],
  brand: [...both, ...bFrames, "-brand", "mp42"],
  "Apple's brand": [...both, ...bFrames, "-brand", "qt  "],
};
for (const over of [0.03, 0.06, 0.08, 0.12, 1])
  oddArgs[`audio ${over} s longer`] = [...plain, ...tone(2 + over), ...bFrames];
for (const timescale of [24, 600, 1_000, 2_997, 12_800, 90_000, 1_000_000]) {
  const scale = ["-video_track_timescale", String(timescale)];
  oddArgs[`timescale ${timescale}`] = [...moving("64x48", "24", 2), ...h264, "-bf", "0", ...scale];
  oddArgs[`timescale ${timescale} out of order`] = [
    ...moving("64x48", "24", 2),
    ...bFrames,
    ...scale,
  ];
  oddArgs[`movie timescale ${timescale}`] = [
    ...moving("64x48", "30000/1001", 2),
    ...tone(2),
    ...bFrames,
    "-movie_timescale",
    String(timescale),
  ];
}

/** Other containers, whatever the file is called. */
const oddContainers = ["mkv", "webm", "mov", "3gp", "m4v", "ts", "avi", "flv"];

export function oddRecipes(): Recipe[] {
  const odd = Object.entries(oddArgs).flatMap(([name, args]) => [
    { name, ending: "mp4", args, isUsual: false },
    ...(args.includes("-movflags")
      ? []
      : [
          {
            name: `${name}, index first`,
            ending: "mp4",
            args: [...args, ...flags("faststart")],
            isUsual: false,
          },
        ]),
  ]);
  const containers = oddContainers.map((ending) => {
    const codec = ending === "webm" ? ["-c:v", "libvpx", "-c:a", "libopus"] : h264;
    const small = ending === "3gp" ? ["-ar", "44100", "-c:a", "aac"] : [];
    return { name: `in ${ending}`, ending, args: [...both, ...codec, ...small], isUsual: false };
  });
  return [...odd, ...containers];
}
