import {
  adminPaymentFilterSchema,
  adminPaymentSchema,
  paymentDecisionSchema,
  paymentReceiptSchema,
  paymentSchema,
} from '#core/contract/market/money/payment.ts'
import { paymentComparisonSchema } from '#core/contract/market/money/payment-difference.ts'
import { pageSchema } from '#core/contract/page.ts'
import { readComparison } from '#core/data/market/payments/payment-differences.ts'
import { listAllPayments } from '#core/data/market/payments/payments.ts'
import { cutPage } from '#core/data/page.ts'
import { pageQuerySchema, readPage } from '../../http/read-page.ts'
import { route } from '../../http/route.ts'
import { readReceipt } from '../payments/read-receipt.ts'
import { receivePayment, rejectPayment } from './decide-payment.ts'

export const adminPaymentRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/payments',
    who: 'admin',
    summary: 'List the payments of all clients, newest first',
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
    path: '/api/v1/admin/payments/:id/receipt',
    who: 'admin',
    isDownload: true,
    summary: 'Download the receipt of any client’s received payment, as the client has it',
    description: 'A payment without a receipt, and one of an erased account, is a 404.',
    answers: { 200: null },
    handle: async ({ context, id }) => {
      const { name, pieces } = await readReceipt(context, undefined, id)
      return {
        status: 200,
        type: 'text/html; charset=utf-8',
        headers: { 'Content-Disposition': `attachment; filename="${name}"` },
        pieces,
      }
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/payment-differences',
    who: 'admin',
    summary: 'List differences between payments and the records of the payment provider',
    description: 'A worker compares them once a day. It moves no money.',
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
    needs: 'money',
    summary: 'Mark a payment as received, and credit it to the client’s balance',
    description:
      '`amount` is the amount that came. Without it, the amount that the provider reports counts, or else the amount that was asked for. Any other amount needs a note (422). A payment that is already decided is refused (409).',
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
    needs: 'money',
    summary: 'Reject a pending payment',
    takes: 'json',
    body: paymentDecisionSchema,
    answers: { 200: paymentSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await rejectPayment(context, id, { by: { caller, from }, ...body }),
    }),
  }),
]
