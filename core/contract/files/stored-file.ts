/** A file as its owner and the product know it. Times are moments; sizes are bytes. */
export interface StoredFile {
  id: string
  bucket_id: string
  /** the whole path in the bucket */
  name: string
  account_id: string | null
  created_by: string | null
  lead_id: string | null
  /** lower-case hex; the key of its bytes */
  sha256: string
  size: number
  content_type: string
  cache_control: string
  metadata: Record<string, unknown>
  /** a new one whenever the bytes are replaced */
  version: string
  created_at: Date
  updated_at: Date
  last_accessed_at: Date
  expires_at: Date | null
}

/** A bucket: sizes in bytes, null means no limit of its own. */
export interface FileBucket {
  id: string
  is_public: boolean
  size_limit: number | null
  allowed_types: string[] | null
  created_at: Date
  updated_at: Date
}
