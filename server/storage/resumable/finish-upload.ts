import { FileRefusal } from '#core/use-cases/files/file-refusal.ts'
import { findOwner } from '#core/use-cases/files/judge-file.ts'
import { storeFile } from '#core/use-cases/files/store-file.ts'
import type { ServerContext } from '../../context.ts'
import { authoriseAgain } from '../../identity/authorise.ts'
import type { StorageCaller } from '../identify-caller.ts'
import { reachBucket } from '../reach-bucket.ts'
import type { PartsStore } from './parts-store.ts'
import { readGiven } from './read-given.ts'

/**
 * Makes a file of an upload whose bytes are all here, once: a second request waits for the first. What can never be
 * stored is forgotten; after another failure the sender may ask again.
 */
export function createFinishing(
  context: ServerContext,
  parts: PartsStore,
): (caller: StorageCaller, id: string) => Promise<void> {
  const underWay = new Map<string, Promise<void>>()

  async function finish(caller: StorageCaller, id: string): Promise<void> {
    const upload = await parts.getUpload(id)
    if (upload.offset !== upload.size || (await parts.isStored(id))) return
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
      })
    } catch (error) {
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
