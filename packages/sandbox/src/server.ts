import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import { arkRoutes } from "./ark/routes.ts";
import { openCallbacks } from "./callbacks.ts";
import type { SandboxConfig } from "./config.ts";
import { controlRoutes } from "./control-routes.ts";
import { createFaults } from "./faults.ts";
import { createFilmLinks } from "./film/film-links.ts";
import { registerFilmRoutes } from "./film/film-routes.ts";
import { openFilmStore } from "./film/film-store.ts";
import { openJobBook } from "./job-book.ts";
import { openJournal } from "./journal.ts";
import { startSchedule } from "./schedule.ts";

export interface Sandbox {
  url: string;
  /** Where films and the journal are. */
  dir: string;
  /** Ends open connections, ffmpegs and timers. */
  stop(): Promise<void>;
}

/** Ark takes request bodies up to this size. */
const bodyBytesMax = 64 * 1024 * 1024;

/** Starts the emulated vendor; all its state but the films lives in this process. */
export async function startSandbox(config: SandboxConfig): Promise<Sandbox> {
  const dir = config.dir ?? mkdtempSync(join(tmpdir(), "zoetrope-sandbox-"));
  mkdirSync(dir, { recursive: true });
  const journal = openJournal(config.logPath ?? join(dir, "sandbox.jsonl"));
  let url = "";
  const schedule = startSchedule();
  const films = openFilmStore(dir, config.rendersMax);
  const links = createFilmLinks(() => config.publicUrl ?? url);
  const callbacks = openCallbacks(schedule, journal, config.callbackRetryMs);
  const jobs = openJobBook({ config, schedule, films, links, callbacks, journal });
  const faults = createFaults();
  const counts = { creates: 0 };
  const app = createApp();
  await app.register(arkRoutes({ jobs, faults, journal, counts }, config.arkKey), {
    prefix: "/api/v3",
  });
  await app.register(controlRoutes({ jobs, faults, callbacks, films, counts }), {
    prefix: "/_sandbox",
  });
  registerFilmRoutes(app, films, links);
  url = await app.listen({ host: config.host, port: config.port });

  async function stop() {
    schedule.stop();
    jobs.stop();
    callbacks.stop();
    await Promise.all([films.stop(), app.close()]);
    journal.close();
    if (config.dir === undefined) rmSync(dir, { recursive: true, force: true });
  }
  return { url, dir, stop };
}

function createApp(): FastifyInstance {
  const app = Fastify({
    bodyLimit: bodyBytesMax,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
  });
  // whatever a body calls itself, Ark reads it as JSON; DELETE may come with an empty one
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => {
    try {
      done(null, body === "" ? undefined : JSON.parse(String(body)));
    } catch {
      done(Object.assign(new Error("the body is not JSON"), { statusCode: 400 }));
    }
  });
  return app;
}
