import { sql } from 'kysely'
import type { AccountMail, MemberInvitationMail, Notice } from '#core/contract/mail.ts'
import type { Db } from '../database.ts'

/**
 * A mail to be sent. `notice_key` names its cause: the same notice goes to the same person once. Without `not_before`
 * it is due at once.
 */
export type QueuedMail = Notice & { recipient_user_id: string; notice_key: string; not_before?: Date }

/**
 * Puts mails in the outbox, in the transaction of their cause.
 * @returns how many are new
 */
export async function queueMails(db: Db, mails: readonly QueuedMail[]): Promise<number> {
  if (mails.length === 0) return 0
  const result = await db
    .insertInto('mails')
    .values(
      mails.map(({ recipient_user_id, template, data, notice_key, not_before }) => ({
        recipient_user_id,
        template,
        data: JSON.stringify(data),
        notice_key,
        ...(not_before !== undefined && { next_try_at: not_before }),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0n)
}

/**
 * Puts a mail with a code or link into the outbox, in the transaction that made it.
 * @param mail.recipient_user_id whose account it is about, or who invites
 * @param mail.address the recipient, whatever the account's own address is
 * @param mail.sealed its data, sealed by SECRETS_KEY
 */
export async function queueAccountMail(
  db: Db,
  mail: {
    recipient_user_id: string
    address: string
    template: (AccountMail | MemberInvitationMail)['template']
    sealed: string
  },
): Promise<void> {
  await db
    .insertInto('mails')
    .values({
      recipient_user_id: mail.recipient_user_id,
      recipient_address: mail.address,
      template: mail.template,
      data: '{}',
      sealed_data: mail.sealed,
      // Each mail is a new one: a second request for a link is a second mail.
      notice_key: sql<string>`uuid_v7()::text`,
    })
    .execute()
}

/**
 * Puts a mail about a message of the contact form into the outbox, in the transaction that stores the message.
 * @param mail.address the recipient; undefined means the sender of the message
 */
export async function queueContactMail(
  db: Db,
  messageId: string,
  mail: Extract<Notice, { template: `contact_${string}` }> & { address: string | undefined },
): Promise<void> {
  await db
    .insertInto('mails')
    .values({
      contact_message_id: messageId,
      recipient_address: mail.address ?? null,
      template: mail.template,
      data: JSON.stringify(mail.data),
      notice_key: messageId,
    })
    .execute()
}
