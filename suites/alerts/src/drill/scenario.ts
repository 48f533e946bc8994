import type { Stack } from "@zoetrope/dev/stack.ts";
import type { Client } from "@zoetrope/testkit/api-client.ts";
import type { AlertName } from "../alerts/alert-table.ts";

/** The stack and tools that a scenario may use. */
export interface Drill {
  readonly dir: string;
  readonly stack: Stack;
  readonly client: Client;
  /** Prometheus scrapes this worker as well, until the scenario is over. */
  alsoScrape(address: string): Promise<void>;
}

interface Broken {
  repair(): Promise<unknown>;
  /** After all alerts are clear and Prometheus no longer looks: ends what was started for the scenario. */
  end?(): Promise<unknown>;
}

export interface Scenario {
  readonly breaks: string;
  /** Must fire; nothing else may, except what customers notice of the same cause. */
  readonly alert: AlertName;
  readonly noticedAs?: AlertName;
  /** The labels of the alert, where they say what is broken. */
  readonly labels?: Readonly<Record<string, string>>;
  run(drill: Drill): Promise<Broken>;
}
