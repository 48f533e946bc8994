/**
 * Returns the name of a service in the engine. Each shard has separate services, whose invocations go to
 * the shard's workers.
 */
export function serviceName(name: string, shard: number): string {
  return shard === 0 ? name : `${name}_${shard}`;
}
