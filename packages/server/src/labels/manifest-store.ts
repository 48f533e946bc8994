/** The first bytes of a C2PA manifest store from which it is told. Descriptions of boxes are short. */
export const storeHeadBytes = 160;

/** What JUMBF calls the store, and a manifest in it: usual, an update, compressed. */
const storeType = typeOf("c2pa");
const manifestTypes: readonly string[] = [typeOf("c2ma"), typeOf("c2um"), typeOf("c2cm")];

/**
 * Whether a manifest store with a manifest begins here. Other bytes in its place, which a label may follow,
 * are no reason to leave a file as it is. Whether the manifest is valid is for a reader to say.
 */
export function beginsManifestStore(bytes: Buffer): boolean {
  const store = describedBox(bytes, 0);
  if (store?.type !== storeType) return false;
  return manifestTypes.includes(describedBox(bytes, store.end)?.type ?? "");
}

/** The type in the description of a JUMBF box, and where the description ends. */
function describedBox(bytes: Buffer, at: number): { type: string; end: number } | null {
  if (at + 32 > bytes.length) return null;
  const name = (from: number) => bytes.toString("latin1", from + 4, from + 8);
  if (name(at) !== "jumb" || name(at + 8) !== "jumd") return null;
  const type = bytes.toString("hex", at + 16, at + 32);
  return { type, end: at + 8 + bytes.readUInt32BE(at + 8) };
}

function typeOf(name: string): string {
  return `${Buffer.from(name, "latin1").toString("hex")}00110010800000aa00389b71`;
}
