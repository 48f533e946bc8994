/** Takes the oldest members out of a set. */
export function takeSome(ids: Set<string>, countMax: number): string[] {
  const taken: string[] = [];
  for (const id of ids) {
    if (taken.length >= countMax) break;
    ids.delete(id);
    taken.push(id);
  }
  return taken;
}
