import { z } from 'zod'
import {
  adminOrderChangeSchema,
  adminOrderConflictSchema,
  adminOrderFilterSchema,
  adminOrderSchema,
} from '#core/contract/market/admin-order.ts'
import { problemSchema } from '#core/contract/problem.ts'
import { pageSchema } from '#core/contract/page.ts'
import { cutPage } from '#core/data/page.ts'
import { pageQuerySchema, readPage } from '../../http/read-page.ts'
import { route } from '../../http/route.ts'
import { changeOrderByAdmin } from './change-admin-order.ts'
import { describeAdminOrders } from './describe-admin-orders.ts'

export const adminOrderRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/orders',
    who: 'admin',
    summary: 'List the orders of all clients, newest first, with price, priority and weight',
    query: pageQuerySchema.extend(adminOrderFilterSchema.shape),
    answers: { 200: pageSchema(adminOrderSchema) },
    handle: async ({ context, query }) => {
      const page = readPage(query)
      const { rows, next_cursor } = cutPage(await describeAdminOrders(context.db, query, page), page.limit)
      return { status: 200, json: { data: rows.map(({ position: _position, ...row }) => row), next_cursor } }
    },
  }),
  route({
    method: 'patch',
    path: '/api/v1/admin/orders/:id',
    who: 'admin',
    needs: 'clients',
    summary: 'Change price, priority and weight of an order, or pause it',
    description:
      'Send the `version` that you read. If the order was changed since, the answer is 409 `version_conflict` with both values. A pause of the client cannot be ended here (409).',
    takes: 'json',
    body: adminOrderChangeSchema,
    answers: { 200: adminOrderSchema, 409: z.union([adminOrderConflictSchema, problemSchema]) },
    handle: async ({ context, caller, from, id, body }) =>
      await changeOrderByAdmin(context, { caller, from }, id, body),
  }),
]
