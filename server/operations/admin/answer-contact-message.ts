import { markContactMessage } from '#core/data/operations/contact-messages.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../context.ts'
import { auditChange, type By } from '../../market/audit-change.ts'

/** Marks a message as answered, or as not answered; a repeat is harmless. @throws AppError not_found */
export async function answerContactMessage(
  { db }: ServerContext,
  by: By,
  id: string,
  isAnswered: boolean,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const isNews = await markContactMessage(trx, id, isAnswered)
    if (isNews === undefined) throw new AppError('not_found', 'Nothing has this id.')
    const action = isAnswered ? 'contact_message_answered' : 'contact_message_reopened'
    if (isNews) await auditChange(trx, by, { action, details: { message_id: id } })
  })
}
