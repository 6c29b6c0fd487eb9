import { z } from 'zod'
import {
  acceptedReceiptSchema,
  BATCH_LIMIT,
  batchReceiptSchema,
  duplicateReceiptSchema,
  leadIngestSchema,
  rejectedLeadSchema,
  testLeadSchema,
} from '#core/contract/leads/lead-ingest.ts'
import { ownLeadSchema } from '#core/contract/leads/lead.ts'
import { AppError } from '#core/errors.ts'
import { isSource } from '../identity/authorise.ts'
import { answerTooMany, rateHeaders } from './answer-rate.ts'
import { answerReceipt } from './answer-receipt.ts'
import { createTestLead } from './create-test-lead.ts'
import { receiveBatch } from './receive-batch.ts'
import { receiveLead } from './receive-lead.ts'
import { readInput } from '../http/read-input.ts'
import { route } from '../http/route.ts'

export const takeLead = route({
  method: 'post',
  path: '/api/v1/leads',
  who: 'source or user',
  may: 'leads',
  summary: 'With a source’s key: post a lead. With an access token: create a test lead of your own',
  description:
    'With a source’s key, a lead needs `lead_type`, a name, and `phone` or `email`. A test lead needs no field. An unknown field is kept in `custom` and never causes a refusal; `warnings` names what could not be kept. [Posting leads](/documentation/posting-leads) says how values are normalised.\n\nA lead with a faulty field is answered with 422 and is not stored. A field whose text is not valid UTF-8 is such a fault; JSON with bytes that are not UTF-8 is a 400. Too many leads in a minute, or too many waiting ones, are a 429 with `Retry-After`. The answer to each judged lead tells the limit in `RateLimit-Policy` and what is left of it in `RateLimit`.',
  takes: 'json or form',
  takesKey: true,
  body: leadIngestSchema,
  readsBodyItself: true,
  answers: {
    200: duplicateReceiptSchema,
    201: z.union([acceptedReceiptSchema, ownLeadSchema]),
    422: rejectedLeadSchema,
  },
  handle: async ({ context, caller, body, idempotencyKey }) => {
    if (isSource(caller)) {
      const rate = await context.leads.ingestRates.spend(caller.source_id, 1)
      if (!rate.ok) return answerTooMany(rate)
      context.admission.noteSingle()
      const receipt = await context.admission.inSourceQueue(caller.source_id, () =>
        receiveLead(context, caller, { item: body, idempotencyKey }),
      )
      return { ...answerReceipt(receipt), headers: rateHeaders(rate) }
    }
    const read = readInput(testLeadSchema.prefault({}), body)
    if (!read.ok) {
      throw new AppError('validation_failed', 'The test lead is not valid.', { errors: read.errors })
    }
    return { status: 201, json: await createTestLead(context, caller, read.value, idempotencyKey) }
  },
})

export const ingestRoutes = [
  takeLead,
  route({
    method: 'post',
    path: '/api/v1/leads/batch',
    who: 'source',
    summary: `Post up to ${BATCH_LIMIT} leads, as a JSON array or as one JSON object per line`,
    description:
      'Each lead is judged on its own, and `results` has them in the same order. Leads are stored a few at a time. If the request fails (5xx, a key revoked meanwhile, or no answer), some of the batch may be stored: send the same batch again. A lead with an `external_id`, and every lead under the same `Idempotency-Key`, is then answered as a duplicate and is not stored twice. While too many batches wait, or the database is away, the answer is a 503 with `Retry-After`.',
    takes: 'batch',
    takesKey: true,
    body: z.array(leadIngestSchema),
    readsBodyItself: true,
    answers: { 200: batchReceiptSchema },
    handle: async ({ context, caller, body, idempotencyKey, isGone }) => {
      // The array may hold anything; each item is judged by itself.
      const items: unknown = body
      if (!Array.isArray(items) || items.length > BATCH_LIMIT) {
        const message = `Must be a list of at most ${BATCH_LIMIT.toLocaleString('en-US')} leads`
        throw new AppError('validation_failed', 'The batch is not usable.', {
          errors: [{ path: '', message }],
        })
      }
      const rate = await context.leads.ingestRates.spend(caller.source_id, items.length)
      if (!rate.ok) return answerTooMany(rate)
      const posted = items.map((item: unknown, index) => ({
        item,
        idempotencyKey: idempotencyKey === undefined ? undefined : `${idempotencyKey}#${index}`,
      }))
      const results = await receiveBatch(context, caller, posted, isGone)
      return { status: 200, json: { results }, headers: rateHeaders(rate) }
    },
  }),
]
