import { sql, type Kysely, type RawBuilder } from 'kysely'

/**
 * A process that decides about leads caches the orders (core/use-cases/market/order-cache.ts) and reads only
 * what has changed. Each change of an order, its tallies, a client's funds or a price is noted in its
 * transaction. The transaction id of a note tells whether an earlier reader has seen it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table market_changes (
      xid xid8 not null default pg_current_xact_id(),
      orders uuid[] not null default '{}',
      clients uuid[] not null default '{}',
      lead_types text[] not null default '{}',
      noted_at timestamptz not null default clock_timestamp()
    )`.execute(db)
  await sql`create index market_changes_xid on market_changes (xid)`.execute(db)
  for (const [name, insert] of Object.entries(NOTES))
    await sql`
      create function ${sql.id(name)}() returns trigger language plpgsql security definer set search_path = public as $$
      begin ${insert}; return null; end $$`.execute(db)
  for (const { table, on, call } of TRIGGERS)
    await sql`create trigger ${sql.id(nameOf(call, on))} after ${sql.raw(on)} on ${sql.raw(table)} ${sql.raw(call)}()`.execute(
      db,
    )
  // Position of an order's refusals in the text about all orders
  // (core/domain/market/choice/refusal-letters.ts).
  await sql`alter table orders add column number integer generated always as identity`.execute(db)
  await sql`create unique index orders_number on orders (number)`.execute(db)
  await sql`alter table assignment_decisions add column told jsonb`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table assignment_decisions drop column told`.execute(db)
  await sql`alter table orders drop column number`.execute(db)
  for (const { table, on, call } of TRIGGERS)
    await sql`drop trigger ${sql.id(nameOf(call, on))} on ${sql.raw(table)}`.execute(db)
  for (const name of Object.keys(NOTES)) await sql`drop function ${sql.id(name)}()`.execute(db)
  await sql`drop table market_changes`.execute(db)
}

const NOTES: Readonly<Record<string, RawBuilder<unknown>>> = {
  note_order: sql`insert into market_changes (orders) values (array[coalesce(new.id, old.id)])`,
  note_tallies: sql`
    insert into market_changes (orders) select array_agg(order_id) from changed having count(*) > 0`,
  note_entries: sql`
    insert into market_changes (clients) select array_agg(distinct client_user_id) from changed having count(*) > 0`,
  note_client: sql`insert into market_changes (clients) values (array[new.user_id])`,
  note_person: sql`insert into market_changes (clients) values (array[new.id])`,
  note_type: sql`insert into market_changes (lead_types) values (array[new.code])`,
  note_price: sql`
    insert into market_changes (lead_types) values (array[coalesce(new.lead_type, old.lead_type)])`,
}

const EACH = 'for each row execute function'
const MANY = 'referencing new table as changed for each statement execute function'
const TRIGGERS = [
  { table: 'orders', on: 'insert or update or delete', call: `${EACH} note_order` },
  { table: 'order_tallies', on: 'update', call: `${MANY} note_tallies` },
  { table: 'balance_ledger', on: 'insert', call: `${MANY} note_entries` },
  { table: 'client_accounts', on: 'update of status, licensed_states', call: `${EACH} note_client` },
  { table: 'profiles', on: 'update of status', call: `${EACH} note_client` },
  { table: 'auth.users', on: 'update of deleted_at', call: `${EACH} note_person` },
  { table: 'lead_types', on: 'update of price, floor_price', call: `${EACH} note_type` },
  { table: 'lead_prices', on: 'insert or update or delete', call: `${EACH} note_price` },
] as const

function nameOf(call: string, on: string): string {
  return `${call.split(' ').at(-1)}_${on.startsWith('insert') ? 'written' : 'changed'}`
}
