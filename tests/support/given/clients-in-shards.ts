import type { Kysely } from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'
import { chooseShard } from '#core/queue/shards.ts'
import { givenClient } from './pipeline.ts'

/** Creates clients of one shard. */
export async function givenClientsIn(
  db: Kysely<Database>,
  shard: number,
  of: { shards: number; count: number },
): Promise<string[]> {
  const clients: string[] = []
  while (clients.length < of.count) {
    const client = await givenClient(db)
    if (chooseShard(client, of.shards) === shard) clients.push(client)
  }
  return clients
}
