import { sql } from 'kysely'
import { decisionSchema, type LeadDecision } from '#core/contract/market/decision.ts'
import { readStored } from '#core/read-stored.ts'
import type { Db } from '../../database.ts'
import { clientName } from '../../accounts/named-client.ts'

/** Limit of orders for which the reason is shown by name. */
const MOST_REFUSALS = 100

const storedSchema = decisionSchema.omit({ windows: true })

/** The stored form of refusals (core/domain/market/choice/refusal-letters.ts). */
export interface LetterForm {
  /** reasons by letter */
  reasons: Readonly<Record<string, string>>
  none: string
  ordersABlock: number
}

/**
 * The last decision about a lead; undefined if there was none, or there is no such lead. Refusals are listed for the
 * first orders: those with a reason of their own come before those ranked behind the winner.
 * @param orderId only the reason why this order did not get it
 */
export async function findDecision(
  db: Db,
  leadId: string,
  orderId: string | undefined,
  { reasons, none, ordersABlock }: LetterForm,
): Promise<Omit<LeadDecision, 'windows'> | undefined> {
  const { rows } = await sql<{ decision: unknown }>`
    with refusals as (
      select o.id, each.reason from assignment_decisions d
      cross join lateral jsonb_each_text(d.told) as block (number, letters)
      cross join lateral string_to_table(block.letters, null) with ordinality as told (letter, place)
      join orders o on o.number = block.number::integer * ${ordersABlock}::integer + told.place - 1
      cross join lateral (select ${JSON.stringify(reasons)}::jsonb ->> told.letter as reason) each
      where d.lead_id = ${leadId} and told.letter <> ${none}
      union all
      -- As older versions wrote it.
      select refused_id::uuid, each.reason from assignment_decisions d
      cross join lateral jsonb_each(case jsonb_typeof(d.refusals) when 'object' then d.refusals else '{}' end) as each (reason, ids)
      cross join lateral jsonb_array_elements_text(ids) as refused_id
      where d.lead_id = ${leadId}
    ), named as (
      select r.id as order_id, o.name as order_name, o.client_user_id, ${clientName('p')} as client_name, r.reason
      from refusals r join orders o on o.id = r.id join profiles p on p.user_id = o.client_user_id
      where ${orderId ?? null}::uuid is null or o.id = ${orderId ?? null}
      order by r.reason = 'not_first', r.reason, p.name, r.id limit ${MOST_REFUSALS}
    )
    select jsonb_build_object('lead_id', d.lead_id, 'outcome', d.outcome, 'reason', d.reason, 'duplicate_of', l.duplicate_of,
      'order_id', d.order_id, 'order_name', o.name, 'client_user_id', d.client_user_id, 'client_name', ${clientName('p')},
      'price', case when d.outcome = 'assigned' then l.price_charged::text end,
      'refusals', coalesce((select jsonb_agg(to_jsonb(named)) from named), '[]'),
      'returns', coalesce((select jsonb_agg(jsonb_build_object('order_name', ro.name, 'client_user_id', r.client_user_id,
          'client_name', ${clientName('rp')}, 'price', a.price::text, 'reason', r.reason, 'at', r.decided_at) order by r.decided_at)
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
  return row && readStored(storedSchema, row.decision, 'what was decided about a lead')
}
