import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Finds the administrators, who get every incoming lead; each event looks them up among all profiles.
  await sql`create index profiles_admins on profiles (user_id) where role = 'admin'`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index profiles_admins`.execute(db)
}
