import { lockAccountHere } from "../accounts/queries.ts";
import { isTimeout, type Tx } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { AccountId } from "../ids.ts";
import {
  countUnstored,
  type LibraryDefaults,
  readLibrary,
  sumReserved,
} from "./library-queries.ts";
import { countOpenUploads } from "./uploads/queries.ts";

const fetchedAfterSeconds = 10;
const freedAfterSeconds = 60;

/** Refuses a file if the account's library is full. Requests of one account are decided one at a time. */
export async function requireRoom(
  tx: Tx,
  defaults: LibraryDefaults,
  accountId: AccountId,
  wanted: { kind: "asset"; sizeBytes: 0 } | { kind: "upload"; sizeBytes: number },
): Promise<void> {
  if ((await lockAccountHere(tx, accountId)) === undefined) throw new ApiError("unauthorized"); // closed just now
  const library = await readLibrary(tx, accountId, defaults);
  if (wanted.kind === "asset") await requireOpenAsset(tx, accountId, library.openAssetsMax);
  else await requireOpenUpload(tx, accountId, library.openUploadsMax);
  const { storedBytes, storedBytesMax } = library;
  const reservedBytes = await sumReserved(tx, accountId);
  const neededBytes = storedBytes + reservedBytes + wanted.sizeBytes;
  if (neededBytes > storedBytesMax || storedBytes + reservedBytes === storedBytesMax)
    throw new ApiError("storage_limit", {
      message: `The storage of this account is full: ${storedBytes} bytes are stored, ${reservedBytes} are reserved by open uploads, and the limit is ${storedBytesMax}. Delete assets that you no longer need.`,
      retryAfterSeconds: freedAfterSeconds,
    });
}

/** A completed upload has already reserved its bytes. */
export async function requireOpenAsset(tx: Tx, accountId: AccountId, openAssetsMax: number) {
  const open = await countUnstored(tx, accountId, openAssetsMax);
  if (open < openAssetsMax) return;
  throw new ApiError("open_assets_limit", {
    message: `${open} files are still being fetched, and the limit is ${openAssetsMax}. Wait until one of them has been stored.`,
    retryAfterSeconds: fetchedAfterSeconds,
  });
}

async function requireOpenUpload(tx: Tx, accountId: AccountId, openUploadsMax: number) {
  const open = await countOpenUploads(tx, accountId, openUploadsMax);
  if (open < openUploadsMax) return;
  throw new ApiError("open_uploads_limit", {
    message: `${open} uploads are open, and the limit is ${openUploadsMax}. Complete one, or wait until one expires.`,
    retryAfterSeconds: freedAfterSeconds,
  });
}

export function busyIfTimeout(error: unknown): never {
  throw isTimeout(error) ? new ApiError("account_busy", { retryAfterSeconds: 1 }) : error;
}
