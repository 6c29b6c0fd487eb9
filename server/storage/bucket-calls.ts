import { z } from 'zod'
import { isProductBucket } from '#core/contract/files/buckets.ts'
import {
  changeBucket,
  deleteBucket,
  emptyBucket,
  findBucket,
  insertBucket,
  listBuckets,
  type BucketSettings,
} from '#core/data/files/file-buckets.ts'
import { describeBucket } from './describe-file.ts'
import { mayUse } from './reach-bucket.ts'
import { readBody, readBucket, type StorageCall } from './storage-call.ts'
import { bucketNotFound, StorageFailure } from './storage-failure.ts'

/** First folders of the wire's own paths: a bucket of that name could not be reached. */
const RESERVED = new Set([
  'public',
  'authenticated',
  'sign',
  'upload',
  'info',
  'list',
  'list-v2',
  'move',
  'copy',
])
const BUCKET_ID = /^[\w!\-.*'() &$@=;:+,?]{1,100}$/
const UNITS: Readonly<Record<string, number>> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9 }

/** Bytes, or a number with a decimal unit: `20MB` is 20,000,000. */
const sizeSchema = z.union([
  z.int().min(1),
  z.string().transform((text, context) => {
    const [, number = '', unit = 'b'] = /^\s*(\d+(?:\.\d+)?)\s*([kmg]?b)?\s*$/i.exec(text) ?? []
    const bytes = Math.floor(Number(number) * (UNITS[unit.toLowerCase()] ?? 1))
    if (number !== '' && bytes >= 1 && bytes <= Number.MAX_SAFE_INTEGER) return bytes
    context.addIssue('must be a number of bytes, such as 1000000 or 1MB')
    return z.NEVER
  }),
])

const settingsSchema = z.object({
  public: z.boolean().nullish(),
  file_size_limit: sizeSchema.nullish(),
  allowed_mime_types: z
    .array(z.string().regex(/^[\w.+*-]+\/[\w.+*-]+$/, 'must be types such as image/png or image/*'))
    .max(100)
    .nullish(),
})
const newBucketSchema = settingsSchema.extend({
  id: z.string().optional(),
  name: z.string().optional(),
})

/** `GET /bucket`: the buckets that the caller may use. */
export async function showBuckets({ context, caller }: StorageCall): Promise<object[]> {
  const buckets = await listBuckets(context.db)
  return buckets
    .filter(({ id }) => caller.kind === 'service' || mayUse(context, caller.principal, id))
    .map(describeBucket)
}

/** `GET /bucket/{id}`. */
export async function showBucket({ context, caller, request }: StorageCall): Promise<object> {
  const id = readBucket(request)
  if (caller.kind === 'person' && !mayUse(context, caller.principal, id)) throw bucketNotFound()
  const bucket = await findBucket(context.db, id)
  if (bucket === undefined) throw bucketNotFound()
  return describeBucket(bucket)
}

/** `POST /bucket`. */
export async function makeBucket({ context, caller, request }: StorageCall): Promise<object> {
  requireService(caller)
  const { id, name, ...given } = readBody(request, newBucketSchema)
  const bucket = id ?? name ?? ''
  if (!BUCKET_ID.test(bucket) || bucket.trim() !== bucket || bucket.startsWith('.') || RESERVED.has(bucket))
    throw new StorageFailure('bad_bucket', 'Bucket name invalid')
  const settings = { is_public: false, size_limit: null, allowed_types: null, ...readSettings(given) }
  if (!(await insertBucket(context.db, bucket, settings)))
    throw new StorageFailure('bucket_taken', 'The resource already exists')
  return { name: bucket }
}

/** `PUT /bucket/{id}`: settings that are left out stay. */
export async function updateBucket(call: StorageCall): Promise<object> {
  const id = await requireChangeable(call)
  await changeBucket(call.context.db, id, readSettings(readBody(call.request, settingsSchema)))
  return { message: 'Successfully updated' }
}

/** `POST /bucket/{id}/empty`. Rows go at once, their bytes with housekeeping. */
export async function clearBucket(call: StorageCall): Promise<object> {
  const id = await requireChangeable(call)
  await emptyBucket(call.context.db, id)
  return { message: 'Empty bucket has been queued. Completion may take up to an hour.' }
}

/** `DELETE /bucket/{id}`. */
export async function removeBucket(call: StorageCall): Promise<object> {
  const id = await requireChangeable(call)
  if (!(await deleteBucket(call.context.db, id)))
    throw new StorageFailure('bucket_in_use', 'The bucket you tried to delete is not empty')
  return { message: 'Successfully deleted' }
}

function readSettings(given: z.output<typeof settingsSchema>): Partial<BucketSettings> {
  const { public: is_public, file_size_limit: size_limit, allowed_mime_types: allowed_types } = given
  return {
    ...(typeof is_public === 'boolean' && { is_public }),
    ...(size_limit !== undefined && { size_limit }),
    ...(allowed_types !== undefined && { allowed_types }),
  }
}

/** The buckets of the product are part of it, so that no key changes what they accept. */
async function requireChangeable({ context, caller, request }: StorageCall): Promise<string> {
  requireService(caller)
  const id = readBucket(request)
  if (isProductBucket(id))
    throw new StorageFailure('not_allowed', `Leadwire itself uses the bucket ${id}. Nobody can change it.`)
  if ((await findBucket(context.db, id)) === undefined) throw bucketNotFound()
  return id
}

function requireService({ kind }: StorageCall['caller']): void {
  if (kind !== 'service')
    throw new StorageFailure('not_allowed', 'new row violates row-level security policy')
}
