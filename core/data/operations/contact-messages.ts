import { sql } from 'kysely'
import {
  contactMessageSchema,
  type ContactMessage,
  type NewContactMessage,
} from '#core/contract/operations/contact-message.ts'
import { listAdministrators } from '../accounts/list-administrators.ts'
import type { Db } from '../database.ts'
import type { MailData } from '#core/contract/mail.ts'
import { queueContactMail, queueMails } from '../outbox/mails.ts'
import { POSITION_FORMAT, type PagePosition } from '../page.ts'

/** Limit of receipts that one address gets in a day: the sender who types it in need not be its owner. */
const RECEIPTS_A_DAY = 3

export interface ContactMails {
  /** the address that is notified; undefined means every administrator */
  operator: string | undefined
  /** days for which the message is kept */
  keptDays: number
}

/** Stores a message, and queues a receipt to its sender and a notice to the operators of the installation. */
export async function keepContactMessage(
  db: Db,
  message: NewContactMessage,
  reference: string,
  { operator, keptDays }: ContactMails,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { id } = await trx
      .insertInto('contact_messages')
      .values({ ...message, reference })
      .returning('id')
      .executeTakeFirstOrThrow()
    const notice = { reference, topic: message.topic }
    await queueReceipt(trx, id, { ...notice, kept_days: keptDays })
    if (operator === undefined) await tellAdministrators(trx, id, notice)
    else await queueContactMail(trx, id, { template: 'contact_message', data: notice, address: operator })
  })
}

async function queueReceipt(trx: Db, id: string, data: MailData<'contact_receipt'>): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from contact_messages m join contact_messages sent using (email)
    where sent.id = ${id} and m.created_at > now() - interval '1 day'`.execute(trx)
  if ((rows[0]?.count ?? 0) > RECEIPTS_A_DAY) return
  await queueContactMail(trx, id, { template: 'contact_receipt', data, address: undefined })
}

async function tellAdministrators(trx: Db, id: string, data: MailData<'contact_message'>): Promise<void> {
  const admins = await listAdministrators(trx)
  await queueMails(
    trx,
    admins.map((recipient_user_id) => ({
      template: 'contact_message' as const,
      data,
      recipient_user_id,
      notice_key: id,
    })),
  )
}

/**
 * Removes messages from before this moment, and mails about them with their addresses.
 * @returns how many were removed
 */
export async function removeContactMessages(db: Db, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('contact_messages')
    .where('created_at', '<', before)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** A page of the messages, newest first, with one row more than `limit` if there are more. */
export async function listContactMessages(
  db: Db,
  { limit, after }: { limit: number; after: PagePosition | undefined },
): Promise<Array<ContactMessage & { position: string }>> {
  const rows = await db
    .selectFrom('contact_messages')
    .select(['id', 'reference', 'topic', 'name', 'email', 'message', 'created_at', 'answered_at'])
    .select(sql<string>`to_char(created_at at time zone 'utc', ${sql.lit(POSITION_FORMAT)})`.as('position'))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) < (${after?.at}::timestamptz, ${after?.id}::uuid)`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return rows.map((row) => ({
    ...row,
    topic: contactMessageSchema.shape.topic.parse(row.topic),
    created_at: row.created_at.toISOString(),
    answered_at: row.answered_at?.toISOString() ?? null,
  }))
}

/**
 * Marks a message as answered, or as not answered.
 * @returns whether that changed it; undefined if there is no such message
 */
export async function markContactMessage(
  db: Db,
  id: string,
  isAnswered: boolean,
): Promise<boolean | undefined> {
  const { numUpdatedRows } = await db
    .updateTable('contact_messages')
    .set({ answered_at: isAnswered ? sql<Date>`now()` : null })
    .where('id', '=', id)
    .where('answered_at', isAnswered ? 'is' : 'is not', null)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return true
  const row = await db.selectFrom('contact_messages').select('id').where('id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : false
}
