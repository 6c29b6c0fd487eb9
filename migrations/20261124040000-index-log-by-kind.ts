import { sql, type Kysely, type RawBuilder } from 'kysely'

/** The log may have tens of millions of rows, so the index of each week is built while attempts continue. */
export const isOutsideTransaction = true

const LOG = 'webhook_delivery_logs'

interface Index {
  name: string
  on: RawBuilder<unknown>
}

/**
 * Nulls last, although there are none, as in the server's queries. Otherwise PostgreSQL would prefer to walk
 * the primary key if webhook and event type seem to exclude nothing, and would read everything for a type
 * that never occurs.
 */
const NEWEST_FIRST = sql`created_at desc nulls last, id desc nulls last`

const INDEXES: readonly Index[] = [
  // Finds the attempts of one event type, and of one result, however few they are among many others.
  {
    name: 'webhook_delivery_logs_kind',
    on: sql`(webhook_config_id, event_type, delivery_status, ${NEWEST_FIRST})`,
  },
  // Finds rows with other values, which another writer of the table may have left; the product writes none.
  {
    name: 'webhook_delivery_logs_other',
    on: sql`(webhook_config_id, ${NEWEST_FIRST})
      where event_type not in ('lead.created', 'lead.assigned') or delivery_status not in ('delivered', 'failed')`,
  },
  // Written as in failed_attempts (the next migration): a webhook fails with few texts, and each occurs in
  // many attempts.
  {
    name: 'webhook_delivery_logs_error',
    on: sql`(webhook_config_id, (left(error_message, 500) collate "C"), event_type, ${NEWEST_FIRST})
      where delivery_status = 'failed'`,
  },
]
/** The indexes that the first one replaces. */
const BEFORE: readonly Index[] = [
  { name: 'webhook_delivery_logs_config', on: sql`(webhook_config_id, created_at desc, id desc)` },
  {
    name: 'webhook_delivery_logs_failed',
    on: sql`(webhook_config_id, created_at desc, id desc) where delivery_status = 'failed'`,
  },
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const index of INDEXES) await build(db, index)
  await leaveToOlderServers(db)
  for (const index of BEFORE) await drop(db, index)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const index of BEFORE) await build(db, index)
  for (const week of await listWeeks(db))
    await sql`drop index concurrently if exists ${sql.id(ofOlder(week))}`.execute(db)
  for (const index of INDEXES) await drop(db, index)
}

/**
 * Servers of the previous version follow changes by the attempts since yesterday, in this order only. The
 * weeks that they may read in the next month keep the index; weeks made from now on lack it, and those
 * servers sort.
 */
async function leaveToOlderServers(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ first: string; is_written: boolean }>`
    select ${LOG} || to_char(now() - interval '8 days', '_YYYYMMDD') as first,
      exists (select from webhook_delivery_logs) as is_written`.execute(db)
  const { first = '', is_written: isWritten = false } = rows[0] ?? {}
  if (!isWritten) return
  for (const week of (await listWeeks(db)).filter((name) => name >= first)) {
    await sql`drop index concurrently if exists ${sql.id(ofOlder(week))}`.execute(db)
    await sql`
      create index concurrently ${sql.id(ofOlder(week))} on ${sql.id(week)}
        (webhook_config_id, created_at desc, id desc)`.execute(db)
  }
}

function ofOlder(week: string): string {
  return `${week}_time`
}

async function listWeeks(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ week: string }>`
    select inhrelid::regclass::text as week from pg_inherits where inhparent = ${LOG}::regclass order by 1`.execute(
    db,
  )
  return rows.map(({ week }) => week)
}

async function drop(db: Kysely<unknown>, { name }: Index): Promise<void> {
  await soon(db, sql`drop index if exists ${sql.id(name)}`)
}

/**
 * PostgreSQL cannot build an index of a partitioned table concurrently, so each week's is built and attached;
 * a week made meanwhile brings its own.
 */
async function build(db: Kysely<unknown>, { name, on }: Index): Promise<void> {
  await soon(db, sql`create index if not exists ${sql.id(name)} on only ${sql.id(LOG)} ${on}`)
  for (const week of await weeksWithout(db, name)) {
    const ofWeek = `${week}_${name.slice(LOG.length + 1)}`
    // An index that an earlier try left behind is not valid.
    await sql`drop index concurrently if exists ${sql.id(ofWeek)}`.execute(db)
    await sql`create index concurrently ${sql.id(ofWeek)} on ${sql.id(week)} ${on}`.execute(db)
    await soon(db, sql`alter index ${sql.id(name)} attach partition ${sql.id(ofWeek)}`)
  }
}

async function weeksWithout(db: Kysely<unknown>, index: string): Promise<string[]> {
  const { rows } = await sql<{ week: string }>`
    select w.inhrelid::regclass::text as week from pg_inherits w
    where w.inhparent = ${LOG}::regclass and not exists (
      select from pg_index i join pg_inherits part on part.inhrelid = i.indexrelid
      where i.indrelid = w.inhrelid and part.inhparent = ${index}::regclass)
    order by 1`.execute(db)
  return rows.map(({ week }) => week)
}

/**
 * A statement that waits for a lock on the log makes all later ones wait. So it waits only for a moment,
 * again and again, until it gets the lock.
 */
async function soon(db: Kysely<unknown>, statement: RawBuilder<unknown>): Promise<void> {
  const text = statement.compile(db).sql
  await sql`
    do ${sql.lit(`
      begin
        perform set_config('lock_timeout', '250ms', true);
        loop
          begin
            execute ${quote(text)};
            exit;
          exception when lock_not_available then
            perform pg_sleep(2);
          end;
        end loop;
      end`)}`.execute(db)
}

function quote(text: string): string {
  return `'${text.replaceAll(`'`, `''`)}'`
}
