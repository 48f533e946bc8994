const sideMax = 3_840;
const sideStep = 16;
const ratioMax = 3;
const pixelsMin = 655_360;
const pixelsMax = 8_294_400;

export interface Size {
  width: number;
  height: number;
}

/** The size chosen for `auto`: the sandbox reads neither the prompt nor the inputs. */
const chosenSize: Size = { width: 1_024, height: 1_024 };

/** The size of a gpt-image-2 image, or the sentence that refuses it. */
export function readSize(size: string): Size | string {
  if (size === "auto") return chosenSize;
  const [, width, height] = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/.exec(size) ?? [];
  if (width === undefined || height === undefined) return "Expected 'auto' or WIDTHxHEIGHT.";
  return checkSize(Number(width), Number(height));
}

function checkSize(width: number, height: number): Size | string {
  if (width % sideStep !== 0 || height % sideStep !== 0) {
    return `Width and height must both be divisible by ${sideStep}.`;
  }
  if (Math.max(width, height) > sideMax) return `The longest edge must be at most ${sideMax}.`;
  if (Math.max(width, height) > ratioMax * Math.min(width, height)) {
    return `The aspect ratio must lie between 1:${ratioMax} and ${ratioMax}:1.`;
  }
  const pixels = width * height;
  if (pixels < pixelsMin) return `At least ${pixelsMin} pixels are required.`;
  if (pixels > pixelsMax) return `At most ${pixelsMax} pixels are supported.`;
  return { width, height };
}
