import { sql } from 'kysely'
import type { ClientEvent } from '#core/contract/events.ts'
import type { Db } from '../database.ts'

/** Days after which a note may go: no chore looks back that far. */
const KEPT_DAYS = 60

/** An event that is told once. */
export interface EventToTell {
  client_user_id: string
  type: ClientEvent
  /** names it among its client's events of this type */
  key: string
}

/**
 * Notes that an event is told, in the transaction that writes it.
 * @returns false if it was noted before
 */
export async function noteToldEvent(trx: Db, { client_user_id, type, key }: EventToTell): Promise<boolean> {
  const noted = await trx
    .insertInto('told_events')
    .values({ client_user_id, type, key })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  return noted !== undefined
}

/**
 * Removes old notes of a type.
 * @param lasting the beginning of keys that stay
 */
export async function removeOldNotes(db: Db, type: ClientEvent, lasting: string): Promise<void> {
  await sql`
    delete from told_events
    where type = ${type} and told_at < now() - make_interval(days => ${KEPT_DAYS}) and not starts_with(key, ${lasting})`.execute(
    db,
  )
}
