import { ConnectionError } from "@zoetrope/sdk";
import i18next from "i18next";
import { type ComponentType, use } from "react";

type Load<Name extends string> = () => Promise<Record<Name, ComponentType>>;

const forgets = new Set<() => void>();

/** After this, a page whose code could not be loaded is asked for again when it is drawn. */
export function forgetFailedPages(): void {
  for (const forget of forgets) forget();
  forgets.clear();
}

/** The service has another release, without the file that this page is in. */
export class PageOutdated extends Error {
  override name = "PageOutdated";
}

/**
 * Returns a page from a separate file, which is loaded when it is opened. If it does not load, the
 * page says so and what is around it stays; the router's own way reloads the document, and without
 * a network nothing is left.
 */
export function loadPage<Name extends string>(load: Load<Name>, name: Name) {
  let Page: ComponentType | null = null;
  let loading: Promise<void> | null = null;
  const forget = () => {
    loading = null;
  };
  const start = () => {
    loading ??= load().then(
      (loaded) => {
        Page = loaded[name];
      },
      async (cause: unknown) => {
        forgets.add(forget);
        throw await explain(cause);
      },
    );
    return loading;
  };
  // biome-ignore lint/correctness/noComponentHookFactories: pages are made once, when the router is
  function Lazy() {
    if (Page === null) use(start());
    return Page === null ? null : <Page />;
  }
  /**
   * Preloads the page and never fails: the router would take that for good. A missing page is
   * reported when it is drawn.
   */
  Lazy.preload = () => {
    if (forgets.delete(forget)) forget();
    return start().catch(() => {});
  };
  return Lazy;
}

async function explain(cause: unknown): Promise<Error> {
  const answer = await fetch("/console/", { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (answer?.ok === true) return new PageOutdated(String(cause), { cause });
  return new ConnectionError(i18next.t("error.pageNotLoaded"), {
    code: "page_not_loaded",
    cause,
  });
}
