import { sql } from 'kysely'
import { decisionSchema, type LeadDecision } from '#core/contract/market/decision.ts'
import { readStored } from '#core/read-stored.ts'
import type { Db } from '../../database.ts'

/** What was decided about a lead, last; undefined where nothing was, or it is not there. */
export async function findDecision(db: Db, leadId: string): Promise<LeadDecision | undefined> {
  const { rows } = await sql<{ decision: unknown }>`
    select jsonb_build_object('lead_id', d.lead_id, 'outcome', d.outcome, 'reason', d.reason, 'duplicate_of', l.duplicate_of,
      'order_id', d.order_id, 'order_name', o.name, 'client_user_id', d.client_user_id, 'client_name', p.name,
      'price', case when d.outcome = 'assigned' then l.price_charged::text end,
      'refusals', coalesce((select jsonb_agg(jsonb_build_object('order_id', r.id, 'order_name', r.name,
          'client_user_id', r.client_user_id, 'client_name', rp.name, 'reason', reason) order by reason, rp.name, r.id)
        from jsonb_each(case jsonb_typeof(d.refusals) when 'object' then d.refusals else '{}' end) as each (reason, ids)
        cross join lateral jsonb_array_elements_text(ids) as refused_id
        join orders r on r.id = refused_id::uuid join profiles rp on rp.user_id = r.client_user_id), '[]'),
      'returns', coalesce((select jsonb_agg(jsonb_build_object('order_name', ro.name, 'client_user_id', r.client_user_id,
          'client_name', rp.name, 'price', a.price::text, 'reason', r.reason, 'at', r.decided_at) order by r.decided_at)
        from lead_returns r join lead_assignments a on a.id = r.assignment_id join profiles rp on rp.user_id = r.client_user_id
        left join orders ro on ro.id = a.order_id where r.lead_id = d.lead_id and r.status = 'approved'), '[]'),
      'refused', d.refused, 'tries', d.tries, 'decided_at', d.decided_at,
      'held_until', case when l.status = 'unassigned' then l.expires_at end) as decision
    from assignment_decisions d
    join leads l on l.id = d.lead_id
    left join orders o on o.id = d.order_id
    left join profiles p on p.user_id = d.client_user_id
    where d.lead_id = ${leadId}
  `.execute(db)
  const [row] = rows
  return row && readStored(decisionSchema, row.decision, 'what was decided about a lead')
}
