import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { Retained } from '../schema/retention-tables.ts'

/** A worker that died leaves its removal to another after this time. */
const LEASE_SECONDS = 60

/** A removal in the hands of one worker. */
export interface Hold {
  what: Retained
  holder: string
}

/**
 * Takes a removal for this holder, unless another has it. From now on figures expect that rows from before `until` are
 * gone.
 * @returns the id up to which nothing is left to do; undefined if another holder has it
 */
export async function takeRemoval(db: Db, { what, holder }: Hold, until: Date): Promise<string | undefined> {
  const { rows } = await sql<{ reached: string }>`
    insert into retention_progress as p (what, holder, lease_until, removed_until)
    values (${what}, ${holder}, now() + make_interval(secs => ${LEASE_SECONDS}), ${until})
    on conflict (what) do update set holder = excluded.holder, lease_until = excluded.lease_until,
      removed_until = greatest(p.removed_until, excluded.removed_until)
    where p.holder = excluded.holder or p.lease_until is null or p.lease_until < now()
    returning reached`.execute(db)
  return rows[0]?.reached
}

/**
 * Records how far it has come, and renews the lease.
 * @param more.reached rows up to this id are done
 * @returns false if another holder has taken it
 */
export async function recordRemoval(
  db: Db,
  { what, holder }: Hold,
  { reached, removed }: { reached: string; removed: number },
): Promise<boolean> {
  const { rows } = await sql`
    update retention_progress set reached = ${reached}, removed = removed + ${removed}::bigint,
      lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where what = ${what} and holder = ${holder} returning 1 as mine`.execute(db)
  return rows.length > 0
}

/** Gives a removal back. @param isWhole whether it has come to its end */
export async function giveRemovalBack(db: Db, { what, holder }: Hold, isWhole: boolean): Promise<void> {
  await sql`
    update retention_progress set holder = null, lease_until = null,
      ended_at = case when ${isWhole}::boolean then now() else ended_at end
    where what = ${what} and holder = ${holder}`.execute(db)
}
