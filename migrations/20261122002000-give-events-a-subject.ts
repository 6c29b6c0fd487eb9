import { sql, type Kysely } from 'kysely'

/**
 * An event may be about anything. An event about a lead keeps lead_id, by which it is found, erased and
 * deleted; any other subject is in subject_type and subject_id. A version that knows only leads keeps writing
 * lead_id alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Not validated: every present row has its lead, and checking each would lock the table.
  await sql`
    alter table events
      alter column lead_id drop not null,
      add column subject_type text not null default 'lead',
      add column subject_id uuid,
      add column failures smallint not null default 0,
      add column failed_at timestamptz,
      add constraint events_subject check (
        case subject_type when 'lead' then lead_id is not null and subject_id is null else subject_id is not null end)
        not valid`.execute(db)
  await sql`
    comment on column events.failed_at is
      'its consumer failed for reasons of the event itself and gave up; null again (with failures 0), it is tried again'`.execute(
    db,
  )
  await sql`
    alter table webhook_deliveries add column own_failures smallint not null default 0`.execute(db)
  await sql`
    comment on column webhook_deliveries.own_failures is
      'how often the next attempt failed before anything was sent, for reasons of the delivery itself'`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhook_deliveries drop column own_failures`.execute(db)
  await sql`delete from events where lead_id is null`.execute(db)
  await sql`
    alter table events drop constraint events_subject, drop column failed_at, drop column failures,
      drop column subject_id, drop column subject_type, alter column lead_id set not null`.execute(db)
}
