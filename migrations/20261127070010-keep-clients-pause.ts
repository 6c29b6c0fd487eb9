import { sql, type Kysely } from 'kysely'

/**
 * An order that somebody else pauses keeps its client's own pause, and returns to it when the other pause
 * ends. `paused_by` still names who keeps the order from buying, others before the client. The database
 * ensures this for every writer, also an older version.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table orders add column also_paused_by_client boolean not null default false`.execute(db)
  await sql`
    create function keep_clients_pause() returns trigger language plpgsql set search_path = public as $$
    begin
      if coalesce(new.paused_by, 'client') <> 'client' then
        new.also_paused_by_client := new.also_paused_by_client or coalesce(old.paused_by = 'client', false);
      else
        if new.paused_by is null and old.also_paused_by_client and new.also_paused_by_client then
          new.paused_by := 'client';
        end if;
        new.also_paused_by_client := false;
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger keep_clients_pause before update of paused_by on orders for each row
    when (old.paused_by is distinct from new.paused_by) execute function keep_clients_pause()`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger keep_clients_pause on orders`.execute(db)
  await sql`drop function keep_clients_pause()`.execute(db)
  await sql`alter table orders drop column also_paused_by_client`.execute(db)
}
