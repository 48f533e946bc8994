import type { Page, Request } from "playwright-core";
import { noteMisplacedFocus } from "./dialog-focus.ts";

export interface Watch {
  /** Errors of scripts, of the content security policy, requests to other hosts, dialogs without focus. */
  readonly faults: string[];
  /** Requests to the API, but for the stream and for files that are shown. */
  readonly requests: string[];
  /** Waits until nothing is on its way and nothing is shown as loading. */
  settle(): Promise<void>;
}

/** Notes what a page must never do, and what it asks the API. */
export function watchPage(page: Page, origin: string): Watch {
  const faults: string[] = [];
  const requests: string[] = [];
  const open = new Set<Request>();
  page.on("pageerror", (error) => faults.push(`uncaught: ${error.message}`));
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) faults.push(message.text());
  });
  noteMisplacedFocus(page, faults);
  page.on("dialog", (dialog) => {
    faults.push(`a script opened a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && url.origin !== origin)
      faults.push(`asked another host: ${url.origin}`);
    if (!url.pathname.startsWith("/api/") || isStream(request)) return;
    open.add(request);
    if (!["image", "media"].includes(request.resourceType()))
      requests.push(`${request.method()} ${url.pathname}`);
  });
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  const settle = async () => {
    do await page.waitForFunction(() => document.querySelector(".skeleton, .spinner") === null);
    while (open.size > 0);
  };
  return { faults, requests, settle };
}

function isStream(request: Request): boolean {
  return request.headers()["accept"] === "text/event-stream";
}
