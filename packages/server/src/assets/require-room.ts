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
import { admittedMax } from "./step-queries.ts";
import { countOpenUploads } from "./uploads/queries.ts";

const fetchedAfterSeconds = 10;
const freedAfterSeconds = 60;

/**
 * Refuses a file if the account's library is full, and says whether it has to wait until it is admitted.
 * Requests of one account are decided one at a time.
 */
export async function requireRoom(
  tx: Tx,
  defaults: LibraryDefaults,
  accountId: AccountId,
  wanted: { kind: "asset"; sizeBytes: 0 } | { kind: "upload"; sizeBytes: number },
): Promise<{ isInLine: boolean }> {
  if ((await lockAccountHere(tx, accountId)) === undefined) throw new ApiError("unauthorized"); // closed just now
  const library = await readLibrary(tx, accountId, defaults);
  const queued =
    wanted.kind === "asset"
      ? await requireOpenAsset(tx, accountId, library.openAssetsMax)
      : await requireOpenUpload(tx, accountId, library.openUploadsMax);
  const { storedBytes, storedBytesMax } = library;
  const reservedBytes = await sumReserved(tx, accountId);
  const neededBytes = storedBytes + reservedBytes + wanted.sizeBytes;
  if (neededBytes > storedBytesMax || storedBytes + reservedBytes === storedBytesMax)
    throw new ApiError("storage_limit", {
      message: {
        en: `The storage of this account is full: ${storedBytes} bytes are stored, ${reservedBytes} are reserved by open uploads, and the limit is ${storedBytesMax}. Delete assets that you no longer need.`,
        zh: `此账户的存储空间已满：已存储 ${storedBytes} 字节，未完成的上传预留 ${reservedBytes} 字节，上限为 ${storedBytesMax} 字节。请删除不再需要的素材。`,
      },
    });
  return queued;
}

/** A completed upload has already reserved its bytes. */
export async function requireOpenAsset(tx: Tx, accountId: AccountId, openAssetsMax: number) {
  const open = await countUnstored(tx, accountId, openAssetsMax);
  if (open < openAssetsMax) return { isInLine: open >= admittedMax };
  throw new ApiError("open_assets_limit", {
    message: {
      en: `${open} files are being fetched or wait for it, and the limit is ${openAssetsMax}. Wait until one of them has been stored.`,
      zh: `有 ${open} 个文件正在获取或等待获取，上限为 ${openAssetsMax} 个。请等待其中一个存储完成。`,
    },
    retryAfterSeconds: fetchedAfterSeconds,
  });
}

async function requireOpenUpload(tx: Tx, accountId: AccountId, openUploadsMax: number) {
  const open = await countOpenUploads(tx, accountId, openUploadsMax);
  if (open < openUploadsMax) return { isInLine: false };
  throw new ApiError("open_uploads_limit", {
    message: {
      en: `${open} uploads are open, and the limit is ${openUploadsMax}. Complete one, or wait until one expires.`,
      zh: `有 ${open} 个上传未完成，上限为 ${openUploadsMax} 个。请完成其中一个，或等待其过期。`,
    },
    retryAfterSeconds: freedAfterSeconds,
  });
}

export function busyIfTimeout(error: unknown): never {
  throw isTimeout(error) ? new ApiError("account_busy", { retryAfterSeconds: 1 }) : error;
}
