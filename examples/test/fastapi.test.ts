import { fileURLToPath } from "node:url";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { expect, test } from "vitest";
import { checkReceiver, sendTo } from "./check-receiver.ts";
import { startReceiverProgram } from "./run-example.ts";

/** The Python client's sources, used as if they were installed; it needs Debian's python3-httpx. */
const pythonClient = fileURLToPath(new URL("../../packages/python/src", import.meta.url));
const secret = `whsec_${btoa("a secret of this test")}`;

test("the FastAPI receiver takes a genuine callback once, and refuses forged and old ones", async () => {
  await using scratch = await makeScratch("fastapi");
  await using receiver = await startReceiverProgram({
    command: "/usr/bin/python3", // Debian's, which has Debian's packages
    args: ["-B", "-m", "uvicorn", "fastapi_receiver:app", "--port", "0"],
    dir: scratch.path,
    env: { ZOETROPE_WEBHOOK_SECRET: secret, PYTHONPATH: pythonClient },
  });
  await checkReceiver(sendTo(receiver.url), secret);
  const handled = (await receiver.lines()).filter((line) => line === "01998b6e COMPLETED");
  expect(handled).toHaveLength(1);
});
