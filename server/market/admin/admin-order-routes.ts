import { z } from 'zod'
import {
  adminOrderChangeSchema,
  adminOrderConflictSchema,
  adminOrderFilterSchema,
  adminOrderSchema,
} from '#core/contract/market/admin-order.ts'
import { problemSchema } from '#core/contract/problem.ts'
import { cutPage } from '#core/data/page.ts'
import { pageQuerySchema, pageSchema, readPage } from '../../http/read-page.ts'
import { route } from '../../http/route.ts'
import { changeOrderByAdmin } from './change-admin-order.ts'
import { describeAdminOrders } from './describe-admin-orders.ts'

export const adminOrderRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/orders',
    who: 'admin',
    summary: 'All clients’ orders, newest first, with price, priority and weight',
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
    summary: 'Price, priority (1 is tried first), weight of an order, and pausing it',
    description: 'A change of an earlier version is answered with both values (409 `version_conflict`).',
    takes: 'json',
    body: adminOrderChangeSchema,
    answers: { 200: adminOrderSchema, 409: z.union([adminOrderConflictSchema, problemSchema]) },
    handle: async ({ context, caller, from, id, body }) =>
      await changeOrderByAdmin(context, { caller, from }, id, body),
  }),
]
