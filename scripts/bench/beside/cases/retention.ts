import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { RETAINED } from '#core/data/schema/retention-tables.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { readClock } from '#core/data/read-clock.ts'
import type { Periods } from '#core/use-cases/retention/old-rows.ts'
import { removeByAge } from '#core/use-cases/retention/remove-by-age.ts'
import { now } from '../../../lab/now.ts'
import type { Receipt } from '../../../lab/receiver/receipt.ts'
import { latencies } from '../../../lab/receiver/read-receipts.ts'
import { withoutIndexes } from '../../leads/without-indexes.ts'
import { settle } from '../../settle.ts'
import { describeSpread, type Spread } from '../../spread.ts'
import { MEASURED } from '../../wait-for-receipts.ts'
import { setUpClients } from '../../set-up-clients.ts'
import type { BesideCase } from '../case.ts'

/** Old deliveries are of 181 to 365 days ago, two for each lead and event. */
const OLDEST_DAYS = 365
const YOUNGEST_DAYS = 181
/** Deliveries of one statement, which must end before the connection's time limit. */
const CHUNK = 100_000
const AT_ONCE = 2
/** The removal runs for this long, and pauses for as long. */
const TURN_SECONDS = 6
/** Leads at the beginning of a turn still feel the one before. */
const SETTLED_MS = 1000
/** The removal without leads is measured for at most this long. */
const LONGEST_MS = 300_000

/**
 * Old deliveries and events are removed, as a worker does it, while leads come. `--rows` is the number of deliveries.
 */
export const RETENTION: BesideCase = {
  name: 'retention',
  who: 'the removal of old deliveries and events',
  aims: { quantile: 'p99' },
  // As on a small machine with large tables.
  settings: ['shared_buffers=1GB', 'max_wal_size=8GB'],
  prepare: async ({ context, programs, seconds, rows }) => {
    const { db, config } = context
    const clients = await setUpClients(programs.server.url, [[`${context.receiver.url}/retention`]])
    const [client] = clients
    if (client === undefined) throw new Error('There is no client')
    await keepFromWorkers(db)
    const began = performance.now()
    await fillOld(db, { id: client.id, webhook: client.configurations[0] ?? '' }, rows)
    await settle(db)
    console.log(
      `  filled in ${((performance.now() - began) / 1000).toFixed(0)} s: ${await describeTables(db)}`,
    )
    const windows: Turn[] = []
    return {
      clients: [],
      disturb: async () => {
        await sql`delete from retention_progress`.execute(db)
        windows.push(...(await removeInTurns(db, config, seconds)))
        return { planned: 0 }
      },
      after: async () => {
        console.log(compareTurns(await context.receiver.receipts(), windows))
        await finish(db, config)
      },
    }
  },
}

/** A time with or without the removal; milliseconds since the epoch. */
interface Turn {
  isRemoving: boolean
  from: number
  until: number
}

/**
 * The removal runs and pauses in turns, so that whatever else the machine does meets both alike. Returns the turns, without
 * their first second.
 */
async function removeInTurns(db: Kysely<Database>, periods: Periods, seconds: number): Promise<Turn[]> {
  const turns: Turn[] = []
  const before = await readJournal(db)
  const removed = { deliveries: 0, events: 0, seconds: 0 }
  for (let turn = 0; turn < Math.max(2, seconds / TURN_SECONDS); turn += 1) {
    const isRemoving = turn % 2 === 0
    const from = now()
    const signal = AbortSignal.timeout(TURN_SECONDS * 1000)
    if (isRemoving) {
      const { deliveries = 0, events = 0 } = await removeByAge({
        db,
        periods,
        now: await readClock(db),
        signal,
      })
      removed.deliveries += deliveries
      removed.events += events
      removed.seconds += (now() - from) / 1000
    }
    await sleep(Math.max(0, from + TURN_SECONDS * 1000 - now()))
    turns.push({ isRemoving, from: from + SETTLED_MS, until: from + TURN_SECONDS * 1000 })
  }
  const rate = (removed.deliveries + removed.events) / removed.seconds
  const bytes = (await readJournal(db)) - before
  console.log(
    `  removed ${removed.deliveries} deliveries and ${removed.events} events in ${removed.seconds.toFixed(1)} s (${rate.toFixed(0)} rows/s); ${(bytes / 1e6).toFixed(0)} MB of WAL, leads included`,
  )
  return turns
}

/** The way of leads that were due in turns with the removal, beside those in turns without it. */
function compareTurns(receipts: readonly Receipt[], turns: readonly Turn[]): string {
  const ofLeads = receipts.filter(({ path }) => path === `/${MEASURED}`)
  const spread = (isRemoving: boolean): Spread =>
    describeSpread(turns.flatMap((turn) => (turn.isRemoving === isRemoving ? latencies(ofLeads, turn) : [])))
  const [without, beside] = [spread(false), spread(true)]
  if (Number.isNaN(without.p50) || Number.isNaN(beside.p50)) return '  too short to compare turns'
  const line = (name: 'p50' | 'p95' | 'p99'): string =>
    `${name} ${without[name].toFixed(1)} and ${beside[name].toFixed(1)} ms (× ${(beside[name] / without[name]).toFixed(2)})`
  return `  in turns of ${TURN_SECONDS} s, without and with the removal: ${line('p50')}, ${line('p95')}, ${line('p99')}`
}

/** The worker's own chore must not begin while the leads are measured alone. */
async function keepFromWorkers(db: Kysely<Database>): Promise<void> {
  await sql`
    insert into retention_progress (what, holder, lease_until)
    select what, uuid_v7(), 'infinity' from unnest(${[...RETAINED]}::text[]) as what
    on conflict (what) do update set holder = excluded.holder, lease_until = excluded.lease_until`.execute(db)
}

/** Removes the rest without rests, then vacuums: what it costs by the row, with nothing else going on. */
async function finish(db: Kysely<Database>, periods: Periods): Promise<void> {
  const before = await readJournal(db)
  const from = performance.now()
  const signal = AbortSignal.timeout(LONGEST_MS)
  const removed = await removeByAge({ db, periods, now: await readClock(db), signal, rest: 0 })
  const took = (performance.now() - from) / 1000
  const { deliveries = 0, events = 0 } = removed
  const rows = deliveries + events
  const bytes = (await readJournal(db)) - before
  console.log(
    `  the rest without leads and rests: ${rows} rows in ${took.toFixed(1)} s (${(rows / took).toFixed(0)} rows/s), ${(bytes / rows).toFixed(0)} bytes of WAL a row`,
  )
  for (const table of ['webhook_deliveries', 'events', 'removed_outcomes']) {
    const began = performance.now()
    const journal = await readJournal(db)
    await db.connection().execute(async (connection) => {
      await sql`set statement_timeout = 0`.execute(connection)
      await sql`vacuum ${sql.table(table)}`.execute(connection)
    })
    const written = (await readJournal(db)) - journal
    console.log(
      `  vacuum of ${table}: ${((performance.now() - began) / 1000).toFixed(1)} s, ${(written / 1e6).toFixed(0)} MB of WAL`,
    )
  }
  console.log(`  left: ${await describeTables(db)}`)
}

async function fillOld(
  db: Kysely<Database>,
  { id, webhook }: { id: string; webhook: string },
  count: number,
): Promise<void> {
  const starts = Array.from({ length: Math.ceil(count / CHUNK) }, (_, index) => index * CHUNK)
  const fill = async (): Promise<void> => {
    for (let from = starts.shift(); from !== undefined; from = starts.shift()) {
      const size = Math.min(CHUNK, count - from)
      const done = from
      await db.transaction().execute(async (trx) => {
        await sql`set local synchronous_commit = off`.execute(trx)
        // The rows refer to leads that are not there, so constraints and triggers are skipped.
        await sql`set local session_replication_role = replica`.execute(trx)
        await fillSome(trx, { id, webhook, done, size, count })
      })
    }
  }
  await withoutIndexes(db, async () => {
    await Promise.all(Array.from({ length: AT_ONCE }, fill))
  })
}

const V7 = sql`
  encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from at) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid`

async function fillSome(
  trx: Kysely<Database>,
  one: { id: string; webhook: string; done: number; size: number; count: number },
): Promise<void> {
  const { id, webhook, done, size, count } = one
  const span = (OLDEST_DAYS - YOUNGEST_DAYS) * 86_400
  await sql`
    with brought as materialized (
      select ${V7} as lead, ${V7} as event, at from (
        select now() - make_interval(days => ${OLDEST_DAYS}, secs => -${span}::float8 * (${done}::float8 + n) / ${count}::float8) as at
        from generate_series(1, ${size}::int, 2) n) drawn
    ), told as (
      insert into events (id, type, lead_id, client_user_id, created_at, enqueued_at, planned_at)
      select event, 'lead.assigned', lead, ${id}::uuid, at, at, at from brought
    )
    insert into webhook_deliveries (id, event_id, event_type, webhook_config_id, client_user_id, lead_id, state, attempt,
      next_attempt_at, created_at, finished_at)
    select ${V7}, event, 'lead.assigned', case e when 1 then ${webhook}::uuid else gen_random_uuid() end, ${id}::uuid, lead,
      case when random() < 0.02 then 'failed' else 'delivered' end, 1, null, at, at
    from brought cross join generate_series(1, 2) e`.execute(trx)
}

async function readJournal(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ at: number }>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as at`.execute(db)
  return rows[0]?.at ?? Number.NaN
}

async function describeTables(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ name: string; rows: number; megabytes: number; indexes: number }>`
    select relname as name, n_live_tup::float8 as rows, (pg_table_size(relid) / 1e6)::float8 as megabytes,
      (pg_indexes_size(relid) / 1e6)::float8 as indexes
    from pg_stat_user_tables where relname in ('webhook_deliveries', 'events', 'removed_outcomes') order by 1`.execute(
    db,
  )
  return rows
    .map(
      (row) =>
        `${row.name} ${row.rows} rows, ${row.megabytes.toFixed(0)} MB and ${row.indexes.toFixed(0)} MB of indexes`,
    )
    .join('; ')
}
