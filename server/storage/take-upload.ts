import type { Request, RequestHandler, Response } from 'express'
import type { StoredFile } from '#core/contract/files/stored-file.ts'
import { findOwner } from '#core/use-cases/files/judge-file.ts'
import { storeFile, type GivenFile } from '#core/use-cases/files/store-file.ts'
import type { ServerContext } from '../context.ts'
import type { Sender } from '../admission/sender.ts'
import { describeTooMany } from '../http/rate-limits.ts'
import { nameSender } from '../http/name-sender.ts'
import { whileAllowed } from '../http/while-allowed.ts'
import { admitAgain, identifyCaller, type StorageCaller } from './identify-caller.ts'
import { reachBucket } from './reach-bucket.ts'
import { requireGiver } from './require-giver.ts'
import { readUpload, type Upload } from './read-upload.ts'
import { verifyUpload } from './signed-token.ts'
import { readPlace, readQueryText } from './storage-call.ts'
import { StorageFailure } from './storage-failure.ts'

/** A slow sender is looked at again this often: its session may end meanwhile. */
const LOOK_EVERY_MS = 5000

/** A file before its bytes come: its place, its owner, and whether it may replace another. */
type Decided = Pick<
  GivenFile,
  'bucket' | 'name' | 'account_id' | 'created_by' | 'upsert' | 'member_user_id' | 'ticket'
>

/** `POST` and `PUT /object/{bucket}/{name}`; a PUT replaces. */
export function takeUpload(context: ServerContext): RequestHandler {
  return async (request, response) => {
    const caller = await identifyCaller(context, request)
    const { bucket, name } = readPlace(request)
    const reach = await reachBucket(context, caller, bucket, 'write')
    const decided: Decided = {
      bucket,
      name,
      account_id: reach.owner.account_id ?? (await findOwner(context.db, { bucket, name })),
      created_by: reach.person_id,
      member_user_id: reach.owner.member_user_id,
      upsert: request.method === 'PUT' || request.get('X-Upsert') === 'true',
    }
    if (caller.kind === 'person') await spendUpload(context, caller.sender.name)
    const allowed = (upload: Upload): AsyncIterable<Uint8Array> => takeBytes(context, caller, upload)
    const { id } = await store(context, { request, response }, caller.sender, decided, allowed)
    response.json({ Id: id, Key: `${bucket}/${name}` })
  }
}

/** The bytes of a sender who may still send them: other uploads of the account came first, and the own one may be slow. */
async function* takeBytes(
  context: ServerContext,
  caller: StorageCaller,
  { bytes }: Upload,
): AsyncGenerator<Uint8Array> {
  await admitAgain(context, caller)
  yield* caller.kind === 'service' ? bytes : whileAllowed(context, caller.principal, bytes, LOOK_EVERY_MS)
}

/** `PUT /object/upload/sign/{bucket}/{name}?token=`: the token says who let the file in, and it stores one. */
export function takeSignedUpload(context: ServerContext): RequestHandler {
  return async (request, response) => {
    const { bucket, name } = readPlace(request)
    const url = `${bucket}/${name}`
    const claims = await verifyUpload(context, readQueryText(request, 'token'), url)
    const sender = nameSender(undefined, request)
    await requireGiver(context.db, bucket, claims)
    if (claims.account_id !== null) await spendUpload(context, claims.account_id)
    const decided: Decided = {
      bucket,
      name,
      account_id: claims.account_id,
      created_by: claims.person_id ?? undefined,
      member_user_id: claims.member_user_id ?? undefined,
      upsert: claims.upsert,
      ticket: { id: claims.jti, expires_at: new Date(claims.exp * 1000) },
    }
    await store(context, { request, response }, sender, decided, ({ bytes }) => bytes)
    response.json({ Key: url })
  }
}

/** @throws StorageFailure too_many */
export async function spendUpload({ storage }: ServerContext, name: string): Promise<void> {
  const spent = await storage.rates.spend('upload', name)
  if (spent.ok) return
  const { retry_after_seconds: retryAfterSeconds } = spent
  throw new StorageFailure('too_many', describeTooMany('uploads', retryAfterSeconds), { retryAfterSeconds })
}

async function store(
  context: ServerContext,
  { request, response }: { request: Request; response: Response },
  sender: Sender,
  decided: Decided,
  allowed: (upload: Upload) => AsyncIterable<Uint8Array>,
): Promise<StoredFile> {
  const take = async (): Promise<StoredFile> => {
    const upload = await readUpload(request, response)
    const { content_type, cache_control, metadata, declared } = upload
    try {
      return await storeFile(context, {
        ...decided,
        content_type,
        cache_control,
        metadata,
        declared,
        bytes: allowed(upload),
      })
    } finally {
      upload.leave()
    }
  }
  return (await context.admission.inUploadQueue(sender, take)) as StoredFile
}
