import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database.ts'

/** One worker notes this often that it runs. */
const NOTE_SECONDS = 8
/** A shorter gap between two notes is no absence: a worker may be busy. */
const AWAY_SECONDS = 30

/** Notes that a worker runs, and the time before in which none did. */
export async function noteMarketRuns(db: Db): Promise<void> {
  await sql`
    with before as materialized (
      select seen_at from market_clock
      where coalesce(seen_at, '-infinity') < now() - make_interval(secs => ${sql.lit(NOTE_SECONDS)}) for no key update
    ), noted as (
      insert into market_absences (began_at, ended_at)
      select seen_at, now() from before where seen_at < now() - make_interval(secs => ${sql.lit(AWAY_SECONDS)})
    )
    update market_clock set seen_at = now() from before
  `.execute(db)
}

/** SQL: the time since a moment in which no worker ran. */
export function awaySince(moment: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce((select sum(a.ended_at - greatest(a.began_at, ${moment}))
    from market_absences a where a.ended_at > ${moment}), interval '0')`
}

export async function removeAbsences(db: Db, before: Date): Promise<number> {
  const { rows } =
    await sql`delete from market_absences where ended_at < ${before} returning began_at`.execute(db)
  return rows.length
}
