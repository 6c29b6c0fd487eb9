import { sql } from 'kysely'
import {
  contactMessageSchema,
  type ContactMessage,
  type NewContactMessage,
} from '#core/contract/operations/contact-message.ts'
import type { Db } from '../database.ts'
import { queueMails } from '../outbox/mails.ts'
import { POSITION_FORMAT, type PagePosition } from '../page.ts'

/** Keeps a message, and tells every administrator by mail that there is one. */
export async function keepContactMessage(
  db: Db,
  message: NewContactMessage,
  reference: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { id } = await trx
      .insertInto('contact_messages')
      .values({ ...message, reference })
      .returning('id')
      .executeTakeFirstOrThrow()
    const admins = await trx
      .selectFrom('profiles')
      .select('user_id')
      .where('role', '=', 'admin')
      .where('status', '=', 'active')
      .execute()
    await queueMails(
      trx,
      admins.map(({ user_id }) => ({
        template: 'contact_message' as const,
        data: { reference, topic: message.topic },
        recipient_user_id: user_id,
        notice_key: id,
      })),
    )
  })
}

/** A page of the messages, newest first, one row more than `limit` where there is more. */
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

/** Marks a message as answered, or as not. @returns whether there is such a message */
export async function markContactMessage(db: Db, id: string, isAnswered: boolean): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('contact_messages')
    .set({ answered_at: isAnswered ? sql<Date>`now()` : null })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
