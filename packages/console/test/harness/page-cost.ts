import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { readCpuMs } from "@zoetrope/testkit/cpu-time.ts";
import type { Page, Request } from "playwright-core";
import { expect } from "vitest";
import type { Bed } from "./bed.ts";
import { fixedWork, type ThreadTime, threadTimeOf, untilContent } from "./thread-time.ts";

const views = 3;
const rounds = 10;
/** Set by the connection itself. */
const ownHeaders = ["host", "connection", "content-length", "accept-encoding"];

/** Milliseconds of processor time. Nothing here is a clock's: that one also counts who else uses the machine. */
export interface Cost extends ThreadTime {
  /** The time of the api and the database, for the document and for all responses that the page requests. */
  answers: number;
}

interface View extends ThreadTime {
  /**
   * The time of a fixed piece of work: a processor that others use too is slower, because it shares
   * its caches.
   */
  work: number;
}

/**
 * Measures the lowest cost of each page, by its URL and by the expression that says that its
 * content is there.
 */
export async function costsOf(
  bed: Bed,
  page: Page,
  pages: Readonly<Record<string, string>>,
): Promise<Record<string, Cost>> {
  const seen: Record<string, View[]> = {};
  const answers: Record<string, number> = {};
  for (const [url, content] of Object.entries(pages)) {
    const asked = new Map<string, Request>();
    const note = (request: Request) => {
      if (isWaitedFor(request)) asked.set(`${request.url()} ${request.postData()}`, request);
    };
    page.on("request", note);
    const views = await viewsOf(page, url, content);
    page.off("request", note);
    seen[url] = views;
    answers[url] = await answersMsOf(bed, [...asked.values()]);
  }
  const best = Math.min(...Object.values(seen).flatMap((all) => all.map(({ work }) => work)));
  return Object.fromEntries(
    Object.entries(seen).map(([url, all]) => {
      const atBest = (name: keyof ThreadTime) =>
        median(all.map((view) => (view[name] * best) / view.work));
      const own = { main: atBest("main"), compiling: atBest("compiling") };
      return [url, { ...own, answers: answers[url] ?? Number.NaN }];
    }),
  );
}

const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;

/** Whether a request is waited for: the document and the API's responses, but not the stream. */
function isWaitedFor(request: Request): boolean {
  if (request.headers()["accept"] === "text/event-stream") return false;
  const { protocol, pathname } = new URL(request.url());
  return protocol === "http:" && (request.isNavigationRequest() || pathname.startsWith("/api/"));
}

async function viewsOf(page: Page, url: string, content: string): Promise<View[]> {
  const all: View[] = [];
  for (let view = 0; view <= views; view++) {
    const { main: work } = await threadTimeOf(page, "about:blank", fixedWork);
    const time = await threadTimeOf(page, url, untilContent(content));
    if (view > 0) all.push({ ...time, work }); // the first one fills the cache
  }
  return all;
}

/** The page's requests are sent again, so often that the kernel's ten milliseconds do not matter. */
async function answersMsOf(bed: Bed, requests: readonly Request[]): Promise<number> {
  const sent = await Promise.all(requests.map(async (one) => [one, await headersOf(one)] as const));
  const before = await serverMs(bed);
  for (let round = 0; round < rounds; round++)
    for (const [request, headers] of sent) {
      const call = { method: request.method(), headers, body: request.postData() };
      const answer = await fetch(request.url(), call);
      await answer.arrayBuffer();
      expect([200, 304], request.url()).toContain(answer.status);
    }
  return ((await serverMs(bed)) - before) / rounds;
}

async function headersOf(request: Request): Promise<Record<string, string>> {
  const all = Object.entries(await request.allHeaders());
  return Object.fromEntries(all.filter(([name]) => !ownHeaders.includes(name)));
}

/**
 * Returns the time used so far by the api and the database's connections, not by what tidies up
 * behind a large import.
 */
async function serverMs(bed: Bed): Promise<number> {
  const backends = await withClient(bed.stack.databaseOwnerUrl, async (db) => {
    const { rows } = await db.query<{ pid: number }>(
      "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    return rows.map(({ pid }) => pid);
  });
  const pids = [bed.stack.api.pid, ...backends].map((pid) => [String(pid), pid]);
  const used = await readCpuMs(Object.fromEntries(pids) as Record<string, number>);
  return [...used.values()].reduce((sum, ms) => sum + ms, 0);
}
