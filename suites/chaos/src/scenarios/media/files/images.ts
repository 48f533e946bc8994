import { randomBytes } from "node:crypto";
import { chunk, png, textBomb } from "../../../kit/png.ts";
import {
  animated,
  damaged,
  gif,
  image,
  type MediaFile,
  type Outcome,
  refused,
  unknownType,
} from "../media-file.ts";
import { moving, type Renderer } from "./render.ts";

function offered(name: string, body: Buffer, upload: Outcome): MediaFile {
  return { name, declaredType: "IMAGE", body, upload };
}

/** Every format whole, and cut in the middle. */
export async function plainImages({ render }: Renderer): Promise<MediaFile[]> {
  const files: MediaFile[] = [];
  for (const [ending, ...args] of [["png"], ["jpg"], ["webp", "-c:v", "libwebp"], ["bmp"]]) {
    const frame = [...moving(640, 480, 1, 1), "-frames:v", "1", ...args];
    const whole = await render(`plain.${ending}`, ...frame);
    files.push(
      offered(`plain.${ending}`, whole, image(640, 480, ending ?? "")),
      offered(`cut.${ending}`, whole.subarray(0, whole.length / 2), damaged),
      offered(`head-only.${ending}`, whole.subarray(0, 60), damaged),
    );
    if (ending === "jpg") files.push(offered("turned.jpg", turned(whole), image(480, 640, "jpg")));
  }
  const noise = randomBytes(10_000);
  return [
    ...files,
    offered("empty.png", Buffer.alloc(0), unknownType),
    offered("one-byte.png", Buffer.from([0x89]), unknownType),
    offered("noise.png", Buffer.concat([Buffer.from([0]), noise]), unknownType),
    offered("noise-after-a-head.png", Buffer.concat([png(8, 8).subarray(0, 8), noise]), damaged),
    offered(
      "noise-after-a-head.jpg",
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), noise]),
      damaged,
    ),
    offered("noise-after-a-head.bmp", Buffer.concat([Buffer.from("BM"), noise]), damaged),
  ];
}

/** A JPEG with EXIF orientation 6: rotated by 90 degrees. */
function turned(jpeg: Buffer): Buffer {
  const exif = Buffer.from(
    "457869660000" + "4d4d002a00000008" + "0001" + "011200030000000100060000" + "00000000",
    "hex",
  );
  const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)]);
}

/** Large, or small with something large inside. */
export function heavyImages(): MediaFile[] {
  const grey = (before: Buffer[]) => png(64, 64, { before });
  const text = textBomb("zTXt", 256);
  const unicode = textBomb("iTXt", 256);
  const many = Array<Buffer>(20).fill(textBomb("zTXt", 50));
  const whole = image(64, 64, "png");
  const tooManyPixels = refused("has more than 100 megapixels");
  return [
    offered("16-px.png", png(16, 16), image(16, 16, "png")),
    offered("1-px.png", png(1, 1), image(1, 1, "png")),
    offered("16384-px.png", png(16_384, 16), image(16_384, 16, "png")),
    offered("16384-px-square.png", png(16_384, 16_384), tooManyPixels),
    offered(
      "67-megapixels.png",
      png(16_384, 4_096, { depth: 8, colour: 2 }),
      image(16_384, 4_096, "png"),
    ),
    offered("100000-px.png", png(100_000, 100), image(100_000, 100, "png")),
    offered("100000-px-square.png", png(100_000, 100_000, { pixels: false }), tooManyPixels),
    offered("100-megapixels.png", png(10_000, 10_000), image(10_000, 10_000, "png")),
    offered("over-100-megapixels.png", png(10_001, 10_000), tooManyPixels),
    offered("sides-without-pixels.png", png(5_000, 5_000, { pixels: false }), damaged),
    offered("text-bomb.png", grey([text]), whole),
    offered("unicode-bomb.png", grey([unicode]), whole),
    offered("20-text-bombs.png", grey(many), whole),
    offered("profile-bomb.png", grey([textBomb("iCCP", 256)]), whole),
    offered(
      "10000-chunks.png",
      grey(Array<Buffer>(10_000).fill(chunk("tEXt", Buffer.from("a\0b")))),
      refused("has more than 1000 chunks before its pixels"),
    ),
  ];
}

export async function animatedImages({ render }: Renderer): Promise<MediaFile[]> {
  const five = moving(64, 64, 5, 1);
  const apng = await render("animated.apng", ...five, "-f", "apng");
  const webp = await render("animated.webp", ...five, "-c:v", "libwebp_anim", "-loop", "0");
  return [
    offered("animated.png", apng, animated),
    offered("animated.webp", webp, animated),
    offered("animated.gif", await render("animated.gif", ...five), gif),
  ];
}
