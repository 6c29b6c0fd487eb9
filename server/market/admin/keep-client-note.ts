import type { ClientNote } from '#core/contract/market/client-page.ts'
import { findClientNote, insertClientNote } from '#core/data/market/client-notes.ts'
import type { ServerContext } from '../../context.ts'
import { createOnce } from '../../http/create-once.ts'
import { auditChange, type By } from '../audit-change.ts'
import { clientNotFound, requireClient } from './require-client.ts'

/**
 * Keeps an administrator's note about a client. The audit log names the note and not its text, which an
 * erasure of the account removes.
 * @throws AppError not_found
 */
export async function keepClientNote(
  context: ServerContext,
  by: By,
  client: string,
  text: string,
  key: string | undefined,
): Promise<ClientNote> {
  await requireClient(context, client)
  const author = by.caller.user_id
  const asked = { user_id: author, operation: 'client.note', key, content: JSON.stringify([client, text]) }
  const { id } = await createOnce(context, asked, async (trx, newId) => {
    await insertClientNote(trx, { id: newId, client_user_id: client, author_user_id: author, text })
    await auditChange(trx, by, { action: 'client_note_added', client, details: { note_id: newId } })
  })
  const note = await findClientNote(context.db, id)
  if (note === undefined) throw clientNotFound()
  return note
}
