import { sql, type Kysely } from 'kysely'

/**
 * A sender of the contact form has no account. The mail finds its address in the message and is removed with
 * it, so that the address is stored in one place.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table mails
      alter column recipient_user_id drop not null,
      add column contact_message_id uuid references contact_messages (id) on delete cascade,
      add check (recipient_user_id is not null or contact_message_id is not null)`.execute(db)
  await sql`
    create unique index mails_of_contact_message on mails (contact_message_id, template)
      where contact_message_id is not null`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`delete from mails where contact_message_id is not null`.execute(db)
  await sql`alter table mails drop column contact_message_id, alter column recipient_user_id set not null`.execute(
    db,
  )
}
