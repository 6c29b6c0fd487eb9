import { randomUUID } from 'node:crypto'
import { errors, SignJWT, type JWTPayload } from 'jose'
import { z } from 'zod'
import { FILE_LIMITS } from '#core/contract/files/buckets.ts'
import type { IdentityContext } from '../identity/identity-context.ts'
import { verifyWithAnyKey } from '../identity/access-token.ts'
import { StorageFailure } from './storage-failure.ts'

type Signing = Pick<IdentityContext, 'identity'>

const AUDIENCES = { read: 'storage:read', upload: 'storage:upload' } as const
type Purpose = keyof typeof AUDIENCES

/** Permission to read one file. */
const readClaims = z.object({ url: z.string(), file: z.string() })
/** Permission to store one file, given by whom; null is the service. */
const uploadClaims = z.object({
  url: z.string(),
  jti: z.uuid(),
  exp: z.number(),
  upsert: z.boolean(),
  account_id: z.string().nullable(),
  person_id: z.string().nullable(),
  member_user_id: z.string().nullable(),
})
export type UploadClaims = z.infer<typeof uploadClaims>

/** Signs a URL's permission to read a file. The file's id is part of it: another file of that name stays closed. */
export async function signRead(
  context: Signing,
  { url, file }: z.infer<typeof readClaims>,
  seconds: number,
): Promise<string> {
  return await sign(context, 'read', { url, file }, seconds)
}

export async function signUpload(
  context: Signing,
  claims: Omit<UploadClaims, 'jti' | 'exp'>,
): Promise<string> {
  return await sign(context, 'upload', { ...claims, jti: randomUUID() }, FILE_LIMITS.signedSeconds)
}

/** @throws StorageFailure for a token of another URL, or one that has expired */
export async function verifyRead(context: Signing, token: string | undefined, url: string): Promise<string> {
  const { file } = readClaims.parse(await verify(context, 'read', token, url))
  return file
}

/** @throws StorageFailure for a token of another URL, or one that has expired */
export async function verifyUpload(
  context: Signing,
  token: string | undefined,
  url: string,
): Promise<UploadClaims> {
  return uploadClaims.parse(await verify(context, 'upload', token, url))
}

async function sign(
  { identity }: Signing,
  purpose: Purpose,
  claims: JWTPayload,
  seconds: number,
): Promise<string> {
  const { signing } = identity.keys
  const now = Math.floor(Date.now() / 1000)
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: signing.alg, typ: 'JWT', kid: signing.kid })
    .setAudience(AUDIENCES[purpose])
    .setIssuedAt(now)
    .setExpirationTime(now + seconds)
    .sign(signing.privateKey)
}

async function verify(
  context: Signing,
  purpose: Purpose,
  token: string | undefined,
  url: string,
): Promise<JWTPayload> {
  try {
    const wanted = { audience: AUDIENCES[purpose], requiredClaims: ['exp', 'url'] }
    const { payload } = await verifyWithAnyKey(context, token ?? '', wanted)
    if (payload['url'] === url) return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired)
      throw new StorageFailure('url_expired', 'This signed URL has expired.')
    if (!(error instanceof errors.JOSEError || error instanceof TypeError)) throw error
  }
  throw new StorageFailure('bad_url_token', 'The token of this signed URL is not valid.')
}
