import type { z } from 'zod'
import { leadDetailSchema } from '#core/contract/leads/lead-detail.ts'
import { DETAIL_FIELDS } from '#core/contract/leads/lead-fields.ts'

type Field = (typeof DETAIL_FIELDS)[number]
const { shape } = leadDetailSchema
const fields: Readonly<Record<Field, z.ZodNullable>> = shape

/** An answer of `GET /api/v1/leads/:id`. While servers are replaced one by one, an older one does not answer a new field. */
export const shownLeadSchema = leadDetailSchema.extend(
  Object.fromEntries(DETAIL_FIELDS.map((name) => [name, fields[name].default(null)])) as {
    [Name in Field]: z.ZodDefault<(typeof shape)[Name]>
  },
)
