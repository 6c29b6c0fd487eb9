import { PERMISSIONS_OF_MEMBER } from '#core/contract/accounts/member-role.ts'
import { BUCKET_RULES, isProductBucket } from '#core/contract/files/buckets.ts'
import type { Db } from '#core/data/database.ts'
import { findAsker, type Asker } from '#core/data/exports/find-asker.ts'
import type { UploadClaims } from './signed-token.ts'
import { StorageFailure } from './storage-failure.ts'

/**
 * Judges the person who made a signed URL for an upload again: the account may be suspended meanwhile, or the person may
 * have left it or have another role.
 * @throws StorageFailure bad_url_token
 */
export async function requireGiver(
  db: Db,
  bucket: string,
  { person_id, account_id, member_user_id }: UploadClaims,
): Promise<void> {
  // Service keys store for everybody.
  if (person_id === null) return
  const giver = await findAsker(db, person_id)
  if (giver !== undefined && !giver.is_blocked && giver.account_id === account_id && mayStore(giver, bucket))
    if (giver.member_role !== 'agent' || member_user_id === person_id) return
  throw new StorageFailure(
    'bad_url_token',
    'The person who made this signed URL may not store files any more.',
  )
}

function mayStore({ role, member_role }: Asker, bucket: string): boolean {
  if (!isProductBucket(bucket)) return false
  const { may } = BUCKET_RULES[bucket]
  return may === 'administrator' ? role === 'admin' : PERMISSIONS_OF_MEMBER[member_role].includes(may)
}
