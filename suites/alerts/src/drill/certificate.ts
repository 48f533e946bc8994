import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:tls";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { makeCertificate } from "@zoetrope/testkit/make-certificate.ts";
import { startExtraWorker } from "./extra-worker.ts";
import type { Scenario } from "./scenario.ts";

export const certificateExpires: Scenario = {
  breaks: "the certificate of the public address expires in two days",
  alert: "CertificateExpiring",
  labels: { part: "public" },
  async run(drill) {
    const load = async (days: number) => {
      const { key, cert } = await makeCertificate(drill.dir, days);
      return { key: await readFile(key), cert: await readFile(cert) };
    };
    const port = await freePort();
    const server = createServer(await load(2));
    server.on("tlsClientError", () => {});
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    const publicUrl = { PUBLIC_URL: `https://127.0.0.1:${port}` };
    const workers = [await startExtraWorker(drill, "certificate", publicUrl)];
    return {
      async repair() {
        server.setSecureContext(await load(90));
        workers.push(await startExtraWorker(drill, "renewed", publicUrl)); // the first looks once an hour
      },
      async end() {
        for (const worker of workers) await worker.stop();
        server.close();
      },
    };
  },
};
