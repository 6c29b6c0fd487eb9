import { sql, type Kysely } from 'kysely'

/**
 * An export that was asked for with an administrator's rights has rows of all accounts, so a person without these rights,
 * perhaps no longer an administrator, does not read it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table exports add column is_of_all boolean not null default false`.execute(db)
  await sql`
    update exports e set is_of_all = true from profiles p
    where p.user_id = e.asked_by and p.role = 'admin'`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table exports drop column is_of_all`.execute(db)
}
