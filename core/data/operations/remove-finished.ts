import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** Rows read in one statement; it takes milliseconds, so that nobody waits for it. */
const BATCH = 1000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** A moment, and the least id that a row of that moment can have (core/domain/uuid-at.ts). */
export interface OldestKept {
  moment: Date
  id: string
}

/**
 * One step through old rows in the order of their ids, which is the order of their times; `last` is null at the end.
 */
interface Step {
  removed: number
  last: string | null
}

/**
 * Removes deliveries that ended before this moment.
 * @returns how many were removed
 */
export async function removeFinishedDeliveries(db: Db, oldest: OldestKept): Promise<number> {
  return await inSteps(async (after) => {
    const { rows } = await sql<Step>`
      with looked as (
        select id, state in ('delivered', 'failed', 'cancelled') and finished_at < ${oldest.moment} as is_over
        from webhook_deliveries where id > ${after} and id < ${oldest.id}
        order by id limit ${BATCH} for update skip locked
      ), gone as (
        delete from webhook_deliveries where id in (select id from looked where is_over) returning id
      )
      select (select count(*) from gone)::int as removed, (select id from looked order by id desc limit 1) as last
    `.execute(db)
    return rows[0]
  })
}

/** Removes planned events from before this moment that have no delivery any more. The event of an erasure is kept. */
export async function removeFinishedEvents(db: Db, oldest: OldestKept): Promise<number> {
  return await inSteps(async (after) => {
    const { rows } = await sql<Step>`
      with looked as (
        select e.id, e.planned_at is not null and e.type <> 'lead.erased'
          and not exists (select from webhook_deliveries d where d.event_id = e.id) as is_over
        from events e where e.id > ${after} and e.id < ${oldest.id}
        order by e.id limit ${BATCH} for update skip locked
      ), gone as (
        delete from events where id in (select id from looked where is_over) returning id
      )
      select (select count(*) from gone)::int as removed, (select id from looked order by id desc limit 1) as last
    `.execute(db)
    return rows[0]
  })
}

/** Removes keys that no caller repeats any more. */
export async function removeIdempotencyKeys(db: Db, before: Date): Promise<number> {
  const { rows } = await sql`
    delete from idempotency_keys where created_at < ${before} returning 1 as gone`.execute(db)
  return rows.length
}

async function inSteps(step: (after: string) => Promise<Step | undefined>): Promise<number> {
  let removed = 0
  for (let after: string | null = FIRST_ID; after !== null;) {
    const done: Step | undefined = await step(after)
    removed += done?.removed ?? 0
    after = done?.last ?? null
  }
  return removed
}
