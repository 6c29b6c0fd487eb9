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

/** The posting specification of a source: a page for anybody who has a signed link. */
export const postingSpecRoutes = [
  route({
    method: 'post',
    path: '/api/v1/admin/sources/:id/posting-spec',
    who: 'admin',
    needs: 'leads',
    summary: 'Create a link to the posting specification of a source, valid for some days',
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
    needs: 'leads',
    summary: 'Invalidate all links to the posting specification of a source',
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
    summary: 'Return the posting specification of a source to anybody with a link',
    description: 'It contains no key. A link that has expired or was invalidated is answered with 404.',
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
    summary: 'Post a test lead as the source would, with only the link',
    description:
      'The test lead is never sold. The answers are those of `POST /api/v1/leads`. Its `external_id` is checked but not kept. All links of a source together may post ten in a minute (429).',
    takes: 'json as written',
    body: specTestSchema,
    answers: { 200: duplicateReceiptSchema, 201: acceptedReceiptSchema, 422: rejectedLeadSchema },
    handle: async ({ context, body }) => answerReceipt(await sendSpecTest(context, body.token, body.lead)),
  }),
]
