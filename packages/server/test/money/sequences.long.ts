import { test } from "vitest";
import { runSequences } from "./run-sequences.ts";

test("after 1000 sequences of 50 commands by 4 to 8 clients at once the ledger is proven and agrees with their answers", async () => {
  await runSequences(1_000);
}, 1_800_000);
