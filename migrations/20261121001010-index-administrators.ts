import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Who hears of every lead that comes in: asked for each event, among all profiles.
  await sql`create index profiles_admins on profiles (user_id) where role = 'admin'`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index profiles_admins`.execute(db)
}
