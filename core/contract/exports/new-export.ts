import { z } from 'zod'
import { leadFilterSchema } from '../leads/lead-query.ts'
import { exportKindSchema } from './export.ts'

/** Body of `POST /api/v1/exports`. */
export const newExportSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('leads'), filters: z.strictObject(leadFilterSchema.shape).optional() }),
  z.strictObject({ kind: z.literal('ledger') }),
])
export type NewExport = z.infer<typeof newExportSchema>

/** Query of `GET /api/v1/exports/size`. */
export const exportSizeQuerySchema = leadFilterSchema.extend({ kind: exportKindSchema })
