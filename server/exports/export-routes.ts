import { exportSchema, exportSizeSchema } from '#core/contract/exports/export.ts'
import { exportSizeQuerySchema, newExportSchema } from '#core/contract/exports/new-export.ts'
import { pageSchema } from '#core/contract/page.ts'
import { listExports } from '#core/data/exports/exports.ts'
import { cutPage } from '#core/data/page.ts'
import { pageQuerySchema, readPage } from '../http/read-page.ts'
import { route } from '../http/route.ts'
import { askForExport } from './ask-for-export.ts'
import { readerOf } from './export-reader.ts'
import { describeExport, dropExport, measureExport, readExportFile, showExport } from './show-export.ts'

const path = '/api/v1/exports'
/** Every role of an account has figures; which rows it may export depends on the kind. */
const forAll = { who: 'user', may: 'figures' } as const

/** Files of leads and of the ledger that a worker makes: each person has their own. */
export const exportRoutes = [
  route({
    method: 'get',
    path,
    ...forAll,
    summary: 'List your exports, newest first',
    description: 'Each person sees the exports that they asked for.',
    query: pageQuerySchema,
    answers: { 200: pageSchema(exportSchema) },
    handle: async ({ context, caller, query }) => {
      const page = readPage(query)
      const { rows, next_cursor } = cutPage(await listExports(context.db, readerOf(caller), page), page.limit)
      return { status: 200, json: { data: rows.map(describeExport), next_cursor } }
    },
  }),
  route({
    method: 'post',
    path,
    ...forAll,
    needs: 'read',
    summary: 'Ask for a CSV file of leads or of the ledger, which is made in the background',
    description:
      'Leads need a role that works leads, the ledger one with money. An agent’s file contains the agent’s leads. An account may have three exports that are not made yet; one more is refused with 429. A mail says when the file is ready; it is kept for seven days.',
    takes: 'json',
    takesKey: true,
    body: newExportSchema,
    answers: { 201: exportSchema },
    handle: async ({ context, caller, from, body, bodyText, idempotencyKey }) => ({
      status: 201,
      json: await askForExport(context, { caller, from }, { wanted: body, bodyText, idempotencyKey }),
    }),
  }),
  route({
    method: 'get',
    path: `${path}/size`,
    ...forAll,
    summary: 'Count the rows that a file would have, up to 5,000',
    query: exportSizeQuerySchema,
    answers: { 200: exportSizeSchema },
    handle: async ({ context, caller, query }) => ({
      status: 200,
      json: await measureExport(context, caller, query),
    }),
  }),
  route({
    method: 'get',
    path: `${path}/:id`,
    ...forAll,
    summary: 'Return one of your exports with its progress',
    answers: { 200: exportSchema },
    handle: async ({ context, caller, id }) => ({ status: 200, json: await showExport(context, caller, id) }),
  }),
  route({
    method: 'get',
    path: `${path}/:id/file`,
    ...forAll,
    isDownload: true,
    summary: 'Download the file of an export',
    description: 'An export that is not ready is refused with 409.',
    answers: { 200: null },
    handle: async ({ context, caller, id }) => {
      const { name, pieces } = await readExportFile(context, caller, id)
      return {
        status: 200,
        type: 'text/csv; charset=utf-8',
        headers: { 'Content-Disposition': `attachment; filename="${name}"` },
        pieces,
      }
    },
  }),
  route({
    method: 'delete',
    path: `${path}/:id`,
    ...forAll,
    needs: 'read',
    summary: 'Cancel an export, or remove it with its file',
    answers: { 204: null },
    handle: async ({ context, caller, id }) => {
      await dropExport(context, caller, id)
      return { status: 204 }
    },
  }),
]
