/** The results in the order of the items; at most `atOnceMax` are under way. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  atOnceMax: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  const work = async () => {
    for (const [index, item] of rest) results[index] = await run(item);
  };
  await Promise.all(Array.from({ length: atOnceMax }, work));
  return results;
}
