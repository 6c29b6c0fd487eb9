import type { LeadReceipt } from '#core/contract/leads/lead-ingest.ts'
import { describeProblem } from '../http/errors/handle-errors.ts'
import type { Answer } from '../http/route.ts'

/** A rejection is a problem document and a receipt at once (RFC 9457 allows further members). */
export function answerReceipt(receipt: LeadReceipt): Answer {
  if (receipt.result !== 'rejected')
    return { status: receipt.result === 'accepted' ? 201 : 200, json: receipt }
  const { errors } = receipt
  const isReused = errors.some(({ path }) => path === 'Idempotency-Key')
  const problem = describeProblem({
    code: isReused ? 'idempotency_key_reused' : 'validation_failed',
    status: 422,
    message: `The lead has ${errors.length} fault(s) and was not stored.`,
    errors,
  })
  return { status: 422, json: { ...problem, ...receipt }, type: 'application/problem+json' }
}
