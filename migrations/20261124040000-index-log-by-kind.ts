import { sql, type Kysely, type RawBuilder } from 'kysely'

/** The log may be tens of millions of rows: the index of each week is built while attempts go on. */
export const isOutsideTransaction = true

const LOG = 'webhook_delivery_logs'

interface Index {
  name: string
  on: RawBuilder<unknown>
}

/**
 * Nulls last, though there are none, as the server asks for it: so the primary key is in another order, which PostgreSQL would rather
 * walk where the webhook and the kind seem to leave nothing out. It reads all where a kind never came.
 */
const NEWEST_FIRST = sql`created_at desc nulls last, id desc nulls last`

const INDEXES: readonly Index[] = [
  // What came of one kind, and what became of it, however few these are among many others; all of them are a walk for each.
  {
    name: 'webhook_delivery_logs_kind',
    on: sql`(webhook_config_id, event_type, delivery_status, ${NEWEST_FIRST})`,
  },
  // What another writer of the table has left there under other names; the product itself writes none.
  {
    name: 'webhook_delivery_logs_other',
    on: sql`(webhook_config_id, ${NEWEST_FIRST})
      where event_type not in ('lead.created', 'lead.assigned') or delivery_status not in ('delivered', 'failed')`,
  },
  // As failed_attempts spells it (the next migration): a webhook fails in few words, and each of these in many attempts.
  {
    name: 'webhook_delivery_logs_error',
    on: sql`(webhook_config_id, (left(error_message, 500) collate "C"), event_type, ${NEWEST_FIRST})
      where delivery_status = 'failed'`,
  },
]
/** What the first of them answers for. */
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
 * Servers of the version before follow what happens by the attempts since yesterday, in this order alone. The weeks that they can come to
 * see in the next month keep it; a week that is made from now on has it no more. Their lists are sorted meanwhile.
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

/** PostgreSQL builds no index of a table in parts concurrently, so each week's is built and joined; a week made meanwhile brings its own. */
async function build(db: Kysely<unknown>, { name, on }: Index): Promise<void> {
  await soon(db, sql`create index if not exists ${sql.id(name)} on only ${sql.id(LOG)} ${on}`)
  for (const week of await weeksWithout(db, name)) {
    const ofWeek = `${week}_${name.slice(LOG.length + 1)}`
    // What an earlier try left behind is not valid.
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

/** Whoever waits for a lock on the log makes everybody behind him wait: so for a moment now and then, until it is had. */
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
