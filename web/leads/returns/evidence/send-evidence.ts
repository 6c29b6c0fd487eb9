import { z } from 'zod'
import { EVIDENCE_BUCKET } from '#core/contract/market/return-evidence.ts'
import { request } from '#web/api/client.ts'
import { authClient } from '#web/session/auth-client.ts'
import { TOO_LARGE, WRONG_TYPE } from './judge-file.ts'

const OBJECTS = '/storage/v1/object'
const storedSchema = z.object({ Id: z.uuid() })
const refusalSchema = z.object({ statusCode: z.string(), message: z.string() })
const FAILED = 'The file did not arrive. Check your connection and try again.'

/** Why a file was not stored. A refused file would be refused again. */
export class UploadError extends Error {
  override readonly name = 'UploadError'
  readonly isRefusal: boolean

  constructor(message: string, isRefusal: boolean) {
    super(message)
    this.isRefusal = isRefusal
  }
}

/**
 * Stores a file in the bucket of evidence, over XMLHttpRequest, because fetch does not tell how much was sent.
 * @param path of the file in the bucket; a repeat replaces it
 * @param onSent called with the number of bytes that were sent
 * @returns its id
 * @throws UploadError, also after `stop`
 */
export async function sendEvidence(
  file: File,
  path: string,
  onSent: (bytes: number) => void,
  stop: AbortSignal,
): Promise<string> {
  const { data } = await authClient.getSession()
  stop.throwIfAborted()
  const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const call = new XMLHttpRequest()
    call.open('POST', `${OBJECTS}/${EVIDENCE_BUCKET}/${path}`)
    call.setRequestHeader('authorization', `Bearer ${data.session?.access_token ?? ''}`)
    call.setRequestHeader('content-type', file.type === '' ? 'application/octet-stream' : file.type)
    call.setRequestHeader('x-upsert', 'true')
    call.setRequestHeader('x-metadata', encodeMetadata({ file_name: file.name }))
    call.upload.addEventListener('progress', ({ loaded }) => onSent(Math.min(loaded, file.size)))
    call.addEventListener('load', () => resolve({ status: call.status, text: call.responseText }))
    call.addEventListener('error', () => reject(new UploadError(FAILED, false)))
    stop.addEventListener('abort', () => {
      call.abort()
      reject(new UploadError('The upload was stopped.', false))
    })
    call.send(file)
  })
  const answer = parseJson(text)
  const stored = storedSchema.safeParse(answer)
  if (status === 200 && stored.success) return stored.data.Id
  throw readRefusal(answer)
}

/** Removes a stored file that was not sent with a return. A failure is ignored: the file expires anyway. */
export async function removeEvidence(path: string): Promise<void> {
  const body = { prefixes: [path] }
  await request(`${OBJECTS}/${EVIDENCE_BUCKET}`, z.unknown(), { method: 'DELETE', body }).catch(
    () => undefined,
  )
}

function readRefusal(answer: unknown): UploadError {
  const { data } = refusalSchema.safeParse(answer)
  if (data?.statusCode === '415') return new UploadError(WRONG_TYPE, true)
  if (data?.statusCode === '413') return new UploadError(TOO_LARGE, true)
  // Too many at a time, or a busy server: the same file may be taken later.
  const isFinal = /^4(?!29|08)/.test(data?.statusCode ?? '')
  return new UploadError(data?.message ?? FAILED, isFinal)
}

/** The header is base64 of UTF-8; a name may have any letters. */
function encodeMetadata(metadata: object): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(JSON.stringify(metadata))))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
