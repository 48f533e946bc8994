/** The error that an account lives in another shard, to which the request is then passed. */
export class LivesElsewhere extends Error {
  readonly shard: number;

  constructor(shard: number) {
    super(`lives in shard ${shard}`);
    this.shard = shard;
  }
}
