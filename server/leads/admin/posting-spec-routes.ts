import {
  acceptedReceiptSchema,
  duplicateReceiptSchema,
  rejectedLeadSchema,
} from '#core/contract/leads/lead-ingest.ts'
import {
  postingSpecQuerySchema,
  postingSpecSchema,
  sharedPostingSpecSchema,
  sharePostingSpecSchema,
  specTestSchema,
} from '#core/contract/leads/posting-spec.ts'
import { route } from '../../http/route.ts'
import { answerReceipt } from '../answer-receipt.ts'
import { sendSpecTest } from '../posting-spec/send-spec-test.ts'
import { revokePostingSpecs, sharePostingSpec } from '../posting-spec/share-posting-spec.ts'
import { showPostingSpec } from '../posting-spec/show-posting-spec.ts'

/** How a source posts its leads: a page for whoever has a signed link. */
export const postingSpecRoutes = [
  route({
    method: 'post',
    path: '/api/v1/admin/sources/:id/posting-spec',
    who: 'admin',
    summary: 'A link to the source’s posting specification, good for some days',
    takes: 'json',
    body: sharePostingSpecSchema,
    answers: { 201: sharedPostingSpecSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 201,
      json: await sharePostingSpec(context, { caller, from }, id, body.days),
    }),
  }),
  route({
    method: 'delete',
    path: '/api/v1/admin/sources/:id/posting-spec',
    who: 'admin',
    summary: 'Take back every link to the source’s posting specification that was given out',
    answers: { 204: null },
    handle: async ({ context, caller, from, id }) => {
      await revokePostingSpecs(context, { caller, from }, id)
      return { status: 204 }
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/posting-spec',
    who: 'public',
    summary: 'How a source posts its leads, for whoever has a link to it; no key is in it',
    query: postingSpecQuerySchema,
    answers: { 200: postingSpecSchema },
    handle: async ({ context, query }) => ({
      status: 200,
      json: await showPostingSpec(context, query.token),
      headers: { 'X-Robots-Tag': 'noindex, nofollow' },
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/posting-spec/test-lead',
    who: 'public',
    summary: 'Post a test lead as the source would, with the link alone: sold to nobody, ten in a minute',
    description: 'Answered as POST /api/v1/leads is. The lead’s external_id is judged and not kept.',
    takes: 'json as written',
    body: specTestSchema,
    answers: { 200: duplicateReceiptSchema, 201: acceptedReceiptSchema, 422: rejectedLeadSchema },
    handle: async ({ context, body }) => answerReceipt(await sendSpecTest(context, body.token, body.lead)),
  }),
]
