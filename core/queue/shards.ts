/** As many as QUEUE_SHARDS may ask for. */
export const MOST_SHARDS = 12
/** The slots of a Redis Cluster, see its specification. */
const SLOTS = 16_384
/**
 * In which twelfth of the slots each shard lies, counted from that of the first. Three masters that have a third each get one of the
 * first three shards; six get one of the first six. It does not depend on how many shards there are, so that one which stays stays
 * where it is.
 */
const TWELFTHS = [0, 4, 8, 2, 6, 10, 1, 5, 9, 3, 7, 11]
/** A tag keeps so far from the ends of its twelfth, as a part of it: masters' slots are rarely cut to the very slot. */
const MARGIN = 0.25

/**
 * The shard of whatever concerns this client, from 0; it changes with the number of shards only.
 * @param of the client's id; of what is nobody's, the event's own
 */
export function chooseShard(of: string, shards: number): number {
  return slotOf(of) % shards
}

/** The first `shards` of them. */
export function listShards(shards: number): number[] {
  return Array.from({ length: shards }, (_none, shard) => shard)
}

/** The name of a queue in a shard. In the first shard it has no suffix. */
export function queueInShard(queue: string, shard: number): string {
  return shard === 0 ? queue : `${queue}.${shard}`
}

/** What {@link queueInShard} was told. */
export function shardOfQueue(queue: string): number {
  return Number(/\.(\d+)$/.exec(queue)?.[1] ?? 0)
}

/** These queues in each of these shards. */
export function spreadQueues(queues: readonly string[], shards: readonly number[]): string[] {
  return shards.flatMap((shard) => queues.map((queue) => queueInShard(queue, shard)))
}

/** The slot of every key that has this hash tag: CRC16 with the polynomial 0x1021, as the specification of Redis Cluster has it. */
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
 * The hash tag of a shard: that of the first with the shard's number, and where that would not lie in its twelfth, with the least
 * number behind it that does.
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

/** The place of a tag among the slots, in twelfths. */
function placeOf(tag: string): number {
  return (slotOf(tag) * MOST_SHARDS) / SLOTS
}
