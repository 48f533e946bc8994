import type { AssetType } from "./file-type.ts";

/** The data needed to resume an upload after a reload. It contains nothing of what the file shows. */
export interface Kept {
  uploadId: string;
  name: string;
  type: AssetType;
  size: number;
  lastModified: number;
  hasDeclaration: boolean;
}

/** The service keeps what has arrived this long. */
const keptMs = 24 * 3_600_000;
const keptMax = 20;
const placeOf = (accountId: string) => `zoetrope.uploads.${accountId}`;

type Stored = Kept & { at: number };

function read(accountId: string): Stored[] {
  try {
    const text = localStorage.getItem(placeOf(accountId));
    const stored = text === null ? [] : (JSON.parse(text) as Stored[]);
    return stored.filter(({ at }) => Date.now() - at < keptMs);
  } catch {
    return []; // somebody else wrote there
  }
}

function write(accountId: string, kept: readonly Stored[]): void {
  if (kept.length === 0) localStorage.removeItem(placeOf(accountId));
  else localStorage.setItem(placeOf(accountId), JSON.stringify(kept.slice(-keptMax)));
}

export function readKept(accountId: string): Kept[] {
  return read(accountId).map(({ at: _, ...kept }) => kept);
}

export function keepUpload(accountId: string, kept: Kept): void {
  const others = read(accountId).filter(({ uploadId }) => uploadId !== kept.uploadId);
  write(accountId, [...others, { ...kept, at: Date.now() }]);
}

export function forgetUpload(accountId: string, uploadId: string | null): void {
  write(
    accountId,
    read(accountId).filter((kept) => kept.uploadId !== uploadId),
  );
}

/** The upload that this file began before a reload. */
export function findKept(accountId: string, file: File): Kept | null {
  const isSame = ({ name, size, lastModified }: Kept) =>
    name === file.name && size === file.size && lastModified === file.lastModified;
  return readKept(accountId).find(isSame) ?? null;
}
