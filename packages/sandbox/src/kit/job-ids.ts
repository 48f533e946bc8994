import { randomInt } from "node:crypto";

const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
const suffixLength = 5;
const suffixes = letters.length ** suffixLength;
/** Has no factor in common with 36, so that the walk meets every suffix before it repeats one. */
const stride = 28_629_151;

/** Ids as Ark writes them, such as `cgt-<yyyymmddhhmmss>-<5 characters>`; no two alike. */
export function createJobIds(prefix = "cgt"): (atMs: number) => string {
  let position = randomInt(suffixes);
  return (atMs) => {
    position = (position + stride) % suffixes;
    const time = new Date(atMs).toISOString().replace(/\D/g, "").slice(0, 14);
    let suffix = "";
    for (
      let rest = position;
      suffix.length < suffixLength;
      rest = Math.floor(rest / letters.length)
    ) {
      suffix += letters[rest % letters.length];
    }
    return `${prefix}-${time}-${suffix}`;
  };
}
