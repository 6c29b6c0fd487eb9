import {
  leadTypesForClientSchema,
  newOrderSchema,
  orderChangeSchema,
  orderChecklistSchema,
  orderConflictSchema,
  orderEstimateRequestSchema,
  orderEstimateSchema,
  orderSchema,
} from '#core/contract/market/order.ts'
import { pageSchema } from '#core/contract/page.ts'
import { listOrders } from '#core/data/market/orders.ts'
import { cutPage } from '#core/data/page.ts'
import { formatCents } from '#core/domain/market/cents.ts'
import { findPrice } from '#core/domain/market/find-price.ts'
import { AppError } from '#core/errors.ts'
import { describeProblem } from '../http/errors/handle-errors.ts'
import { ignoreReadOnlyFields } from '../http/ignore-read-only-fields.ts'
import { pageQuerySchema, readPage } from '../http/read-page.ts'
import { route } from '../http/route.ts'
import { describeOrderRow, readPrices, requireMarketOfClient } from './describe-orders.ts'
import { estimateOrder } from './estimate-order.ts'
import { listChecklist } from './setup/list-checklist.ts'
import { changeOrder, createOrder, deleteOrder, requireOrder } from './save-order.ts'
import { switchOrder } from './switch-order.ts'

const path = '/api/v1/orders'

export const orderRoutes = [
  route({
    method: 'get',
    path,
    who: 'user',
    may: 'orders',
    summary: 'List your orders, newest first, each with its state, price and tallies',
    query: pageQuerySchema,
    answers: { 200: pageSchema(orderSchema) },
    handle: async ({ context, caller, query }) => {
      const page = readPage(query)
      const market = await requireMarketOfClient(context, caller)
      const found = await listOrders(context.db, caller.user_id, { ...page, member: caller.member_user_id })
      const { rows, next_cursor } = cutPage(found, page.limit)
      const at = new Date()
      const data = await Promise.all(
        rows.map((row) => context.inSlices(() => describeOrderRow(row, market, at))),
      )
      return { status: 200, json: { data, next_cursor } }
    },
  }),
  route({
    method: 'post',
    path,
    who: 'user',
    may: 'orders',
    summary: 'Create an order',
    description:
      'It begins paused unless `active` is true, and has the account’s time zone unless it names one. Too many orders, in all or within two days, are refused with 422 `too_many_orders`.',
    takes: 'json',
    takesKey: true,
    body: newOrderSchema,
    answers: { 201: orderSchema },
    handle: async ({ context, caller, body, bodyText, idempotencyKey }) => ({
      status: 201,
      json: await createOrder(context, caller, { order: body, bodyText, idempotencyKey }),
    }),
  }),
  route({
    method: 'get',
    path: `${path}/checklist`,
    who: 'user',
    may: 'orders',
    summary: 'List everything that must be right for leads to come, and where to correct it',
    answers: { 200: orderChecklistSchema },
    handle: async ({ context, caller }) => ({ status: 200, json: await listChecklist(context, caller) }),
  }),
  route({
    method: 'post',
    path: `${path}/estimate`,
    who: 'user',
    may: 'orders',
    summary:
      'Count the leads of the last seven days that an order could have had, before caps and budgets, with their present price',
    takes: 'json',
    body: ignoreReadOnlyFields(orderEstimateRequestSchema, orderSchema.extend(newOrderSchema.shape)),
    answers: { 200: orderEstimateSchema },
    handle: async ({ context, caller, body }) => ({
      status: 200,
      json: await estimateOrder(context, caller, body),
    }),
  }),
  route({
    method: 'get',
    path: `${path}/:id`,
    who: 'user',
    may: 'orders',
    summary: 'Return one order with its state, price and tallies',
    answers: { 200: orderSchema },
    handle: async ({ context, caller, id }) => ({
      status: 200,
      json: await requireOrder(context, caller, id),
    }),
  }),
  route({
    method: 'patch',
    path: `${path}/:id`,
    who: 'user',
    may: 'orders',
    summary: 'Change an order',
    description:
      'Send the `version` that you read. If the order was changed since, the answer is 409 `version_conflict` with both values, and nothing is saved.',
    takes: 'json',
    body: ignoreReadOnlyFields(orderChangeSchema, orderSchema),
    answers: { 200: orderSchema, 409: orderConflictSchema },
    handle: async ({ context, caller, id, body }) => {
      const changed = await changeOrder(context, caller, id, body)
      if (changed.outcome === 'changed') return { status: 200, json: changed.order }
      const { current, yours, theirs } = changed
      const message = 'This order was changed since you read it. Nothing of yours has been saved.'
      return {
        status: 409,
        type: 'application/problem+json',
        json: {
          ...describeProblem(new AppError('version_conflict', message)),
          current,
          yours,
          theirs,
        },
      }
    },
  }),
  route({
    method: 'delete',
    path: `${path}/:id`,
    who: 'user',
    may: 'orders',
    summary: 'Delete an order; the leads that it bought stay yours',
    answers: { 204: null },
    handle: async ({ context, caller, id }) => {
      await deleteOrder(context, caller, id)
      return { status: 204 }
    },
  }),
  route({
    method: 'post',
    path: `${path}/:id/pause`,
    who: 'user',
    may: 'orders',
    summary: 'Pause an order',
    description:
      'This also works while an administrator has paused it. The order buys again when neither pause is left.',
    answers: { 200: orderSchema },
    handle: async ({ context, caller, id }) => ({
      status: 200,
      json: await switchOrder(context, caller, id, true),
    }),
  }),
  route({
    method: 'post',
    path: `${path}/:id/resume`,
    who: 'user',
    may: 'orders',
    summary: 'End your own pause of an order',
    description: 'If only an administrator or the system has paused the order, the call is refused (409).',
    answers: { 200: orderSchema },
    handle: async ({ context, caller, id }) => ({
      status: 200,
      json: await switchOrder(context, caller, id, false),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/lead-types',
    who: 'user',
    may: 'figures',
    summary: 'List the lead types that you can order, with your price',
    description: 'A state may have another price.',
    answers: { 200: leadTypesForClientSchema },
    handle: async ({ context, caller }) => {
      const market = await requireMarketOfClient(context, caller)
      const buyer = { price: null, client_user_id: caller.user_id }
      const data = market.lead_types.map(({ code, label }) => {
        const price = formatCents(findPrice(readPrices(market, code), buyer, null))
        return { code, label, price }
      })
      return { status: 200, json: { data } }
    },
  }),
]
