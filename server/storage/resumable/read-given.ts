import { isFileName } from '#core/domain/files/judge-file-name.ts'
import { FILE_LIMITS } from '#core/contract/files/buckets.ts'
import { readCacheControl, readType } from '../read-upload.ts'
import { readMetadata } from '../storage-call.ts'
import { StorageFailure } from '../storage-failure.ts'

/** The statements of the sender about a resumable upload, in `Upload-Metadata`. */
export interface GivenUpload {
  bucket: string
  name: string
  content_type: string
  cache_control: string | undefined
  metadata: Record<string, unknown> | undefined
  /** noted by the server when the upload began (`x-upsert`) */
  upsert: boolean
}

/** @throws StorageFailure for a missing or unusable value */
export function readGiven(said: Readonly<Record<string, string | null>>): GivenUpload {
  const { bucketName: bucket, objectName: name } = said
  if (!bucket || !name)
    throw new StorageFailure('bad_request', 'Upload-Metadata needs bucketName and objectName.')
  if (!isFileName(name, FILE_LIMITS.nameBytes)) throw new StorageFailure('bad_name', 'Invalid key')
  return {
    bucket,
    name,
    content_type: readType(said['contentType'] ?? undefined),
    cache_control: readCacheControl(said['cacheControl'] ?? undefined),
    metadata: readMetadata(said['metadata'] ?? undefined),
    upsert: said['upsert'] === 'true',
  }
}
