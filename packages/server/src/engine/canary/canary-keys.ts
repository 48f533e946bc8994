const bits = 64n;
const mask = (1n << bits) - 1n;
/** XXH3's, for inputs of 4 to 8 bytes: two words of its secret, combined, and its prime. */
const flip = 0x1cad21f72c81017cn ^ 0xdb979083e96dd4den;
const prime = 0x9fb21c651e98df25n;

/**
 * One key per partition. The engine hashes the keys of objects with XXH3 and divides the 64-bit hashes
 * evenly among its partitions. A number above that of the partitions gives several keys to some and at
 * least one to each.
 */
export function canaryKeys(partitions: number): string[] {
  const keys = new Map<number, string>();
  for (let n = 0; keys.size < partitions; n += 1) {
    const key = n.toString(36).padStart(4, "0");
    const position = partitionKeyOf(key) * BigInt(partitions);
    const quarter = Number((position >> (bits - 2n)) & 3n);
    const isInTheMiddle = quarter === 1 || quarter === 2; // however the engine rounds the bounds
    const partition = Number(position >> bits);
    if (isInTheMiddle && !keys.has(partition)) keys.set(partition, key);
  }
  return Array.from({ length: partitions }, (_, partition) => keys.get(partition) ?? "");
}

/**
 * Returns the partition key of a key with 3 to 7 ASCII characters: the engine hashes a key with the byte
 * 0xff after it.
 */
export function partitionKeyOf(key: string): bigint {
  const bytes = Buffer.from([...Buffer.from(key), 0xff]);
  const head = BigInt(bytes.readUInt32LE(0));
  const tail = BigInt(bytes.readUInt32LE(bytes.length - 4));
  let hash = (tail + (head << 32n)) ^ flip;
  hash ^= rotate(hash, 49n) ^ rotate(hash, 24n);
  hash = (hash * prime) & mask;
  hash ^= (hash >> 35n) + BigInt(bytes.length);
  hash = (hash * prime) & mask;
  return hash ^ (hash >> 28n);
}

function rotate(word: bigint, by: bigint): bigint {
  return ((word << by) | (word >> (bits - by))) & mask;
}
