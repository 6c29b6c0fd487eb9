import {
  adminPaymentFilterSchema,
  adminPaymentSchema,
  paymentDecisionSchema,
  paymentReceiptSchema,
  paymentSchema,
} from '#core/contract/market/payment.ts'
import { paymentComparisonSchema } from '#core/contract/market/payment-difference.ts'
import { readComparison } from '#core/data/market/payments/payment-differences.ts'
import { listAllPayments } from '#core/data/market/payments/payments.ts'
import { cutPage } from '#core/data/page.ts'
import { pageQuerySchema, pageSchema, readPage } from '../../http/read-page.ts'
import { route } from '../../http/route.ts'
import { receivePayment, rejectPayment } from './decide-payment.ts'

export const adminPaymentRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/payments',
    who: 'admin',
    summary: 'Everybody’s payments, newest first',
    query: pageQuerySchema.extend(adminPaymentFilterSchema.shape),
    answers: { 200: pageSchema(adminPaymentSchema) },
    handle: async ({ context, query }) => {
      const page = readPage(query)
      const { rows, next_cursor } = cutPage(await listAllPayments(context.db, query, page), page.limit)
      const data = rows.map(({ position: _position, ...payment }) => payment)
      return { status: 200, json: { data, next_cursor } }
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/payment-differences',
    who: 'admin',
    summary: 'Where payments differ from the payment provider’s records',
    description: 'A worker compares both once a day, and moves no money.',
    answers: { 200: paymentComparisonSchema },
    handle: async ({ context }) => ({
      status: 200,
      json: { ...(await readComparison(context.db)), is_configured: context.paymentProvider !== undefined },
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/payments/:id/receive',
    who: 'admin',
    summary: 'Mark a payment as received: what came is on the client’s balance',
    description:
      '`amount` is what came in, by default what the provider reports, or else what was asked for. Another amount than either needs a note.',
    takes: 'json',
    body: paymentReceiptSchema,
    answers: { 200: paymentSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await receivePayment(context, id, { by: { caller, from }, ...body }),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/payments/:id/reject',
    who: 'admin',
    summary: 'Reject a payment that waits',
    takes: 'json',
    body: paymentDecisionSchema,
    answers: { 200: paymentSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await rejectPayment(context, id, { by: { caller, from }, ...body }),
    }),
  }),
]
