import { z } from 'zod'
import { removalSchema } from '#core/contract/admin-note.ts'
import {
  leadPriceFilterSchema,
  leadPriceSchema,
  leadTypeChangeSchema,
  leadTypeSchema,
  newLeadPriceSchema,
  newLeadTypeSchema,
} from '#core/contract/market/lead-price.ts'
import { pageSchema } from '#core/contract/page.ts'
import { listLeadPrices } from '#core/data/market/lead-prices.ts'
import { listLeadTypes } from '#core/data/market/lead-types.ts'
import { cutPage } from '#core/data/page.ts'
import { pageQuerySchema, readPage } from '../../http/read-page.ts'
import { route } from '../../http/route.ts'
import { changeLeadTypeByAdmin, createLeadType, setLeadPrice, withdrawLeadPrice } from './change-prices.ts'

/** Prices of leads by type, and exceptions from them. Sold leads keep their prices. */
export const adminPriceRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/lead-types',
    who: 'admin',
    summary: 'List all lead types with price, floor price and number of orders',
    answers: { 200: z.object({ data: z.array(leadTypeSchema) }) },
    handle: async ({ context }) => ({ status: 200, json: { data: await listLeadTypes(context.db) } }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/lead-types',
    who: 'admin',
    needs: 'money',
    summary: 'Add a lead type',
    description: 'A code that already exists is refused (409).',
    takes: 'json',
    body: newLeadTypeSchema,
    answers: { 201: leadTypeSchema },
    handle: async ({ context, caller, from, body }) => ({
      status: 201,
      json: await createLeadType(context, { caller, from }, body),
    }),
  }),
  route({
    method: 'patch',
    path: '/api/v1/admin/lead-types',
    who: 'admin',
    needs: 'money',
    summary: 'Change the label, price, floor price or late credits of the lead type that `code` names',
    description:
      'The change counts for leads that are sold later. `late_credit`: the price of a lead that comes late because of us is credited by itself.',
    takes: 'json',
    body: leadTypeChangeSchema,
    answers: { 200: leadTypeSchema },
    handle: async ({ context, caller, from, body }) => ({
      status: 200,
      json: await changeLeadTypeByAdmin(context, { caller, from }, body),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/lead-prices',
    who: 'admin',
    summary: 'List the prices for states and clients, newest first',
    query: pageQuerySchema.extend(leadPriceFilterSchema.shape),
    answers: { 200: pageSchema(leadPriceSchema) },
    handle: async ({ context, query }) => {
      const page = readPage(query)
      const { rows, next_cursor } = cutPage(await listLeadPrices(context.db, query, page), page.limit)
      return { status: 200, json: { data: rows.map(({ position: _position, ...row }) => row), next_cursor } }
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/lead-prices',
    who: 'admin',
    needs: 'money',
    summary: 'Set the price of a lead type for a state, a client, or both',
    description: 'It replaces an earlier price for the same.',
    takes: 'json',
    body: newLeadPriceSchema,
    answers: { 200: leadPriceSchema },
    handle: async ({ context, caller, from, body }) => ({
      status: 200,
      json: await setLeadPrice(context, { caller, from }, body),
    }),
  }),
  route({
    method: 'delete',
    path: '/api/v1/admin/lead-prices/:id',
    who: 'admin',
    needs: 'money',
    summary: 'Remove a price of a state or client; the next general price counts again',
    takes: 'json',
    body: removalSchema,
    answers: { 204: null },
    handle: async ({ context, caller, from, id, body }) => {
      await withdrawLeadPrice(context, { caller, from }, id, body.note)
      return { status: 204 }
    },
  }),
]
