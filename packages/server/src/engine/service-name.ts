/** Each shard has services of its own in the engine: what is sent to them comes to the workers of the shard. */
export function serviceName(name: string, shard: number): string {
  return shard === 0 ? name : `${name}_${shard}`;
}
