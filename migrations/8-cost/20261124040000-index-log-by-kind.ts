import { sql, type Kysely, type RawBuilder } from 'kysely'

/** The log may be tens of millions of rows: the index of each week is built while attempts go on. */
export const isOutsideTransaction = true

const LOG = 'webhook_delivery_logs'

interface Index {
  name: string
  on: RawBuilder<unknown>
}

const FAILED = sql`where delivery_status = 'failed'`

const INDEXES: readonly Index[] = [
  // Attempts of one kind of event, however few they are among many others; those of any kind are a walk for each.
  { name: 'webhook_delivery_logs_kind', on: sql`(webhook_config_id, event_type, created_at, id)` },
  {
    name: 'webhook_delivery_logs_failed_kind',
    on: sql`(webhook_config_id, event_type, created_at, id) ${FAILED}`,
  },
  // As failed_attempts spells it (the next migration): a webhook fails in few words, and each of these in many attempts.
  {
    name: 'webhook_delivery_logs_error',
    on: sql`(webhook_config_id, (left(error_message, 500) collate "C"), created_at, id) ${FAILED}`,
  },
]
/** What the first two answer for. */
const BEFORE: readonly Index[] = [
  { name: 'webhook_delivery_logs_config', on: sql`(webhook_config_id, created_at desc, id desc)` },
  { name: 'webhook_delivery_logs_failed', on: sql`(webhook_config_id, created_at desc, id desc) ${FAILED}` },
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const index of INDEXES) await build(db, index)
  await leaveToOlderServers(db)
  for (const index of BEFORE) await drop(db, index)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const index of BEFORE) await build(db, index)
  for (const index of INDEXES) await drop(db, index)
}

/**
 * Servers of the version before follow what happens by the attempts since yesterday, in this order alone. The weeks that they can come to
 * see keep it; a week that is made from now on has it no more.
 */
async function leaveToOlderServers(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ week: string }>`
    select inhrelid::regclass::text as week from pg_inherits
    where inhparent = ${LOG}::regclass and exists (select from webhook_delivery_logs)
      and inhrelid::regclass::text >= ${LOG} || to_char(now() - interval '8 days', '_YYYYMMDD')
    order by 1`.execute(db)
  for (const { week } of rows) {
    const name = `${week}_time`
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
    await sql`
      create index concurrently ${sql.id(name)} on ${sql.id(week)} (webhook_config_id, created_at desc, id desc)`.execute(
      db,
    )
  }
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

/** Whoever waits for a lock on the log makes everybody behind him wait: so for a moment at a time, until it is had. */
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
            perform pg_sleep(0.25);
          end;
        end loop;
      end`)}`.execute(db)
}

function quote(text: string): string {
  return `'${text.replaceAll(`'`, `''`)}'`
}
