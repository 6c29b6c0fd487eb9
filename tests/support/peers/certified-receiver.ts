import { createHmac, createPublicKey, verify } from 'node:crypto'
import type { WholeAnswer } from '#scripts/lab/receiver/give-answer.ts'
import type { ReceivedRequest } from '#scripts/lab/receiver/receive-requests.ts'

/** How a receiver differs from a good one. */
export interface Fault {
  challenge?: (nonce: string, request: ReceivedRequest) => WholeAnswer
  repeats?: number
  older?: number
  readsOnlyFirstSignature?: boolean
  /** it looks only at Ed25519 signatures, by this public key: `whpk_` and base64 */
  publicKey?: string
  forged?: number
  /** slow for the older lead */
  delayMs?: number
  mostBytes?: number
  /** the answer to a request, by its number in the burst: 0 and less are the single ones before, above 50 what follows */
  busy?: (ofBurst: number, now: number) => WholeAnswer | undefined
}

/** Genuine requests of a run before its burst, without the proof. */
const BEFORE_BURST = 8

/** A receiver that keeps the rules of the documentation, except for its fault. Its answers depend on nothing else. */
export function createReceiver(secret: string, fault: Fault = {}): (request: ReceivedRequest) => WholeAnswer {
  const stored = new Set<string>()
  let newest = ''
  let seen = 0
  return (request) => {
    const { headers, body, rawBody } = request
    if (rawBody.length > (fault.mostBytes ?? 1024 * 1024)) return { status: 413 }
    const signatures = String(headers['webhook-signature'] ?? '').split(' ')
    const read = fault.readsOnlyFirstSignature === true ? signatures.slice(0, 1) : signatures
    const isGenuine =
      fault.publicKey === undefined
        ? isSigned(request, secret, read)
        : isSignedByKey(request, fault.publicKey, read)
    if (!isGenuine) return { status: fault.forged ?? 401, body: 'wrong signature' }
    const nonce = headers['leadwire-challenge']
    if (typeof nonce === 'string') return fault.challenge?.(nonce, request) ?? { status: 200, body: nonce }
    seen += 1
    const busy = fault.busy?.(seen - BEFORE_BURST, Date.now())
    if (busy !== undefined) return busy
    const id = String(headers['webhook-id'])
    if (stored.has(id)) return { status: fault.repeats ?? 200, body: 'had it before' }
    stored.add(id)
    const { created_at: at } = JSON.parse(body) as { created_at: string }
    const isOlder = at < newest
    if (!isOlder) newest = at
    if (isOlder && fault.older !== undefined) return { status: fault.older }
    return { status: 200, body: 'stored', ...(isOlder ? { delayMs: fault.delayMs ?? 0 } : {}) }
  }
}

/** Whether one of the signatures is that of the secret. */
function isSigned(
  { headers, rawBody }: ReceivedRequest,
  secret: string,
  signatures: readonly string[],
): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`
  const expected = createHmac('sha256', key).update(signed).update(rawBody).digest('base64')
  return signatures.includes(`v1,${expected}`)
}

/** RFC 8410 §4: everything of an Ed25519 public key before its 32 bytes. */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')

function isSignedByKey(
  { headers, rawBody }: ReceivedRequest,
  publicKey: string,
  signatures: readonly string[],
): boolean {
  const der = Buffer.concat([SPKI_HEAD, Buffer.from(publicKey.replace('whpk_', ''), 'base64')])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`
  const said = Buffer.concat([Buffer.from(signed), rawBody])
  return signatures.some(
    (one) => one.startsWith('v1a,') && verify(null, said, key, Buffer.from(one.slice(4), 'base64')),
  )
}
