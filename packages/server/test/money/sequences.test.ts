import { test } from "vitest";
import { runSequences } from "./run-sequences.ts";

test("after 50 sequences of 50 commands by 4 to 8 clients at once the ledger is proven and agrees with what they were told", async () => {
  await runSequences(50);
});
