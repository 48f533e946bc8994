import type { Commands } from "./command.ts";

interface Group {
  /** The first words of its commands. */
  nouns: readonly string[];
  load(): Promise<Commands>;
}

/** In the order of the usage. Code is loaded when a command of the group is asked for. */
const groups: readonly Group[] = [
  {
    nouns: ["migrate"],
    load: async () => (await import("./migrate-command.ts")).migrateCommands,
  },
  {
    nouns: ["account"],
    load: async () => (await import("./account-commands.ts")).accountCommands,
  },
  {
    nouns: ["account"],
    load: async () => (await import("./privacy/privacy-commands.ts")).privacyCommands,
  },
  {
    nouns: ["account"],
    load: async () => (await import("./shards/shard-commands.ts")).shardCommands,
  },
  {
    nouns: ["person"],
    load: async () => (await import("./person-commands.ts")).personCommands,
  },
  {
    nouns: ["key"],
    load: async () => (await import("./key-commands.ts")).keyCommands,
  },
  {
    nouns: ["credits"],
    load: async () => (await import("./credits-commands.ts")).creditsCommands,
  },
  {
    nouns: ["ledger", "usage"],
    load: async () => (await import("./ledger-commands.ts")).ledgerCommands,
  },
  {
    nouns: ["secrets"],
    load: async () => (await import("./secrets-commands.ts")).secretsCommands,
  },
  {
    nouns: ["library"],
    load: async () => (await import("./library-commands.ts")).libraryCommands,
  },
  {
    nouns: ["asset"],
    load: async () => (await import("./asset-commands.ts")).assetCommands,
  },
  {
    nouns: ["task"],
    load: async () => (await import("./task-commands.ts")).taskCommands,
  },
  {
    nouns: ["stuck"],
    load: async () => (await import("./stuck-commands.ts")).stuckCommands,
  },
  {
    nouns: ["engine"],
    load: async () => (await import("./engine-commands.ts")).engineCommands,
  },
  {
    nouns: ["vendor"],
    load: async () => (await import("./vendor-commands.ts")).vendorCommands,
  },
  {
    nouns: ["reconcile"],
    load: async () => (await import("./reconcile/reconcile-commands.ts")).reconcileCommands,
  },
];

/** The commands that begin with this word; all of them if none does. */
export async function loadCommands(noun: string | undefined): Promise<Commands> {
  const named = groups.filter(({ nouns }) => nouns.some((one) => one === noun));
  const loaded = await Promise.all((named.length > 0 ? named : groups).map(({ load }) => load()));
  return Object.assign({}, ...loaded) as Commands;
}
