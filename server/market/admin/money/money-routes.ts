import {
  balancesSchema,
  movementFilterSchema,
  movementSchema,
  revenueQuerySchema,
  revenueSchema,
} from '#core/contract/market/money/market-money.ts'
import { pageSchema } from '#core/contract/page.ts'
import { pageQuerySchema } from '../../../http/read-page.ts'
import { route, type Answer } from '../../../http/route.ts'
import { readFilter, showBalances, showMovements, showRevenue } from './show-money.ts'
import { writeBalances, writeMovements, writeRevenue } from './write-money.ts'

const FORMULAS = 'A text that a spreadsheet would run as a formula begins with an apostrophe.'

/** The market's money, for administrators. */
export const adminMoneyRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/money/balances',
    who: 'admin',
    summary: 'Return what clients have paid and not spent, by its age',
    description: 'With the 200 largest balances. Leads are paid with the oldest money first.',
    answers: { 200: balancesSchema },
    handle: async ({ context }) => ({ status: 200, json: await showBalances(context.db, new Date()) }),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/money/balances.csv',
    who: 'admin',
    isDownload: true,
    summary: 'Download all balances with their age as a CSV file',
    description: FORMULAS,
    answers: { 200: null },
    handle: async ({ context }) =>
      await Promise.resolve(file('balances.csv', writeBalances(context.db, new Date()))),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/money/ledger',
    who: 'admin',
    summary: 'List the entries of all clients’ balances, newest first',
    description: 'It can be limited to one client, one kind of entry, and to days (both included).',
    query: pageQuerySchema.extend(movementFilterSchema.shape),
    answers: { 200: pageSchema(movementSchema) },
    handle: async ({ context, query }) => ({ status: 200, json: await showMovements(context.db, query) }),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/money/ledger.csv',
    who: 'admin',
    isDownload: true,
    summary: 'Download the entries of all clients’ balances as a CSV file',
    description: FORMULAS,
    query: movementFilterSchema,
    answers: { 200: null },
    handle: async ({ context, query }) =>
      await Promise.resolve(file('ledger.csv', writeMovements(context.db, readFilter(query)))),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/money/revenue',
    who: 'admin',
    summary: 'Return sales less credits for returned leads, by day, type, state, client or source',
    description: 'Days are those of the administration’s time zone, both included: at most 366.',
    query: revenueQuerySchema,
    answers: { 200: revenueSchema },
    handle: async ({ context, query }) => ({ status: 200, json: await showRevenue(context.db, query) }),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/money/revenue.csv',
    who: 'admin',
    isDownload: true,
    summary: 'Download the revenue as a CSV file',
    description: FORMULAS,
    query: revenueQuerySchema,
    answers: { 200: null },
    handle: async ({ context, query }) =>
      file(`revenue-by-${query.by}.csv`, writeRevenue(await showRevenue(context.db, query))),
  }),
]

function file(name: string, pieces: AsyncIterable<string>): Answer {
  const headers = { 'Content-Disposition': `attachment; filename="${name}"` }
  return { status: 200, type: 'text/csv', headers, pieces }
}
