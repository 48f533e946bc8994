/** People who asked for less motion or less data get neither by pointing at something. */
export function mayPreview(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData !== true && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
