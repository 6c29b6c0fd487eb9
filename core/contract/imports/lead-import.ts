import { z } from 'zod'
import { accountIdSchema } from '../accounts/account.ts'
import { fieldErrorSchema } from '../problem.ts'
import { whenLeftOut } from '../when-left-out.ts'

/** Encodings of a file. `windows-1252` includes all of Latin-1; `macintosh` is Mac OS Roman. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'macintosh'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** The separators of a row's cells. */
export const DELIMITERS = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof DELIMITERS)[number]

export const IMPORT_LIMITS = {
  columns: 300,
  rows: 1_000_000,
  /** characters of a row; only a longer row is refused */
  rowCharacters: 65_536,
  /** bytes of a row; in a longer row a closing quotation mark must be missing, so the file is refused */
  rowBytes: 2 * 1024 * 1024,
  /** bytes of one request with a part of the file */
  part: 4 * 1024 * 1024,
  /** rows of a preview, and rows from which the header is chosen */
  preview: 20,
  /** the last row that can be the header */
  header: 1000,
} as const

/**
 * `uploading` until all bytes have arrived, `reading` while a worker makes rows of them, `ready` for its columns to be
 * mapped, `running` while rows become leads.
 */
export const IMPORT_STATES = [
  'uploading',
  'reading',
  'ready',
  'running',
  'finished',
  'cancelled',
  'failed',
] as const
export type ImportState = (typeof IMPORT_STATES)[number]

/** Body of `POST /api/v1/admin/imports`. Omitted settings are detected from the file. */
export const newImportSchema = z.strictObject({
  source_id: z.guid({ error: 'Choose a source' }),
  file_name: z.string().trim().min(1, 'The file has no name').max(200, 'The name of the file is too long'),
  size: z.int({ error: 'Must be the number of bytes' }).min(1, 'The file is empty'),
  encoding: z.enum(ENCODINGS).nullish(),
  delimiter: z.enum(DELIMITERS).nullish(),
  /** the row that names the columns, as a spreadsheet counts; or an empty row above it */
  header: z
    .int({ error: 'Must be the number of a row' })
    .min(1, 'Rows count from 1')
    .max(IMPORT_LIMITS.header, 'Must be among the first 1,000 rows')
    .nullish(),
})
export type NewImport = z.infer<typeof newImportSchema>

/**
 * The meaning of each column, in the file's order: a field of `POST /api/v1/leads`, `utm_<name>`, `custom.<name>`, or
 * nothing. Also the values that every row has in addition to its cells.
 */
export const importMappingSchema = z.strictObject({
  mapping: z.array(z.string().trim().max(100)).max(IMPORT_LIMITS.columns),
  constants: z.record(z.string().max(100), z.string().trim().max(200)).default({}),
})
export type ImportMapping = z.infer<typeof importMappingSchema>

export const leadImportSchema = z.object({
  id: z.uuid(),
  source_id: z.uuid(),
  source_name: z.string(),
  /** the client of its source; null for the market */
  owner_user_id: accountIdSchema.nullable(),
  file_name: z.string(),
  state: z.enum(IMPORT_STATES),
  size: z.int(),
  /** bytes received so far */
  received: z.int(),
  encoding: z.enum(ENCODINGS).nullable(),
  delimiter: z.enum(DELIMITERS).nullable(),
  header: z.int().nullable(),
  /** the encoding that the letters suggest, if the file was read in another */
  suggested_encoding: z.enum(ENCODINGS).nullable(),
  columns: z.array(z.string()),
  mapping: z.array(z.string()),
  constants: z.record(z.string(), z.string()),
  /** rows found so far; all of them from `ready` on */
  rows: z.int(),
  /** rows handled: accepted, duplicates and refused together */
  taken: z.int(),
  accepted: z.int(),
  duplicates: z.int(),
  refused: z.int(),
  failure: z.object({ code: z.string(), sentence: z.string() }).nullable(),
  /** whether the rows that became no lead can still be read */
  has_report: z.boolean(),
  /** whether the file itself can be downloaded */
  has_file: whenLeftOut(z.boolean(), false),
  created_by: accountIdSchema,
  created_at: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
})
export type LeadImport = z.infer<typeof leadImportSchema>

/**
 * The first rows of a file, as they were read; and the rows from which the header is chosen, each as one short text.
 */
export const importRowsSchema = z.object({
  rows: z.array(z.object({ row: z.int(), cells: z.array(z.string()) })),
  head: z.array(z.object({ row: z.int(), text: z.string() })),
})

/** One row of a preview. `row` counts as a spreadsheet does, from 1 for the header. */
export const previewedRowSchema = z.object({
  row: z.int(),
  cells: z.array(z.string()),
  /** the fields of the lead, normalised; null if it would be refused */
  lead: z.record(z.string(), z.string()).nullable(),
  errors: z.array(fieldErrorSchema),
  /** cells that would not become part of the lead, each with the reason; absent if there are none */
  warnings: z.array(fieldErrorSchema).optional(),
})
export type PreviewedRow = z.infer<typeof previewedRowSchema>
export const importPreviewSchema = z.object({ rows: z.array(previewedRowSchema) })
