import { z } from 'zod'
import { momentSchema } from '../moment.ts'
import { searchTextSchema } from '../search-text.ts'
import { DISPOSITIONS, leadStatusSchema } from './lead.ts'

const MOMENT_WANTED = 'Must be a time like 2026-01-31T17:05:00Z'

/** The sort keys of leads; with a minus in front the order is reversed: last, dearest or newest first. */
export const LEAD_SORTS = [
  '-received',
  'received',
  'name',
  '-name',
  'state',
  '-state',
  'price',
  '-price',
] as const
export const leadSortSchema = z.enum(LEAD_SORTS)
export type LeadSort = z.infer<typeof leadSortSchema>

/** Filters and sort of a list of leads. `from` is included, `to` is not. */
export const leadFilterSchema = z.object({
  search: searchTextSchema,
  status: leadStatusSchema.optional(),
  state: z.string().trim().toUpperCase().length(2).optional(),
  lead_type: z
    .string()
    .trim()
    .regex(/^[a-z0-9_]{1,64}$/)
    .optional(),
  from: momentSchema(MOMENT_WANTED).optional(),
  to: momentSchema(MOMENT_WANTED).optional(),
  /** false: without test leads; true: only these */
  is_test: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
  disposition: z.enum(DISPOSITIONS).optional(),
  /** only leads with a finally failed delivery */
  delivery: z.literal('failed').optional(),
  /** only leads that the caller holds and has not opened */
  unread: z
    .literal('true')
    .transform(() => true as const)
    .optional(),
  /** only leads of this person of the account, or of nobody in particular */
  member: z.literal('none').or(z.uuid()).optional(),
  sort: leadSortSchema.default('-received'),
})

/** Query of `GET /api/v1/leads`. */
export const leadQuerySchema = leadFilterSchema.extend({
  limit: z.coerce.number().int().min(1).max(100).default(25),
  cursor: z.string().max(600).optional(),
})

/** Body of `POST /api/v1/leads/mark-read`. */
export const markReadSchema = z.strictObject({ lead_ids: z.array(z.uuid()).min(1).max(100) })
export const markedReadSchema = z.object({ marked: z.int() })

/** Answer of `GET /api/v1/leads/:id/neighbours`: the leads before and after it in a list. */
export const neighboursSchema = z.object({ previous: z.uuid().nullable(), next: z.uuid().nullable() })
