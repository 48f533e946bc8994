import type { DirectoryTx } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { PersonId } from "../../ids.ts";
import type { KeyRing } from "../../secrets/key-ring.ts";
import { lockTotp, noteFailure, noteSuccess, spendRecoveryCode, type TotpRow } from "./queries.ts";
import { hashRecoveryCode } from "./recovery-codes.ts";
import { isTotpCode, matchStep, readTotpSecret } from "./totp.ts";

/** Every fifth wrong code in a row locks for twice as long as the one before. */
const failuresPerLock = 5;
const lockMsMin = 15 * 60_000;
const lockMsMax = 60 * 60_000;

export type CodeCheck =
  | { kind: "passed"; by: "totp" | "recovery_code" }
  | { kind: "refused"; error: ApiError };

/**
 * Checks a code of the authenticator app or a recovery code, and uses it up. A wrong one is counted in
 * this transaction: commit it, then throw the refusal.
 */
export async function checkCode(
  tx: DirectoryTx,
  keyRing: KeyRing | null,
  personId: PersonId,
  code: string,
): Promise<CodeCheck> {
  const row = await lockTotp(tx, personId);
  if (row === undefined) return { kind: "refused", error: new ApiError("totp_not_enabled") };
  const isPassed =
    row.lockedMs === 0 &&
    (isTotpCode(code)
      ? await passTotp(tx, keyRing, personId, row, code)
      : await passRecovery(tx, personId, row, code));
  const error = await refuseAttempt(tx, personId, row, isPassed);
  if (error !== null) return { kind: "refused", error };
  return { kind: "passed", by: isTotpCode(code) ? "totp" : "recovery_code" };
}

/** Counts an attempt that was wrong, and refuses it, or any while it is locked. Null: it passes. */
async function refuseAttempt(
  tx: DirectoryTx,
  personId: PersonId,
  { lockedMs, failures: before }: TotpRow,
  isRight: boolean,
): Promise<ApiError | null> {
  if (lockedMs > 0) return lockedFor(lockedMs);
  if (isRight) return null;
  const failures = before + 1;
  const lockMs = lockMsAfter(failures);
  await noteFailure(tx, personId, { failures, lockMs });
  return lockMs > 0 ? lockedFor(lockMs) : new ApiError("second_factor_wrong");
}

async function passTotp(
  tx: DirectoryTx,
  keyRing: KeyRing | null,
  personId: PersonId,
  row: TotpRow,
  code: string,
): Promise<boolean> {
  const secret = readTotpSecret(keyRing, row.secret, personId);
  const step = matchStep(secret, code, row.lastStep, Date.now());
  if (step === null) return false;
  await noteSuccess(tx, personId, step);
  return true;
}

async function passRecovery(
  tx: DirectoryTx,
  personId: PersonId,
  row: TotpRow,
  code: string,
): Promise<boolean> {
  if (!row.isConfirmed) return false;
  if (!(await spendRecoveryCode(tx, personId, hashRecoveryCode(code)))) return false;
  await noteSuccess(tx, personId, row.lastStep);
  return true;
}

function lockMsAfter(failures: number): number {
  if (failures % failuresPerLock !== 0) return 0;
  return Math.min(lockMsMin * 2 ** (failures / failuresPerLock - 1), lockMsMax);
}

function lockedFor(ms: number): ApiError {
  const seconds = Math.ceil(ms / 1000);
  return new ApiError("second_factor_locked", {
    message: {
      en: `Too many wrong codes. Try again in ${Math.ceil(seconds / 60)} min, or sign in with a passkey.`,
      zh: `验证码错误次数过多。请在 ${Math.ceil(seconds / 60)} 分钟后重试，或用通行密钥登录。`,
    },
    retryAfterSeconds: seconds,
  });
}
