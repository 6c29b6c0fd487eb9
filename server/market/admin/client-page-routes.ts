import { z } from 'zod'
import { deliveryLogQuerySchema, deliveryLogSchema } from '#core/contract/webhooks/delivery.ts'
import {
  clientNoteSchema,
  clientResendSchema,
  clientWebhookSchema,
  newClientNoteSchema,
} from '#core/contract/market/client-page.ts'
import { redriveResultSchema } from '#core/contract/operations/dead-letter.ts'
import { ledgerEntrySchema } from '#core/contract/market/money/ledger.ts'
import { paymentSchema } from '#core/contract/market/money/payment.ts'
import { RESEND_LIMIT } from '#core/contract/webhooks/resend.ts'
import { pageSchema } from '#core/contract/page.ts'
import { listClientNotes } from '#core/data/market/client-notes.ts'
import { listPayments } from '#core/data/market/payments/payments.ts'
import { cutPage } from '#core/data/page.ts'
import { pageQuerySchema, readPage } from '../../http/read-page.ts'
import { route } from '../../http/route.ts'
import { listClientDeliveries } from '../../webhooks/list-client-deliveries.ts'
import { listClientWebhooks } from '../../webhooks/show-endpoint-health.ts'
import { resendForClient } from '../../operations/admin/resend-for-client.ts'
import { showLedger } from '../read-ledger.ts'
import { keepClientNote } from './keep-client-note.ts'
import { requireClient } from './require-client.ts'

/** Routes for what the page of one client shows administrators, beside the client itself. */
export const clientPageRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/clients/:id/webhooks',
    who: 'admin',
    summary: 'List a client’s webhooks with their health',
    answers: { 200: z.object({ data: z.array(clientWebhookSchema) }) },
    handle: async ({ context, id }) => {
      await requireClient(context, id)
      return { status: 200, json: { data: await listClientWebhooks(context, id) } }
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/clients/:id/deliveries',
    who: 'admin',
    summary: 'List the attempts of one of a client’s webhooks, newest first',
    query: deliveryLogQuerySchema.extend({ webhook: z.uuid() }),
    answers: { 200: pageSchema(deliveryLogSchema) },
    handle: async ({ context, id, query }) => ({
      status: 200,
      json: await listClientDeliveries(context, id, query),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/clients/:id/resend-failed',
    who: 'admin',
    needs: 'operations',
    summary: 'Send again what finally failed for a client, or count it',
    description: `Each becomes a new delivery of the same event, at most ${RESEND_LIMIT} at a time; repeat it for the rest.`,
    takes: 'json',
    takesKey: true,
    body: clientResendSchema,
    answers: { 200: redriveResultSchema },
    handle: async ({ context, caller, from, id, body, idempotencyKey }) => ({
      status: 200,
      json: await resendForClient(context, { caller, from }, id, body, idempotencyKey),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/clients/:id/ledger',
    who: 'admin',
    summary: 'List all movements of a client’s balance, newest first',
    query: pageQuerySchema,
    answers: { 200: pageSchema(ledgerEntrySchema) },
    handle: async ({ context, id, query }) => {
      await requireClient(context, id)
      return { status: 200, json: await showLedger(context.db, id, query) }
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/clients/:id/payments',
    who: 'admin',
    summary: 'List a client’s payments, newest first',
    query: pageQuerySchema,
    answers: { 200: pageSchema(paymentSchema) },
    handle: async ({ context, id, query }) => {
      await requireClient(context, id)
      const page = readPage(query)
      const { rows, next_cursor } = cutPage(await listPayments(context.db, id, page), page.limit)
      return { status: 200, json: { data: rows.map(({ position: _position, ...row }) => row), next_cursor } }
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/clients/:id/notes',
    who: 'admin',
    summary: 'List the administrators’ notes about a client, newest first',
    query: pageQuerySchema,
    answers: { 200: pageSchema(clientNoteSchema) },
    handle: async ({ context, id, query }) => {
      await requireClient(context, id)
      const page = readPage(query)
      const { rows, next_cursor } = cutPage(await listClientNotes(context.db, id, page), page.limit)
      return { status: 200, json: { data: rows.map(({ position: _position, ...row }) => row), next_cursor } }
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/clients/:id/notes',
    who: 'admin',
    needs: 'clients',
    summary: 'Keep a note about a client',
    description: 'Only administrators see it. It cannot be changed; an erasure of the account removes it.',
    takes: 'json',
    takesKey: true,
    body: newClientNoteSchema,
    answers: { 201: clientNoteSchema },
    handle: async ({ context, caller, from, id, body, idempotencyKey }) => ({
      status: 201,
      json: await keepClientNote(context, { caller, from }, id, body.text, idempotencyKey),
    }),
  }),
]
