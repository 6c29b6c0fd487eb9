import { isTicketUsed } from '#core/data/files/upload-tickets.ts'
import { failpoint } from '#core/failpoints.ts'
import { FileRefusal } from '#core/use-cases/files/file-refusal.ts'
import { findOwner } from '#core/use-cases/files/judge-file.ts'
import { storeFile } from '#core/use-cases/files/store-file.ts'
import type { ServerContext } from '../../context.ts'
import { authoriseAgain } from '../../identity/authorise.ts'
import type { StorageCaller } from '../identify-caller.ts'
import { reachBucket } from '../reach-bucket.ts'
import { EXPIRES_MS, type PartsStore } from './parts-store.ts'
import { readGiven } from './read-given.ts'

/**
 * Makes a file of an upload whose bytes are all here, once: a second request waits for the first. The transaction that
 * stores the file uses up the upload's ticket, so a server that dies before it marks the upload is no harm. What can
 * never be stored is forgotten; after another failure the sender may ask again.
 */
export function createFinishing(
  context: ServerContext,
  parts: PartsStore,
): (caller: StorageCaller, id: string) => Promise<void> {
  const underWay = new Map<string, Promise<void>>()

  async function finish(caller: StorageCaller, id: string): Promise<void> {
    const upload = await parts.getUpload(id)
    if (upload.offset !== upload.size || (await parts.isStored(id))) return
    const ticket = { id: ticketOf(id), expires_at: new Date(Date.now() + EXPIRES_MS) }
    if (await isTicketUsed(context.db, ticket.id)) return await parts.markStored(id)
    const { bucket, name, ...given } = readGiven(upload.metadata ?? {})
    // The upload may have taken hours.
    if (caller.kind === 'person') await authoriseAgain(context, caller.principal)
    const { owner, person_id } = await reachBucket(context, caller, bucket, 'write')
    try {
      await storeFile(context, {
        ...given,
        bucket,
        name,
        account_id: owner.account_id ?? (await findOwner(context.db, { bucket, name })),
        member_user_id: owner.member_user_id,
        created_by: person_id,
        bytes: parts.read(id),
        declared: upload.size,
        ticket,
      })
      await failpoint('after-upload')
    } catch (error) {
      // Another server was faster.
      if (await isTicketUsed(context.db, ticket.id)) return await parts.markStored(id)
      if (error instanceof FileRefusal && !error.retryable) await parts.remove(id)
      throw error
    }
    await parts.markStored(id)
  }

  return async (caller, id) => {
    const begun = underWay.get(id) ?? finish(caller, id).finally(() => underWay.delete(id))
    underWay.set(id, begun)
    await begun
  }
}

/** An upload's id ends with a number of its own, which has the length of a UUID. */
function ticketOf(id: string): string {
  return id.slice(-32)
}
