import { newPaymentSchema, paymentSchema } from '#core/contract/market/money/payment.ts'
import { pageSchema } from '#core/contract/page.ts'
import { listPayments } from '#core/data/market/payments/payments.ts'
import { cutPage } from '#core/data/page.ts'
import { pageQuerySchema, readPage } from '../../http/read-page.ts'
import { route } from '../../http/route.ts'
import { askForPayment } from './ask-for-payment.ts'
import { cancelPayment } from './cancel-payment.ts'
import { readReceipt } from './read-receipt.ts'

export const paymentRoutes = [
  route({
    method: 'get',
    path: '/api/v1/payments',
    who: 'user',
    may: 'money',
    summary: 'List your payments, newest first',
    query: pageQuerySchema,
    answers: { 200: pageSchema(paymentSchema) },
    handle: async ({ context, caller, query }) => {
      const page = readPage(query)
      const { rows, next_cursor } = cutPage(await listPayments(context.db, caller.user_id, page), page.limit)
      const data = rows.map(({ position: _position, ...payment }) => payment)
      return { status: 200, json: { data, next_cursor } }
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/payments/:id/receipt',
    who: 'user',
    may: 'money',
    isDownload: true,
    summary: 'Download the receipt of a received payment, a page that prints on one sheet',
    description: 'It is also a file in the bucket `receipts` of the storage service.',
    answers: { 200: null },
    handle: async ({ context, caller, id }) => {
      const { name, pieces } = await readReceipt(context, caller.user_id, id)
      return {
        status: 200,
        type: 'text/html; charset=utf-8',
        headers: { 'Content-Disposition': `attachment; filename="${name}"` },
        pieces,
      }
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/payments',
    who: 'user',
    may: 'money',
    summary: 'Ask for a payment',
    description:
      'With a payment provider, `checkout_url` is the page to pay on. Without one, an administrator marks the payment as received. Too many pending payments (409) and too many in an hour (429) are refused.',
    takes: 'json',
    takesKey: true,
    body: newPaymentSchema,
    answers: { 201: paymentSchema },
    handle: async ({ context, caller, body, idempotencyKey }) => ({
      status: 201,
      json: await askForPayment(context, caller.user_id, body, idempotencyKey),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/payments/:id/cancel',
    who: 'user',
    may: 'money',
    summary: 'Cancel a pending payment',
    description:
      'The call is refused (409) if the payment is already decided, is being charged, or is with an administrator.',
    answers: { 200: paymentSchema },
    handle: async ({ context, caller, id }) => ({
      status: 200,
      json: await cancelPayment(context, caller, id),
    }),
  }),
]
