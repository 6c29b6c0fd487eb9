import { sql, type Kysely } from 'kysely'

/**
 * A person who revokes consent has no account: the mail with the code has only an address. Workers of the previous version
 * leave such mails to newer ones.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table mails
      drop constraint if exists mails_check,
      drop constraint if exists mails_have_recipient,
      add constraint mails_have_recipient
        check (num_nonnulls(recipient_user_id, contact_message_id, recipient_address) > 0) not valid`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`delete from mails where recipient_user_id is null and contact_message_id is null`.execute(db)
  await sql`
    alter table mails drop constraint mails_have_recipient,
      add constraint mails_check check (recipient_user_id is not null or contact_message_id is not null) not valid`.execute(
    db,
  )
}
