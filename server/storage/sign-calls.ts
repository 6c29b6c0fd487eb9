import { z } from 'zod'
import { FILE_LIMITS } from '#core/contract/files/buckets.ts'
import { findFile, findFiles } from '#core/data/files/stored-files.ts'
import { findOwner, requireName } from '#core/use-cases/files/judge-file.ts'
import { nameTaken } from '#core/use-cases/files/name-bytes.ts'
import { reachBucket } from './reach-bucket.ts'
import { signRead, signUpload } from './signed-token.ts'
import { readBody, readBucket, readPlace, type StorageCall } from './storage-call.ts'
import { StorageFailure } from './storage-failure.ts'

const MOST_URLS = 500
const NOT_FOUND = 'Either the object does not exist or you do not have access to it'

const seconds = z
  .int()
  .min(1, 'must be at least 1')
  .max(FILE_LIMITS.signedSeconds, `must be at most ${FILE_LIMITS.signedSeconds}: a signed URL lives an hour`)

/** `POST /object/sign/{bucket}/{name}`: a URL that reads one file for a while. */
export async function signOne({ context, caller, request }: StorageCall): Promise<object> {
  const { bucket, name } = readPlace(request)
  const { owner } = await reachBucket(context, caller, bucket, 'read')
  const { expiresIn, transform } = readBody(
    request,
    z.object({ expiresIn: seconds, transform: z.unknown().optional() }),
  )
  if (transform !== undefined && transform !== null && Object.keys(transform).length > 0)
    throw new StorageFailure('not_offered', 'This server does not change images.')
  const file = await findFile(context.db, { bucket, name, owner })
  if (file === undefined) throw new StorageFailure('no_file', NOT_FOUND)
  return { signedURL: await makeUrl(context, { bucket, name, file: file.id }, expiresIn) }
}

const manySchema = z.object({ expiresIn: seconds, paths: z.array(z.string()).min(1).max(MOST_URLS) })

/** `POST /object/sign/{bucket}`: one URL for each of several files. */
export async function signMany({ context, caller, request }: StorageCall): Promise<object[]> {
  const { bucket, owner } = await reachBucket(context, caller, readBucket(request), 'read')
  const { expiresIn, paths } = readBody(request, manySchema)
  const found = await findFiles(context.db, { bucket, names: paths, owner })
  const ids = new Map(found.map(({ name, id }) => [name, id]))
  return await Promise.all(
    paths.map(async (path) => {
      const file = ids.get(path)
      if (file === undefined) return { path, signedURL: null, error: NOT_FOUND }
      return {
        path,
        signedURL: await makeUrl(context, { bucket, name: path, file }, expiresIn),
        error: null,
      }
    }),
  )
}

async function makeUrl(
  context: StorageCall['context'],
  { bucket, name, file }: { bucket: string; name: string; file: string },
  expiresIn: number,
): Promise<string> {
  const url = `${bucket}/${name}`
  return `/object/sign/${url}?token=${await signRead(context, { url, file }, expiresIn)}`
}

/** `POST /object/upload/sign/{bucket}/{name}`: a URL that stores one file. */
export async function signOneUpload({ context, caller, request }: StorageCall): Promise<object> {
  const { bucket, name } = readPlace(request)
  const { owner, person_id } = await reachBucket(context, caller, bucket, 'write')
  const account_id = owner.account_id ?? (await findOwner(context.db, { bucket, name }))
  requireName(name, account_id)
  const upsert = request.get('X-Upsert') === 'true'
  if (!upsert && (await findFile(context.db, { bucket, name })) !== undefined) throw nameTaken()
  const url = `${bucket}/${name}`
  const token = await signUpload(context, {
    url,
    upsert,
    account_id,
    person_id: person_id ?? null,
    member_user_id: owner.member_user_id ?? null,
  })
  return { url: `/object/upload/sign/${url}?token=${token}`, token }
}
