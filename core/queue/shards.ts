/** Upper limit of QUEUE_SHARDS. */
export const MOST_SHARDS = 12
/** The slots of a Redis Cluster, see its specification. */
const SLOTS = 16_384
/**
 * The twelfth of the slots in which each shard lies; the first shard's is 0. If three masters have a third of the slots
 * each, the first three shards lie on different masters, and so do the first six on six masters. The list does not
 * depend on the number of shards, so changing the number moves no shard.
 */
const TWELFTHS = [0, 4, 8, 2, 6, 10, 1, 5, 9, 3, 7, 11]
/**
 * Least distance of a tag from the ends of its twelfth, as a fraction of it: masters' slots are rarely cut at the exact
 * slot.
 */
const MARGIN = 0.25

/**
 * The shard for everything about this client, from 0; it changes only with the number of shards.
 * @param of the client's id; for an event without a client, the event's own
 */
export function chooseShard(of: string, shards: number): number {
  return slotOf(of) % shards
}

/** The first `shards` shards. */
export function listShards(shards: number): number[] {
  return Array.from({ length: shards }, (_none, shard) => shard)
}

/** The name of a queue in a shard. In the first shard it has no suffix. */
export function queueInShard(queue: string, shard: number): string {
  return shard === 0 ? queue : `${queue}.${shard}`
}

/** The shard of a name made by {@link queueInShard}. */
export function shardOfQueue(queue: string): number {
  return Number(/\.(\d+)$/.exec(queue)?.[1] ?? 0)
}

/** The names of these queues in each of these shards. */
export function spreadQueues(queues: readonly string[], shards: readonly number[]): string[] {
  return shards.flatMap((shard) => queues.map((queue) => queueInShard(queue, shard)))
}

/**
 * The slot of every key with this hash tag: CRC16 with the polynomial 0x1021, as the specification of Redis Cluster
 * defines it.
 */
export function slotOf(tag: string): number {
  let crc = 0
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = (crc << 1) ^ ((crc & 0x8000) === 0 ? 0 : 0x1021)
    crc &= 0xffff
  }
  return crc % SLOTS
}

/**
 * The hash tag of a shard: the first shard's tag with the shard's number or, if that lies outside its twelfth, with the
 * least higher number that lies inside.
 */
export function tagOfShard(first: string, shard: number): string {
  if (shard === 0) return first
  const twelfth = (Math.floor(placeOf(first)) + (TWELFTHS[shard] ?? shard)) % MOST_SHARDS
  for (let suffix = 0; ; suffix += 1) {
    const tag = suffix === 0 ? `${first}.${shard}` : `${first}.${shard}-${suffix}`
    const within = placeOf(tag) - twelfth
    if (within >= MARGIN && within <= 1 - MARGIN) return tag
  }
}

/** The position of a tag among the slots, in twelfths. */
function placeOf(tag: string): number {
  return (slotOf(tag) * MOST_SHARDS) / SLOTS
}
