import { expect } from "vitest";
import { type AccountState, readState } from "../harness/account-state.ts";
import { checkMoney } from "../harness/check-money.ts";
import type { TestBed } from "../harness/test-context.ts";
import type { Surroundings } from "./crash-processes.ts";

// Three ways to break a transaction after each of its writes and at its commit: an exception; a dead
// process whose death the database notices, so that it rolls back; a dead process that the database
// goes on working for, so that it commits while the repetition is already there. What comes after
// the commit is lost by a line that swallows the database's answer.

export type Account = Awaited<ReturnType<TestBed["openAccount"]>>;

export const body = {
  model: "sd2",
  inputs: { prompt: "a fox" },
  callBackUrl: "http://127.0.0.1:9/hook",
};

export function openAccount(bed: TestBed): Promise<Account> {
  return bed.openAccount({ credits: 100, limits: { creditsMax: 100 } });
}

export function around(bed: TestBed, databaseUrl = bed.database.serviceUrl): Surroundings {
  return { dir: bed.storageDir, databaseUrl };
}

/** Expects a state of the account, and that the ledger is whole. */
export async function expectState(
  bed: TestBed,
  account: Account,
  state: AccountState,
): Promise<void> {
  expect(await readState(bed.database, account.id)).toEqual(state);
  await checkMoney(bed.database);
}
