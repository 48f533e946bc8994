export const statementMsMax = 10_000;
const lockWaitMsMax = 5_000;
const aliveCheckMs = 1_000;

export const timeouts = {
  statement_timeout: statementMsMax,
  lock_timeout: lockWaitMsMax,
  idle_in_transaction_session_timeout: statementMsMax,
};

/**
 * A dead process keeps no lock. Every statement is planned once: with partitions the server would
 * otherwise plan again for every value, which costs more than most of our statements do. Such a plan may
 * be made while a table is nearly empty and used when it is full, so none may read all of a table, or all
 * that an index finds, where an index gives what is wanted first; and none is worth compiling.
 */
const options = {
  client_connection_check_interval: aliveCheckMs,
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  jit: "off",
};

/** Every setting of a connection: what a pooler has to set on those that it opens. */
export const sessionSettings: Readonly<Record<string, string | number>> = {
  ...timeouts,
  ...options,
};

export const connectionOptions = Object.entries(options)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(" ");
