import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { S3Settings } from '../config/file-variables.ts'
import { exchangeFile, type ExchangeLimits } from './exchange-file.ts'
import { FileStoreAway } from './file-store.ts'

/** SHA-256 of no bytes: what requests without a body sign. */
const NO_BODY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** The longest refusal that is read, for the code in it. */
const REFUSAL_BYTES = 4096

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  key: string
  headers?: Record<string, string>
  /** a file that is sent as the body; its hash is signed, so the service refuses changed bytes */
  file?: { path: string; size: number; sha256: string }
  /** sent once, and given up after this time */
  onceWithinMs?: number
}

/** Limits of a request: its time, and how often it is repeated. */
export interface S3Limits extends Pick<ExchangeLimits, 'connectMs' | 'silenceMs'> {
  /** the pace, in bytes a millisecond, below which sending a body is given up */
  slowestBytesPerMs: number
  /** milliseconds before each repetition */
  backoffMs: readonly number[]
}

/** The caller reads the body of the answer, or leaves it. */
export type SendToS3 = (request: S3Request) => Promise<IncomingMessage>

/**
 * Connects to an S3-compatible service. The returned function sends a signed request, and sends it again if the service
 * fails (5xx), is busy (429) or cannot be reached. Redirects are not followed, because a signature is for one address.
 * The address is the operator's own, so it is not guarded like a client's endpoint.
 * @returns an answer of 2xx, or 404
 * @throws FileStoreAway
 */
export async function connectToS3(settings: S3Settings, limits: S3Limits): Promise<SendToS3> {
  // Loaded only if a service is configured.
  const { AwsV4Signer } = await import('aws4fetch')
  const { connectMs, silenceMs, slowestBytesPerMs, backoffMs } = limits
  const signingKeys = new Map<string, ArrayBuffer>()

  async function sendOnce({ method, key, headers, file, onceWithinMs }: S3Request): Promise<IncomingMessage> {
    const signer = new AwsV4Signer({
      method,
      url: addressOfObject(settings, key),
      headers: { ...headers, 'x-amz-content-sha256': file?.sha256 ?? NO_BODY },
      accessKeyId: settings.keyId,
      secretAccessKey: settings.secret,
      service: 's3',
      region: settings.region,
      cache: signingKeys,
    })
    const signed = await signer.sign()
    const asked = { url: signed.url, method, headers: Object.fromEntries(signed.headers), file }
    const totalMs = onceWithinMs ?? silenceMs + Math.ceil((file?.size ?? 0) / slowestBytesPerMs)
    // A download takes as long as its reader; only silence in it is limited.
    return await exchangeFile(asked, {
      connectMs,
      silenceMs,
      totalMs: method === 'GET' ? undefined : totalMs,
    })
  }

  return async (request) => {
    let failure: unknown
    for (const waitMs of request.onceWithinMs === undefined ? [0, ...backoffMs] : [0]) {
      if (waitMs > 0) await sleep(waitMs * (0.5 + Math.random()))
      try {
        const answer = await sendOnce(request)
        const status = answer.statusCode ?? 0
        if (status < 300 || status === 404) return answer
        failure = new Error(`${request.method} was answered ${status} ${await readCode(answer)}`)
        if (status < 500 && status !== 429) break
      } catch (error) {
        failure = error
      }
    }
    throw new FileStoreAway(failure)
  }
}

/** @returns the address of an object, whose key needs no encoding */
export function addressOfObject({ endpoint, bucket, pathStyle }: S3Settings, key: string): string {
  if (pathStyle) return `${endpoint}/${bucket}/${key}`
  const url = new URL(endpoint)
  url.hostname = `${bucket}.${url.hostname}`
  return `${url.href.replace(/\/+$/, '')}/${key}`
}

/** The code in a refusal, like AccessDenied: the rest may name the key. */
async function readCode(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of answer) {
    text += (piece as Buffer).toString('latin1')
    if (text.length > REFUSAL_BYTES) break
  }
  return /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1] ?? ''
}
