import { PERMISSIONS_OF_MEMBER } from '#core/contract/accounts/member-role.ts'
import { BUCKET_RULES, isProductBucket, type ProductBucket } from '#core/contract/files/buckets.ts'
import { findBucket } from '#core/data/files/file-buckets.ts'
import type { FileOwner } from '#core/data/files/stored-files.ts'
import type { ServerContext } from '../context.ts'
import { actForAccount } from '../identity/act-for-account.ts'
import type { Principal } from '../identity/find-live-session.ts'
import { hasPermission, judgeAdmin } from '../identity/judge-admin.ts'
import type { StorageCaller } from './identify-caller.ts'
import { bucketNotFound, StorageFailure } from './storage-failure.ts'

/** The owner whose files of a bucket a caller sees and changes. */
export interface Reach {
  bucket: string
  /** every query of files takes it */
  owner: FileOwner
  /** the person, who is noted with a new file; undefined for the service */
  person_id: string | undefined
}

/**
 * THE answer to "which files, and may this caller?" on the storage wire. A person reaches the files of the own account
 * in the product's buckets. An agent reaches only the agent's own files, and everybody only the exports that they asked
 * for. The service reaches all. A bucket that a person can never use is as if it did not exist.
 * @throws StorageFailure, or AppError forbidden for a role without the permission
 */
export async function reachBucket(
  context: ServerContext,
  caller: StorageCaller,
  bucket: string,
  act: 'read' | 'write',
): Promise<Reach> {
  if (caller.kind === 'service') {
    if ((await findBucket(context.db, bucket)) === undefined) throw bucketNotFound()
    return { bucket, owner: {}, person_id: undefined }
  }
  if (!isProductBucket(bucket)) throw bucketNotFound()
  const owner = ownFiles(context, caller.principal, bucket)
  if (owner === undefined) throw bucketNotFound()
  if (act === 'write' && !BUCKET_RULES[bucket].isWritable)
    throw new StorageFailure('not_allowed', `Leadwire writes the files of ${bucket}. You can read them.`)
  // Anybody may open accounts, so accounts that nobody has approved do not fill the disk.
  if (act === 'write' && !caller.principal.is_approved)
    throw new StorageFailure('not_allowed', 'You can store files once your account is approved.')
  return { bucket, owner, person_id: caller.principal.person_id }
}

/** Returns the owner whose files a person reaches in a bucket; undefined if the bucket is for others. */
function ownFiles(
  context: ServerContext,
  principal: Principal,
  bucket: ProductBucket,
): FileOwner | undefined {
  const { may, isPersonal } = BUCKET_RULES[bucket]
  if (may === 'administrator')
    return administersFiles(context, principal) ? { account_id: principal.person_id } : undefined
  const { user_id, member_user_id } = actForAccount(principal, may)
  return { account_id: user_id, member_user_id: isPersonal ? principal.person_id : member_user_id }
}

/** Whether a person may use a bucket, for the list of buckets. */
export function mayUse(context: ServerContext, principal: Principal, bucket: string): boolean {
  if (!isProductBucket(bucket)) return false
  const { may } = BUCKET_RULES[bucket]
  if (may === 'administrator') return administersFiles(context, principal)
  return PERMISSIONS_OF_MEMBER[principal.member_role].includes(may)
}

function administersFiles(context: ServerContext, principal: Principal): boolean {
  return judgeAdmin(context, principal) === 'allowed' && hasPermission(principal, 'leads')
}
