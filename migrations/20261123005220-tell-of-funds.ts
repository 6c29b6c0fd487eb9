import { sql, type Kysely } from 'kysely'

/** The last notice about a client's funds, so that each crossing of a threshold is reported once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A client who starts with nothing gets no notice about it.
  await sql`
    alter table client_funding add column told text not null default 'out'
      check (told in ('available', 'limited', 'out'))`.execute(db)
  // Nobody gets a notice now about a state that has lasted long.
  await sql`
    insert into client_funding (client_user_id, told)
    select a.user_id, case when p.balance <= 0 then 'out' when p.balance < a.low_balance_threshold then 'limited' else 'available' end
    from client_accounts a join profiles p on p.user_id = a.user_id
    on conflict (client_user_id) do update set told = excluded.told`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table client_funding drop column told`.execute(db)
}
