import { sql, type Kysely } from 'kysely'

/** Deleting an account looks up its references. None of these tables grows with the leads. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index client_webhook_configs_created_by on client_webhook_configs (created_by)`.execute(db)
  await sql`create index sources_owner_user_id on sources (owner_user_id)`.execute(db)
  await sql`create index sources_created_by on sources (created_by)`.execute(db)
  await sql`
    create index flows_linking_user_id on auth.flows (linking_user_id) where linking_user_id is not null`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index client_webhook_configs_created_by, sources_owner_user_id, sources_created_by, auth.flows_linking_user_id
  `.execute(db)
}
