import { z } from 'zod'
import { TEST_LEAD } from '#core/contract/leads/lead.ts'
import { apiPath, functionPath } from '#web/api/api-path.ts'

/** Sends one call with the session's access token; throws if the answer is not 2xx. */
export type SendCall = (
  method: 'POST' | 'PATCH',
  path: string,
  body: unknown,
  idempotencyKey?: string,
) => Promise<unknown>

/**
 * One run of the test, the same for every press of its button until it succeeds. Its key makes sure that the
 * lead is inserted once.
 */
export type AssignmentTestRun = { userId: string; runId: string }

const insertedLeadSchema = z.object({
  id: z.string(),
  lead_type: z.string(),
  state: z.string().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
})
type InsertedLead = z.infer<typeof insertedLeadSchema>

const procedureResultSchema = z.object({ success: z.boolean() })

/**
 * The assignment test of docs/product.md §7, steps 2 to 4. Throws if the lead could not be inserted or not be
 * assigned.
 */
export async function runAssignmentTest(send: SendCall, run: AssignmentTestRun): Promise<{ leadId: string }> {
  const lead = insertedLeadSchema.parse(await send('POST', apiPath('leads'), testLead(run), run.runId))
  if (!(await assignedByProcedure(send, lead))) {
    await send('PATCH', apiPath('leads', lead.id), { assigned_to: run.userId, status: 'assigned' })
  }
  await startDelivery(send, lead.id, run.userId)
  return { leadId: lead.id }
}

function testLead({ userId, runId }: AssignmentTestRun) {
  const mark = runId.slice(0, 8)
  const line = (Number.parseInt(mark, 16) % 100).toString().padStart(2, '0')
  return {
    ...TEST_LEAD,
    user_id: userId,
    name: 'Test Lead',
    first_name: 'Test',
    last_name: 'Lead',
    email: `test.lead.${mark}@example.com`,
    phone: `+121355501${line}`,
    city: 'Los Angeles',
  }
}

async function assignedByProcedure(send: SendCall, lead: InsertedLead): Promise<boolean> {
  try {
    const result = await send('POST', apiPath('rpc', 'assign_lead_to_buyer_concurrent'), {
      lead_id_param: lead.id,
      lead_type_param: lead.lead_type,
      lead_state_param: lead.state,
      lead_phone_param: lead.phone,
      lead_email_param: lead.email,
    })
    return procedureResultSchema.parse(result).success
  } catch {
    // After any failure of the procedure, the lead is assigned directly (docs/product.md §7, step 3).
    return false
  }
}

async function startDelivery(send: SendCall, leadId: string, userId: string): Promise<void> {
  try {
    await send('POST', functionPath('webhook-delivery'), { lead_id: leadId, client_user_id: userId })
  } catch {
    // A failure is ignored (docs/product.md §7): the assignment has already written the event that the worker
    // delivers.
  }
}
