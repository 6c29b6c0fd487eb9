import type { Kysely } from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'
import { renderMail } from '#core/mail/render-mail.ts'

/** Returns the subjects of a client's mails so far, oldest first, each rendered as it is sent. */
export async function readToldMails(db: Kysely<Database>, client: string): Promise<string[]> {
  const rows = await db
    .selectFrom('mails')
    .select(['template', 'data'])
    .where('recipient_user_id', '=', client)
    .where('sealed_data', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const reader = { user_id: client, publicUrl: 'https://leads.example.com', now: new Date() }
  return rows.map((row) => renderMail(row, reader).subject)
}
