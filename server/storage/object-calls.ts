import { z } from 'zod'
import { FILE_LIMITS } from '#core/contract/files/buckets.ts'
import { FILE_SORTS, listFolder } from '#core/data/files/list-files.ts'
import { findFile } from '#core/data/files/stored-files.ts'
import { copyFile, moveFile } from '#core/use-cases/files/move-file.ts'
import { removeFile, removeFiles } from '#core/use-cases/files/remove-files.ts'
import { isFileName } from '#core/domain/files/judge-file-name.ts'
import { describeEntry, describeInfo, describeWhole } from './describe-file.ts'
import { reachBucket } from './reach-bucket.ts'
import { readBody, readBucket, readMetadata, readPlace, type StorageCall } from './storage-call.ts'
import { StorageFailure } from './storage-failure.ts'

/** Names or entries of one call. */
const MOST = 1000

const folderSchema = z.object({
  prefix: z.string().max(FILE_LIMITS.nameBytes).default(''),
  search: z.string().max(FILE_LIMITS.nameBytes).nullish(),
  limit: z.int().min(1).max(MOST).nullish(),
  offset: z.int().min(0).max(1_000_000).nullish(),
  sortBy: z
    .object({ column: z.enum(FILE_SORTS).nullish(), order: z.enum(['asc', 'desc']).nullish() })
    .nullish(),
})

/** `POST /object/list/{bucket}`. */
export async function listObjects({ context, caller, request }: StorageCall): Promise<object[]> {
  const { bucket, owner } = await reachBucket(context, caller, readBucket(request), 'read')
  const { prefix, search, limit, offset, sortBy } = readBody(request, folderSchema)
  const folder = prefix.replace(/\/+$/, '')
  const entries = await listFolder(context.db, {
    bucket,
    owner,
    limit: limit ?? 100,
    offset: offset ?? 0,
    search: search ?? '',
    folder: folder === '' ? '' : `${folder}/`,
    sort: sortBy?.column ?? 'name',
    descending: sortBy?.order === 'desc',
  })
  return entries.map(({ entry, file }) => describeEntry(entry, file))
}

/** `GET /object/info/{bucket}/{name}`. */
export async function showInfo({ context, caller, request }: StorageCall): Promise<object> {
  const { bucket, name } = readPlace(request)
  const { owner } = await reachBucket(context, caller, bucket, 'read')
  const file = await findFile(context.db, { bucket, name, owner })
  if (file === undefined) throw new StorageFailure('no_file', 'Object not found')
  return describeInfo(file)
}

/** The client library names a file by its path, or by its path and a version. */
const entrySchema = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)])
const namesSchema = z.object({ prefixes: z.array(entrySchema).min(1).max(MOST) })

/** `DELETE /object/{bucket}`: of many names, those that are there. */
export async function removeObjects({ context, caller, request }: StorageCall): Promise<object[]> {
  const { bucket, owner } = await reachBucket(context, caller, readBucket(request), 'write')
  const { prefixes } = readBody(request, namesSchema)
  const names = prefixes.filter((name) => isFileName(name, FILE_LIMITS.nameBytes))
  const { account_id, member_user_id } = owner
  const removed = await removeFiles(context, { bucket, account_id, member_user_id, names })
  return removed.map(describeWhole)
}

/** `DELETE /object/{bucket}/{name}`. */
export async function removeObject({ context, caller, request }: StorageCall): Promise<object> {
  const { bucket, name } = readPlace(request)
  const { owner } = await reachBucket(context, caller, bucket, 'write')
  await removeFile(context, { bucket, name, owner })
  return { message: 'Successfully deleted' }
}

const moveSchema = z.object({
  bucketId: z.string().max(100),
  sourceKey: z.string(),
  destinationKey: z.string(),
  destinationBucket: z.string().max(100).nullish(),
  copyMetadata: z.boolean().nullish(),
  metadata: z.unknown().optional(),
})

/** `POST /object/move`. */
export async function moveObject(call: StorageCall): Promise<object> {
  const { from, to, owner } = await readMove(call, 'write')
  const file = await moveFile(call.context.db, { from, to, owner })
  return { message: 'Successfully moved', Id: file.id, Key: `${to.bucket}/${to.name}` }
}

/** `POST /object/copy`. */
export async function copyObject(call: StorageCall): Promise<object> {
  const { from, to, owner, body, person_id } = await readMove(call, 'read')
  const given = call.request.get('X-Metadata')
  const metadata =
    body.copyMetadata !== false
      ? undefined
      : (readMetadata(given === undefined ? undefined : Buffer.from(given, 'base64').toString('utf8')) ??
        readMetadata(body.metadata === undefined ? undefined : JSON.stringify(body.metadata)) ??
        {})
  const upsert = call.request.get('X-Upsert') === 'true'
  const file = await copyFile(call.context.db, { from, to, owner, upsert, metadata, created_by: person_id })
  return { ...describeWhole(file), Id: file.id, Key: `${to.bucket}/${to.name}` }
}

async function readMove({ context, caller, request }: StorageCall, act: 'read' | 'write') {
  const body = readBody(request, moveSchema)
  const from = { bucket: body.bucketId, name: body.sourceKey.replace(/^\/+/, '') }
  const to = {
    bucket: body.destinationBucket ?? body.bucketId,
    name: body.destinationKey.replace(/^\/+/, ''),
  }
  const { owner } = await reachBucket(context, caller, from.bucket, act)
  const { person_id, owner: into } = await reachBucket(context, caller, to.bucket, 'write')
  if (!isFileName(from.name, FILE_LIMITS.nameBytes)) throw new StorageFailure('no_file', 'Object not found')
  // The file must be in reach in its own bucket, and its new place in the other.
  const member_user_id = owner.member_user_id ?? into.member_user_id
  return { from, to, owner: { ...owner, ...into, member_user_id }, body, person_id }
}
