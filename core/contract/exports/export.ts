import { z } from 'zod'
import type { MemberPermission } from '../accounts/member-role.ts'

export const EXPORT_KINDS = ['leads', 'ledger'] as const
export const exportKindSchema = z.enum(EXPORT_KINDS)
export type ExportKind = z.infer<typeof exportKindSchema>

export const EXPORT_STATES = ['waiting', 'running', 'done', 'failed'] as const
export const exportStateSchema = z.enum(EXPORT_STATES)
export type ExportState = z.infer<typeof exportStateSchema>

/**
 * `access_lost`: the person may not read these rows any more. `too_large`: the file is larger than a file may be.
 * `no_room`: there was no room to store it. `ended_worker`: it could not be made, for a reason of ours.
 */
export const EXPORT_FAILURES = ['access_lost', 'too_large', 'no_room', 'ended_worker'] as const
export const exportFailureSchema = z.enum(EXPORT_FAILURES)
export type ExportFailure = z.infer<typeof exportFailureSchema>

/** The permission that a person's role in the account must include to export these rows. */
export const PERMISSION_OF_EXPORT: Readonly<Record<ExportKind, MemberPermission>> = {
  leads: 'leads',
  ledger: 'money',
}

/** Exports of an account that are not made yet, in all (docs/product.md §9). */
export const MOST_OPEN_EXPORTS = 3
/** Days until the file of an export is removed (docs/product.md §9). */
export const EXPORT_DAYS = 7
/** Lists with more rows than this are exported in the background by the web app (docs/product.md §9). */
export const LONG_LIST_ROWS = 5000

/** The filters of `GET /api/v1/leads`, each as its query has it. */
export const exportFiltersSchema = z.record(z.string(), z.string())
export type ExportFilters = z.infer<typeof exportFiltersSchema>

/** An export as its person sees it. */
export const exportSchema = z.object({
  id: z.uuid(),
  kind: exportKindSchema,
  filters: exportFiltersSchema,
  state: exportStateSchema,
  rows_done: z.int(),
  rows_all: z.int().nullable(),
  size: z.int().nullable(),
  failure: exportFailureSchema.nullable(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
  expires_at: z.string().nullable(),
})
export type Export = z.infer<typeof exportSchema>

/** The number of rows that a list has, counted up to a bound. */
export const exportSizeSchema = z.object({ rows: z.int(), is_more: z.boolean() })
