import { z } from 'zod'
import {
  importMappingSchema,
  importPreviewSchema,
  importRowsSchema,
  leadImportSchema,
  newImportSchema,
} from '#core/contract/imports/lead-import.ts'
import { listImports } from '#core/data/imports/lead-imports.ts'
import { cutPage } from '#core/data/page.ts'
import { pageQuerySchema, pageSchema, readPage } from '../http/read-page.ts'
import { route } from '../http/route.ts'
import { beginImport, stopImport, takePart } from './change-import.ts'
import { listFirstRows, previewImport } from './preview-import.ts'
import { describeImport, showImport } from './show-import.ts'
import { releaseImport } from './release-import.ts'
import { writeReport } from './write-report.ts'

/** The most that IMPORT_MAX_BYTES can be. */
const LARGEST_FILE = 2_000_000_000

/** Leads from files: for administrators, into a source of their choice, and so to whomever its leads go. */
export const importRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/imports',
    who: 'admin',
    summary: 'Every import of leads from a file, newest first',
    query: pageQuerySchema,
    answers: { 200: pageSchema(leadImportSchema) },
    handle: async ({ context, query }) => {
      const page = readPage(query)
      const { rows, next_cursor } = cutPage(await listImports(context.db, page), page.limit)
      return { status: 200, json: { data: rows.map(describeImport), next_cursor } }
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/imports',
    who: 'admin',
    summary: 'Begin an import: into which source, and how large the CSV file is',
    description:
      'Then its bytes are posted in parts. Encoding, delimiter and the row that names the columns are found out where they are left out; the import says what was found.',
    takes: 'json',
    takesKey: true,
    body: newImportSchema,
    answers: { 201: leadImportSchema },
    handle: async ({ context, caller, body, idempotencyKey }) => ({
      status: 201,
      json: await beginImport(context, caller, { wanted: body, idempotencyKey }),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/imports/:id',
    who: 'admin',
    summary: 'One import: how far it has come, and what its rows became',
    answers: { 200: leadImportSchema },
    handle: async ({ context, id }) => ({ status: 200, json: await showImport(context.db, id) }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/imports/:id/bytes',
    who: 'admin',
    summary: 'The next bytes of the file, at most 4 MiB; `at` says how many came before',
    description:
      'Parts that are not the next are a 409: the import says with `received` where it goes on. With the last byte a worker begins to read.',
    takes: 'part',
    query: z.object({ at: z.coerce.number().int().min(0).max(LARGEST_FILE) }),
    body: z.unknown(),
    readsBodyItself: true,
    answers: { 200: leadImportSchema },
    handle: async ({ context, id, query, bodyBytes }) => ({
      status: 200,
      json: await takePart(context, id, query.at, bodyBytes),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/imports/:id/rows',
    who: 'admin',
    summary:
      'The first 20 rows of a file that is read and not yet started, below the header and from the beginning',
    answers: { 200: importRowsSchema },
    handle: async ({ context, id }) => ({ status: 200, json: await listFirstRows(context, id) }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/imports/:id/preview',
    who: 'admin',
    summary: 'What the first 20 rows would become, if the columns were what is said here',
    takes: 'json',
    body: importMappingSchema,
    answers: { 200: importPreviewSchema },
    handle: async ({ context, id, body }) => ({ status: 200, json: await previewImport(context, id, body) }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/imports/:id/start',
    who: 'admin',
    summary: 'Make leads of the rows, as if the source had posted each',
    takes: 'json',
    body: importMappingSchema,
    answers: { 200: leadImportSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await releaseImport(context, { caller, from }, id, body),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/imports/:id/cancel',
    who: 'admin',
    summary: 'End an import where it is; what became a lead stays one',
    answers: { 200: leadImportSchema },
    handle: async ({ context, caller, from, id }) => ({
      status: 200,
      json: await stopImport(context, { caller, from }, id),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/imports/:id/refused.csv',
    who: 'admin',
    isDownload: true,
    summary: 'The rows that became no new lead, with the reason of each, as a CSV file',
    answers: { 200: null },
    handle: async ({ context, caller, from, id }) => ({
      status: 200,
      type: 'text/csv; charset=utf-8',
      headers: { 'Content-Disposition': 'attachment; filename="refused.csv"' },
      pieces: await writeReport(context, { caller, from }, id),
    }),
  }),
]
