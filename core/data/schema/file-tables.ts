import type { ColumnType, Generated } from 'kysely'
import type { JsonObject, NullableText, NullableTimestamp, Timestamp } from './column-types.ts'

/** int8 arrives as text; our statements select it as float8, which is exact up to 2⁵³. */
type Bytes = ColumnType<string, number, number>
type NullableBytes = ColumnType<string | null, number | null | undefined, number | null>

/** Buckets, the files in them, and the bytes that files stand for. */
export interface FileTables {
  file_buckets: FileBucketsTable
  file_contents: FileContentsTable
  stored_files: StoredFilesTable
  /** signed uploads that were used, until they expire */
  used_upload_tickets: { id: string; expires_at: Timestamp }
}

export interface FileBucketsTable {
  id: string
  /** what the client library was told to store; no bucket is served without a check */
  is_public: Generated<boolean>
  /** the largest file in bytes; null means the limit of any upload */
  size_limit: NullableBytes
  /** null means any type; `audio/*` means every type of audio */
  allowed_types: string[] | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface FileContentsTable {
  sha256: Buffer
  size: Bytes
  /** when it must be checked whether a file still has these bytes; null if nothing was removed since the last check */
  look_at: NullableTimestamp
  /** until then a removal that was not confirmed may still happen, so no file gets these bytes */
  doubtful_until: NullableTimestamp
}

export interface StoredFilesTable {
  id: Generated<string>
  bucket_id: string
  /** the whole path; its first folder is the owner's user id */
  name: string
  /** the owner; null in a bucket that a service key made */
  account_id: NullableText
  created_by: NullableText
  /** the lead that the file is about, whose erasure removes it */
  lead_id: NullableText
  /** the return that it was sent with; its owner can no longer change it then */
  return_id: NullableText
  sha256: Buffer
  size: Bytes
  content_type: string
  cache_control: string
  metadata: JsonObject
  version: Generated<string>
  created_at: Timestamp
  updated_at: Timestamp
  last_accessed_at: Timestamp
  expires_at: NullableTimestamp
}
