import { z } from 'zod'
import { accountIdSchema } from '../accounts/account.ts'

/**
 * The answer of `assign_lead_to_buyer_concurrent`. Business outcomes never raise; `reason` is snake_case. The members
 * of an assignment are present if there is one, and contain no other client's data.
 */
export const assignmentResultSchema = z.object({
  success: z.boolean(),
  outcome: z.enum(['assigned', 'already_assigned', 'duplicate', 'no_buyer', 'not_assignable', 'not_found']),
  reason: z.string().nullable(),
  lead_id: z.uuid(),
  buyer_id: accountIdSchema.nullable().optional(),
  order_id: z.uuid().nullable().optional(),
  assignment_id: z.uuid().nullable().optional(),
  price: z.number().nullable().optional(),
  balance_after: z.number().nullable().optional(),
  assigned_at: z.string().nullable().optional(),
})
export type AssignmentResult = z.infer<typeof assignmentResultSchema>
