import {
  createdSourceKeySchema,
  createdSourceSchema,
  MOST_SOURCE_KEYS,
  newSourceSchema,
  sourceChangeSchema,
  sourcePauseSchema,
  sourceSchema,
  sourceStopSchema,
} from '#core/contract/leads/source.ts'
import { pageSchema } from '#core/contract/page.ts'
import { listSources } from '#core/data/leads/sources/sources.ts'
import { changeSource } from './change-source.ts'
import { createSource } from './create-source.ts'
import { addKey } from './add-key.ts'
import { pauseSource } from './pause-source.ts'
import { revokeAllKeys, revokeKey } from './revoke-keys.ts'
import { stopSource } from './stop-source.ts'
import { route } from '../../http/route.ts'

export const sourceRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/sources',
    who: 'admin',
    summary: 'List all sources, newest first',
    answers: { 200: pageSchema(sourceSchema) },
    handle: async ({ context }) => ({
      status: 200,
      json: { data: await listSources(context.db), next_cursor: null },
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/sources',
    who: 'admin',
    needs: 'leads',
    summary: 'Create a source',
    description:
      'Its API key is shown only in this answer, and again to a repeat under the same `Idempotency-Key`.',
    takes: 'json',
    takesKey: true,
    body: newSourceSchema,
    answers: { 201: createdSourceSchema },
    handle: async ({ context, caller, from, body, idempotencyKey }) => ({
      status: 201,
      json: await createSource(context, { caller, from }, { source: body, idempotencyKey }),
    }),
  }),
  route({
    method: 'patch',
    path: '/api/v1/admin/sources/:id',
    who: 'admin',
    needs: 'leads',
    summary: 'Switch the test mode of a source',
    description: 'While it is on, every lead of the source is a test and is never sold.',
    takes: 'json',
    body: sourceChangeSchema,
    answers: { 200: sourceSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await changeSource(context, { caller, from }, id, body),
    }),
  }),
  route({
    method: 'delete',
    path: '/api/v1/admin/sources/:id',
    who: 'admin',
    needs: 'leads',
    summary: 'Revoke all API keys of a source',
    description:
      'Leads that came before are processed as usual. Imports into the source and links to its posting specification end too. Adding a key opens the source again. To withdraw its unsold leads, stop the source.',
    answers: { 204: null },
    handle: async ({ context, caller, from, id }) => {
      await revokeAllKeys(context, { caller, from }, id)
      return { status: 204 }
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/sources/:id/keys',
    who: 'admin',
    needs: 'leads',
    summary: 'Add an API key to a source',
    description: `The key is shown only in this answer, and again to a repeat under the same \`Idempotency-Key\`. Earlier keys stay valid until they are revoked, so that the sender can change over. An \`external_id\` or \`Idempotency-Key\` that was used under one key is a duplicate under every key of the source. The call is refused (409) if the source was stopped or has ${MOST_SOURCE_KEYS} valid keys.`,
    takesKey: true,
    answers: { 201: createdSourceKeySchema },
    handle: async ({ context, caller, from, id, idempotencyKey }) => ({
      status: 201,
      json: await addKey(context, { caller, from }, { sourceId: id, idempotencyKey }),
    }),
  }),
  route({
    method: 'delete',
    path: '/api/v1/admin/source-keys/:id',
    who: 'admin',
    needs: 'leads',
    summary: 'Revoke one API key of a source',
    description: 'Its other keys stay valid, and leads that came before are processed as usual.',
    answers: { 204: null },
    handle: async ({ context, caller, from, id }) => {
      await revokeKey(context, { caller, from }, id)
      return { status: 204 }
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/sources/:id/stop',
    who: 'admin',
    needs: 'leads',
    summary: 'Stop a source for good: its keys end, and its unsold leads are withdrawn',
    description:
      'From the answer on, none of its leads is sold, whether it is held, waits for a decision or is returned later. Each becomes `rejected` with the reason `source_stopped`. Sold leads stay sold and are delivered. The reason is kept in the audit log. Repeating the call changes nothing.',
    takes: 'json',
    body: sourceStopSchema,
    answers: { 200: sourceSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await stopSource(context, { caller, from }, id, body.reason),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/sources/:id/pause',
    who: 'admin',
    needs: 'leads',
    summary: 'Pause a source: leads posted under its keys are refused until it is resumed',
    description:
      'The sender gets 403 `forbidden` for each call, and none of its leads is stored; it has to send them again later. Leads that came before are sold and delivered. Imports and test leads of its posting specification go on. A source that was stopped is a 409. Repeating the call keeps the first reason.',
    takes: 'json',
    body: sourcePauseSchema,
    answers: { 200: sourceSchema },
    handle: async ({ context, caller, from, id, body: { reason } }) => ({
      status: 200,
      json: (await pauseSource(context, { caller, from }, id, { isPaused: true, reason })).source,
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/sources/:id/resume',
    who: 'admin',
    needs: 'leads',
    summary: 'Resume a paused source: leads posted under its keys are accepted again',
    description: 'Leads that were refused meanwhile come only if the sender sends them again.',
    takes: 'json',
    body: sourcePauseSchema,
    answers: { 200: sourceSchema },
    handle: async ({ context, caller, from, id, body: { reason } }) => ({
      status: 200,
      json: (await pauseSource(context, { caller, from }, id, { isPaused: false, reason })).source,
    }),
  }),
]
