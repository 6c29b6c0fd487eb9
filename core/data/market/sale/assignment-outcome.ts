import { sql } from 'kysely'
import { assignmentResultSchema, type AssignmentResult } from '#core/contract/market/assignment.ts'
import { readStored } from '#core/read-stored.ts'
import type { Db } from '../../database.ts'
import type { AssignParameters } from '../lead-assignments.ts'

/**
 * The outcome of a lead that the market sells, in the form in which `assign_lead_to_buyer_concurrent` answers. The
 * stored row takes precedence over the parameters; a difference is reported, never applied.
 * @param isSoldNow whether the calling request sold it
 * @returns undefined if there is no such lead
 */
export async function readOutcome(
  db: Db,
  given: AssignParameters,
  isSoldNow: boolean,
): Promise<AssignmentResult | undefined> {
  const { rows } = await sql<{ result: unknown }>`
    select case
      when a.id is not null then assignment_result(true, ${isSoldNow ? 'assigned' : 'already_assigned'}::text,
        case when ${given.lead_type_param}::text <> l.lead_type or upper(${given.lead_state_param}::text) <> coalesce(l.state, '')
          or ${given.lead_phone_param}::text <> coalesce(l.phone, '')
          or lower(${given.lead_email_param}::text) <> lower(coalesce(l.email::text, '')) then 'parameter_mismatch' end, a)
        || jsonb_build_object('balance_after', (select b.balance_after from balance_ledger b
          where b.entry_type = 'lead_purchase' and b.reference_id = a.id::text))
      when l.status = 'unassigned' then jsonb_build_object('outcome', 'no_buyer', 'reason', coalesce(d.reason, 'no_matching_order'))
      when l.status = 'duplicate' then jsonb_build_object('outcome', 'duplicate', 'reason', 'duplicate')
      else jsonb_build_object('outcome', 'not_assignable', 'reason', coalesce(l.reject_reason, 'status_' || l.status))
      end || jsonb_build_object('success', a.id is not null, 'lead_id', l.id) as result
    from leads l
    left join lead_assignments a on a.lead_id = l.id and a.state = 'active'
    left join assignment_decisions d on d.lead_id = l.id
    where l.id = ${given.lead_id_param}
  `.execute(db)
  const [row] = rows
  return row && readStored(assignmentResultSchema, row.result, 'what became of a lead')
}
