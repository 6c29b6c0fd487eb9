import { balanceSchema, ledgerEntrySchema } from '#core/contract/market/money/ledger.ts'
import { pageSchema } from '#core/contract/page.ts'
import { pageQuerySchema } from '../http/read-page.ts'
import { route } from '../http/route.ts'
import { showBalance, showLedger, writeLedger } from './read-ledger.ts'

export const balanceRoutes = [
  route({
    method: 'get',
    path: '/api/v1/balance',
    who: 'user',
    may: 'money',
    summary: 'Return your balance, how long it lasts, and pending payments',
    answers: { 200: balanceSchema },
    handle: async ({ context, caller }) => ({
      status: 200,
      json: await showBalance(context, caller.user_id),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/ledger',
    who: 'user',
    may: 'money',
    mayLag: true,
    summary: 'List all movements of your balance, newest first',
    query: pageQuerySchema,
    answers: { 200: pageSchema(ledgerEntrySchema) },
    handle: async ({ context, caller, query }) => ({
      status: 200,
      json: await showLedger(context.db, caller.user_id, query),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/ledger.csv',
    who: 'user',
    may: 'money',
    mayLag: true,
    isDownload: true,
    summary: 'Download your whole ledger as a CSV file',
    description: 'A text that a spreadsheet would run as a formula begins with an apostrophe.',
    answers: { 200: null },
    handle: async ({ context, caller }) =>
      await Promise.resolve({
        status: 200,
        type: 'text/csv',
        headers: { 'Content-Disposition': 'attachment; filename="ledger.csv"' },
        pieces: writeLedger(context.db, caller.user_id),
      }),
  }),
]
