import { sql, type Kysely } from 'kysely'

/**
 * Receipts are numbered without gaps: the number is taken from a row, in the transaction that receives the
 * payment, so a rolled back one takes none. It is taken at commit, so that receipts wait for each other only then.
 * A trigger does it, so that payments that an older server receives are numbered too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table marketplace_settings (
      key text primary key check (key ~ '^[a-z_]{1,60}$'),
      value text not null check (length(value) <= 2000),
      changed_by uuid,
      changed_at timestamptz not null default now(),
      reason text not null check (length(reason) <= 500)
    )`.execute(db)
  await sql`
    create table receipt_counter (
      only_row boolean primary key default true check (only_row),
      last integer not null
    )`.execute(db)
  // The seller as it was when the payment came; a later change leaves earlier receipts as they are.
  await sql`
    alter table payments add column receipt_number integer, add column seller_name text, add column seller_address text`.execute(
    db,
  )
  await sql`
    update payments set receipt_number = numbered.place
    from (
      select id, row_number() over (order by coalesce(decided_at, created_at), id) as place
      from payments where status = 'received'
    ) numbered where numbered.id = payments.id`.execute(db)
  await sql`
    insert into receipt_counter (last) select coalesce(max(receipt_number), 0) from payments`.execute(db)
  await sql`create unique index payments_receipt_number on payments (receipt_number)`.execute(db)
  await sql`
    create function number_receipt() returns trigger language plpgsql set search_path = public as $$
    declare
      taken integer;
    begin
      perform from payments where id = new.id and status = 'received' and receipt_number is null;
      if found then
        update receipt_counter set last = last + 1 returning last into taken;
        update payments set receipt_number = taken,
          seller_name = (select value from marketplace_settings where key = 'seller_name'),
          seller_address = (select value from marketplace_settings where key = 'seller_address')
        where id = new.id;
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create constraint trigger number_receipt after insert or update of status on payments
    deferrable initially deferred for each row when (new.status = 'received') execute function number_receipt()`.execute(
    db,
  )
  // Until when a dispute can be answered, as the payment provider says.
  await sql`alter table payment_reversals add column due_by timestamptz`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment_reversals drop column due_by`.execute(db)
  await sql`drop trigger number_receipt on payments`.execute(db)
  await sql`drop function number_receipt()`.execute(db)
  await sql`alter table payments drop column receipt_number, drop column seller_name, drop column seller_address`.execute(
    db,
  )
  await sql`drop table receipt_counter`.execute(db)
  await sql`drop table marketplace_settings`.execute(db)
}
