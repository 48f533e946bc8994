import type { Commands } from "./command.ts";

interface Group {
  /** The first words of its commands. */
  nouns: readonly string[];
  load(): Promise<Commands>;
}

/** The groups in the order of the usage. Code is loaded when a command of the group is asked for. */
const groups: readonly Group[] = [
  {
    nouns: ["migrate"],
    load: async () => (await import("./migrate-command.ts")).migrateCommands,
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
    nouns: ["labels"],
    load: async () => (await import("./label-commands.ts")).labelCommands,
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
