import { z } from 'zod'
import {
  importMappingSchema,
  importPreviewSchema,
  importRowsSchema,
  leadImportSchema,
  newImportSchema,
} from '#core/contract/imports/lead-import.ts'
import { fileLinkSchema } from '#core/contract/files/file-link.ts'
import { pageSchema } from '#core/contract/page.ts'
import { listImports } from '#core/data/imports/lead-imports.ts'
import { cutPage } from '#core/data/page.ts'
import { pageQuerySchema, readPage } from '../http/read-page.ts'
import { route } from '../http/route.ts'
import { beginImport, stopImport, takePart } from './change-import.ts'
import { listFirstRows, previewImport } from './preview-import.ts'
import { describeImport, showImport } from './show-import.ts'
import { openImportFile } from './open-import-file.ts'
import { releaseImport } from './release-import.ts'
import { writeReport } from './write-report.ts'

/** The largest value of IMPORT_MAX_BYTES. */
const LARGEST_FILE = 2_000_000_000

/**
 * Leads from files: administrators import them into a source of their choice, and so to the receivers of its
 * leads.
 */
export const importRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/imports',
    who: 'admin',
    summary: 'List all imports of lead files, newest first',
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
    needs: 'leads',
    summary: 'Begin an import: name the source and the size of the CSV file',
    description:
      'Afterwards, post its bytes in parts. The encoding, the delimiter and the header row are detected if you leave them out; the import tells what was detected.',
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
    summary: 'Return one import with its progress and the results of its rows',
    answers: { 200: leadImportSchema },
    handle: async ({ context, id }) => ({ status: 200, json: await showImport(context.db, id) }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/imports/:id/bytes',
    who: 'admin',
    needs: 'leads',
    summary: 'Post the next bytes of the file, at most 4 MiB',
    description:
      '`at` says how many bytes came before. A part that is not the next one is refused (409): `received` of the import says where to continue. After the last byte, a worker begins to read the file.',
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
    summary: 'Return the first 20 rows of a file that is read but not started',
    description:
      '`rows` are those below the header, `head` those at the beginning of the file. An import in another state is refused (409).',
    answers: { 200: importRowsSchema },
    handle: async ({ context, id }) => ({ status: 200, json: await listFirstRows(context, id) }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/imports/:id/preview',
    who: 'admin',
    needs: 'leads',
    summary: 'Show what the first 20 rows would become with this mapping of the columns',
    takes: 'json',
    body: importMappingSchema,
    answers: { 200: importPreviewSchema },
    handle: async ({ context, id, body }) => ({ status: 200, json: await previewImport(context, id, body) }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/imports/:id/start',
    who: 'admin',
    needs: 'leads',
    summary: 'Start the import: make a lead of each row, as if the source had posted it',
    description:
      'The call is refused (409) if the import is not ready, its source has no valid key, or its client is suspended. A mapping that lacks a required field is a 422.',
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
    needs: 'leads',
    summary: 'Cancel an import; rows that are leads already stay leads',
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
    summary: 'Download the rows that became no new lead, each with the reason, as a CSV file',
    answers: { 200: null },
    handle: async ({ context, caller, from, id }) => ({
      status: 200,
      type: 'text/csv; charset=utf-8',
      headers: { 'Content-Disposition': 'attachment; filename="refused.csv"' },
      pieces: await writeReport(context, { caller, from }, id),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/imports/:id/file/open',
    who: 'admin',
    needs: 'read',
    summary: 'Return a URL of the file as it was uploaded, which works for an hour',
    description:
      'With `&download=<name>` the file is saved in place of shown. Each call is in the audit log. A file that is no longer kept is a 404.',
    answers: { 200: fileLinkSchema },
    handle: async ({ context, caller, from, id }) => ({
      status: 200,
      json: await openImportFile(context, { caller, from }, id),
    }),
  }),
]
