import type { FileBucket, StoredFile } from '#core/contract/files/stored-file.ts'

/** The tag of a file's bytes. */
export function tagOf({ sha256 }: StoredFile): string {
  return `"${sha256}"`
}

/** A file as `info` shows it. */
export function describeInfo(file: StoredFile): object {
  return {
    id: file.id,
    name: file.name,
    bucket_id: file.bucket_id,
    version: file.version,
    size: file.size,
    content_type: file.content_type,
    cache_control: file.cache_control,
    etag: tagOf(file),
    metadata: file.metadata,
    last_modified: file.updated_at,
    created_at: file.created_at,
  }
}

/** A file in a list of its folder. */
export function describeEntry(entry: string, file: StoredFile | undefined): object {
  if (file === undefined)
    return {
      name: entry,
      id: null,
      updated_at: null,
      created_at: null,
      last_accessed_at: null,
      metadata: null,
    }
  return { ...describeTimes(file), name: entry }
}

/** A removed file, or a copy. */
export function describeWhole(file: StoredFile): object {
  return {
    ...describeTimes(file),
    name: file.name,
    bucket_id: file.bucket_id,
    owner: file.created_by,
    owner_id: file.created_by,
    version: file.version,
    user_metadata: file.metadata,
  }
}

function describeTimes(file: StoredFile): object {
  return {
    id: file.id,
    updated_at: file.updated_at,
    created_at: file.created_at,
    last_accessed_at: file.last_accessed_at,
    metadata: {
      eTag: tagOf(file),
      size: file.size,
      mimetype: file.content_type,
      cacheControl: file.cache_control,
      lastModified: file.updated_at,
      contentLength: file.size,
      httpStatusCode: 200,
    },
  }
}

export function describeBucket(bucket: FileBucket): object {
  return {
    id: bucket.id,
    name: bucket.id,
    owner: '',
    public: bucket.is_public,
    file_size_limit: bucket.size_limit,
    allowed_mime_types: bucket.allowed_types,
    created_at: bucket.created_at,
    updated_at: bucket.updated_at,
    type: 'STANDARD',
  }
}
