import type { Zoetrope } from "@zoetrope/sdk";

/** What the SDK answers and does not name. */
export type ListTasksQuery = NonNullable<Parameters<Zoetrope["tasks"]["list"]>[0]>;
export type ListedTask = Awaited<ReturnType<Zoetrope["tasks"]["list"]>>["items"][number];
