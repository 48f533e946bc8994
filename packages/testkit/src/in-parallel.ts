/** Works on all items, so many at once; gives the results in the order of the items. */
export async function inParallel<Item, Result>(
  atOnceMax: number,
  items: Iterable<Item>,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const next = Array.from(items).entries();
  const worker = async () => {
    for (const [index, item] of next) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: atOnceMax }, worker));
  return results;
}
