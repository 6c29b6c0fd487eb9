import { sql, type Kysely } from 'kysely'

/** Each statement locks its table alone and for an instant, so that no sale waits for several of them. */
export const isOutsideTransaction = true

/**
 * `admin_role` says what an administrator may do. Null for an administrator means owner, as all were before; an older
 * server that makes administrators leaves it null. On a client's account it is the role that a waiting invitation gives.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table profiles add column if not exists admin_role text
      check (admin_role in ('owner', 'finance', 'support', 'read_only'))`.execute(db)
  await sql`update profiles set admin_role = 'owner' where role = 'admin'`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table profiles drop column admin_role`.execute(db)
}
