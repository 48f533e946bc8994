/** The file is not of the usual form, so that it is not measured here. Says nothing about its quality. */
export class Unusual extends Error {}

export function unless(isUsual: boolean, reason: string): asserts isUsual {
  if (!isUsual) throw new Unusual(reason);
}
