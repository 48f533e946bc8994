import { optional, parsed, parseShards, secret, text } from "./setting.ts";
import { postgresUrl } from "./settings.ts";

/** Read by the operator's `migrate`, `account erase` and `account move` alone. */
export const ownerUrl = secret(text("DATABASE_OWNER_URL", undefined, postgresUrl)).about(
  "For `operator migrate` and `account erase`: PostgreSQL URL of the role that owns the schema",
);

export const shardOwners = secret(
  optional(parsed("SHARD_OWNERS", "PostgreSQL URLs, separated by commas", parseShards)),
).about(
  "For `operator account move`, and `account erase` with `SHARD`: URLs of the roles that own the schemas, in the order of `SHARDS`",
);
