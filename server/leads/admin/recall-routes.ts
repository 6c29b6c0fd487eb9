import {
  leadRecallSchema,
  newRecallSchema,
  recallPreviewSchema,
  recallRangeSchema,
} from '#core/contract/leads/lead-recall.ts'
import { pageSchema } from '#core/contract/page.ts'
import { listRecalls, previewRecall } from '#core/data/leads/lead-recalls.ts'
import { route } from '../../http/route.ts'
import { startRecall } from './start-recall.ts'

const SHOWN = 20

/** Administrators take back the sold leads of a bad source. */
export const recallRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/lead-recalls',
    who: 'admin',
    summary: 'List the newest recalls and how far each is',
    answers: { 200: pageSchema(leadRecallSchema) },
    handle: async ({ context }) => ({
      status: 200,
      json: { data: await listRecalls(context.db, { limit: SHOWN }), next_cursor: null },
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/lead-recalls/preview',
    who: 'admin',
    summary: 'Count the sold leads of a source in a time, and what a recall would credit',
    query: recallRangeSchema,
    answers: { 200: recallPreviewSchema },
    handle: async ({ context, query }) => ({ status: 200, json: await previewRecall(context.db, query) }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/lead-recalls',
    who: 'admin',
    needs: 'money',
    summary: 'Take back the sold leads of a source that came in a time',
    description:
      'A worker returns them one by one, each with its credit, and continues after a crash. A lead that its client does not have any more is skipped. Only one recall of a source runs at a time (409), so a repeat returns nothing twice. Each client gets one mail at the end.',
    takes: 'json',
    body: newRecallSchema,
    answers: { 202: leadRecallSchema },
    handle: async ({ context, caller, from, body }) => ({
      status: 202,
      json: await startRecall(context, { caller, from }, body),
    }),
  }),
]
