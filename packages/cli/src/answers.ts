import type { Zoetrope } from "@zoetrope/sdk";

/** Types that the SDK returns but does not name. */
export type ListTasksQuery = NonNullable<Parameters<Zoetrope["tasks"]["list"]>[0]>;
export type ListedTask = Awaited<ReturnType<Zoetrope["tasks"]["list"]>>["items"][number];
export type UsageQuery = NonNullable<Parameters<Zoetrope["usage"]>[0]>;
