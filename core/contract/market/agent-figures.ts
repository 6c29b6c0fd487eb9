import { z } from 'zod'
import { memberRoleSchema } from '../accounts/member-role.ts'
import { checkPeriod, MOST_DAYS, periodFields } from './analytics.ts'
import { moneySchema } from './money/money.ts'
import { whenLeftOut } from '../when-left-out.ts'

/**
 * The leads of a person of the account, who has them, or had them when they were returned; without a person: shared
 * leads. A lead is delivered if a webhook took it, and failed if one finally failed and none took it. `role` is null for
 * a person who left.
 */
export const agentRowSchema = z.object({
  member_user_id: z.uuid().nullable(),
  name: z.string().nullable(),
  role: memberRoleSchema.nullable(),
  leads: z.int(),
  delivered: z.int(),
  failed: z.int(),
  returned: z.int(),
  spend: moneySchema,
  /** returns and late credits */
  refunded: moneySchema,
  /** reported by CRMs for leads that are sold */
  revenue: whenLeftOut(moneySchema, '0.00'),
  /** as of the analytics' totals */
  return_on_spend: whenLeftOut(z.number().min(0).nullable(), null),
  dispositions: z.array(z.object({ disposition: z.string(), leads: z.int() })),
})
export type AgentRow = z.infer<typeof agentRowSchema>

/** `GET /api/v1/analytics/agents`: the leads of a period by person. */
export const agentFiguresSchema = z.object({
  timezone: z.string(),
  from: z.string(),
  to: z.string(),
  data: z.array(agentRowSchema),
})
/** Query of `GET /api/v1/analytics/agents`. */
export const agentsQuerySchema = z.strictObject(periodFields).superRefine(checkPeriod(MOST_DAYS))
export type AgentsQuery = z.infer<typeof agentsQuerySchema>

export type AgentFigures = z.infer<typeof agentFiguresSchema>
