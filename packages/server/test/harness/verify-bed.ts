import { once } from "node:events";
import { createServer } from "node:http2";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { createOpener } from "../../src/verify/serve-opener.ts";
import { openTestBed, type TestBed } from "./test-context.ts";

interface VerifyBed extends AsyncDisposable {
  bed: TestBed;
}

/** A test bed with the part of a worker that opens files for its api. */
export async function openVerifyBed(settings: Record<string, string>): Promise<VerifyBed> {
  const port = await freePort();
  const bed = await openTestBed({
    ...settings,
    RESTATE_ADMIN_URL: "http://127.0.0.1:9",
    WORKER_URL: `http://127.0.0.1:${port}`,
  });
  const worker = createServer(createOpener(bed.ctx));
  worker.listen(port, "127.0.0.1");
  await once(worker, "listening");
  return {
    bed,
    async [Symbol.asyncDispose]() {
      worker.close();
      await bed[Symbol.asyncDispose]();
    },
  };
}
