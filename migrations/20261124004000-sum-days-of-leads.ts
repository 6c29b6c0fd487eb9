import { sql, type Kysely } from 'kysely'

/** Leads and deliveries may be millions, so nothing may wait for this migration. */
export const isOutsideTransaction = true

/**
 * Stores the sums of a client's leads by day (core/data/market/figures/day-sums.ts). A later change is noted
 * in its transaction, by the quarter of an hour in which the lead came: a sum is valid if it has seen every
 * change of its day. Changes of recent leads are not noted, because recent days have no sums.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists lead_day_sums (
      client_user_id uuid not null references profiles (user_id) on delete cascade,
      day date not null,
      zone text not null,
      form text not null,
      begins timestamptz not null,
      ends timestamptz not null,
      snapshot pg_snapshot not null,
      tallies jsonb not null,
      attempted integer not null,
      delivered integer not null,
      primary key (client_user_id, day)
    )`.execute(db)
  await sql`
    create table if not exists lead_day_changes (
      xid xid8 not null default pg_current_xact_id(),
      client_user_id uuid not null,
      quarter timestamptz not null,
      noted_at timestamptz not null default clock_timestamp()
    )`.execute(db)
  await sql`create index if not exists lead_day_changes_of_client on lead_day_changes (client_user_id, quarter)`.execute(
    db,
  )
  for (const [name, body] of Object.entries(FUNCTIONS))
    await sql`
      create or replace function ${sql.id(name)}() returns trigger language plpgsql security definer set search_path = public as $$
      begin ${sql.raw(body)} end $$`.execute(db)
  for (const { table, name, on } of TRIGGERS)
    await takeInAnInstant(db, `create or replace trigger ${name} ${on.replace('*', table)}`)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const { table, name } of TRIGGERS)
    await takeInAnInstant(db, `drop trigger if exists ${name} on ${table}`)
  for (const name of Object.keys(FUNCTIONS)) await sql`drop function if exists ${sql.id(name)}()`.execute(db)
  await sql`drop table if exists lead_day_changes`.execute(db)
  await sql`drop table if exists lead_day_sums`.execute(db)
}

/**
 * Sums exist only for days that ended some time ago (KEPT_AFTER_HOURS in
 * core/data/market/figures/day-sums.ts).
 */
const OLD = `now() - interval '36 hours'`
const note = (from: string) => `
  insert into lead_day_changes (client_user_id, quarter)
  select distinct client, date_bin('15 minutes', at, '2000-01-01 00:00+00') from (${from}) changed
  where client is not null and at < ${OLD};`

const FUNCTIONS: Readonly<Record<string, string>> = {
  // The past holder has the lead's other figures in their own sums.
  note_day_of_lead: `${note(`
    select old.assigned_to as client, old.created_at as at union all select new.assigned_to, new.created_at
    union all select a.client_user_id, times.at from lead_assignments a cross join (values (old.created_at), (new.created_at)) as times (at)
    where a.lead_id = coalesce(new.id, old.id)`)}
    return coalesce(new, old);`,
  note_day_of_its_lead: `${note(`
    select coalesce(new.client_user_id, old.client_user_id) as client, created_at as at from leads
    where id = coalesce(new.lead_id, old.lead_id)`)}
    return null;`,
  note_days_of_their_leads: `${note(`
    select touched.client_user_id as client, l.created_at as at
    from touched cross join lateral (select created_at from leads where leads.id = touched.lead_id offset 0) l`)}
    return null;`,
}

const COUNTED = 'assigned_to, created_at, is_test, state, lead_type, source, order_id, price_charged'
const HELD = 'state, disposition, order_id, price, assigned_at'
const isOther = (columns: string) => {
  const of = (row: string) => `(${columns.replaceAll(/\w+/g, (column) => `${row}.${column}`)})`
  return `${of('old')} is distinct from ${of('new')}`
}
const EACH_LEAD = 'execute function note_day_of_lead()'
const ITS_LEAD = 'execute function note_day_of_its_lead()'
const THEIR_LEADS = 'for each statement execute function note_days_of_their_leads()'

const TRIGGERS = [
  {
    table: 'leads',
    name: 'note_day_brought',
    on: `after insert on * for each row when (new.created_at < ${OLD}) ${EACH_LEAD}`,
  },
  {
    table: 'leads',
    name: 'note_day_changed',
    on: `after update of ${COUNTED} on * for each row
      when (least(old.created_at, new.created_at) < ${OLD} and ${isOther(COUNTED)}) ${EACH_LEAD}`,
  },
  // Runs before the lead's assignments are gone.
  {
    table: 'leads',
    name: 'note_day_removed',
    on: `before delete on * for each row when (old.created_at < ${OLD}) ${EACH_LEAD}`,
  },
  {
    table: 'lead_assignments',
    name: 'note_day_brought',
    on: `after insert on * referencing new table as touched ${THEIR_LEADS}`,
  },
  {
    table: 'lead_assignments',
    name: 'note_day_changed',
    on: `after update of ${HELD} on * for each row when (${isOther(HELD)}) ${ITS_LEAD}`,
  },
  { table: 'lead_assignments', name: 'note_day_removed', on: `after delete on * for each row ${ITS_LEAD}` },
  {
    table: 'lead_returns',
    name: 'note_day',
    on: `after insert or update or delete on * for each row ${ITS_LEAD}`,
  },
  {
    table: 'webhook_deliveries',
    name: 'note_day_brought',
    on: `after insert on * for each row when (new.resend_of is not null or new.attempt > 0) ${ITS_LEAD}`,
  },
  {
    table: 'webhook_deliveries',
    name: 'note_day_changed',
    on: `after update of state, attempt on * for each row
      when (old.state <> new.state or (old.attempt > 0) <> (new.attempt > 0)) ${ITS_LEAD}`,
  },
  // Retention removes a thousand at once.
  {
    table: 'webhook_deliveries',
    name: 'note_day_removed',
    on: `after delete on * referencing old table as touched ${THEIR_LEADS}`,
  },
] as const

/** Runs a statement that needs the table for itself; nobody waits behind it for long. */
async function takeInAnInstant(db: Kysely<unknown>, statement: string): Promise<void> {
  await sql`
    do $do$
    begin
      loop
        begin
          perform set_config('lock_timeout', '50ms', true);
          ${sql.raw(statement)};
          exit;
        exception when lock_not_available then
          perform pg_sleep(0.05);
        end;
      end loop;
    end $do$`.execute(db)
}
