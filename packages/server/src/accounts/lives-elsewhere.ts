/** The account lives in another shard: the request goes on there. */
export class LivesElsewhere extends Error {
  readonly shard: number;

  constructor(shard: number) {
    super(`lives in shard ${shard}`);
    this.shard = shard;
  }
}
