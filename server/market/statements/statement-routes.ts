import {
  statementQuerySchema,
  statementSchema,
  type Statement,
} from '#core/contract/market/money/statement.ts'
import type { Db } from '#core/data/database.ts'
import { route, type Answer } from '../../http/route.ts'
import { showStatement, writeStatement } from './show-statement.ts'

/** Monthly statements: a client's own, and any client's for administrators. */
export const statementRoutes = [
  route({
    method: 'get',
    path: '/api/v1/statement',
    who: 'user',
    may: 'money',
    summary: 'Return a month of your balance',
    description:
      '`month` is like 2026-11, in your time zone; by default the current one. A complete month has a number, without gaps over all clients, from its first reading on.',
    query: statementQuerySchema,
    answers: { 200: statementSchema },
    handle: async ({ context, caller, query }) => ({
      status: 200,
      json: await showStatement(context.db, caller.user_id, query, new Date()),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/statement.csv',
    who: 'user',
    may: 'money',
    isDownload: true,
    summary: 'Download a month of your balance as a CSV file',
    query: statementQuerySchema,
    answers: { 200: null },
    handle: async ({ context, caller, query }) =>
      file(context.db, await showStatement(context.db, caller.user_id, query, new Date())),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/clients/:id/statement',
    who: 'admin',
    summary: 'Return a month of a client’s balance',
    query: statementQuerySchema,
    answers: { 200: statementSchema },
    handle: async ({ context, id, query }) => ({
      status: 200,
      json: await showStatement(context.db, id, query, new Date()),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/clients/:id/statement.csv',
    who: 'admin',
    isDownload: true,
    summary: 'Download a month of a client’s balance as a CSV file',
    query: statementQuerySchema,
    answers: { 200: null },
    handle: async ({ context, id, query }) =>
      file(context.db, await showStatement(context.db, id, query, new Date())),
  }),
]

function file(db: Db, statement: Statement): Answer {
  const headers = { 'Content-Disposition': `attachment; filename="statement-${statement.month}.csv"` }
  return { status: 200, type: 'text/csv', headers, pieces: writeStatement(db, statement) }
}
