import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'

/** A contradiction, with the id of the row that shows it. */
interface Contradiction {
  what:
    | 'balance'
    | 'negative'
    | 'chain'
    | 'charge'
    | 'nothing'
    | 'credit'
    | 'late'
    | 'twice'
    | 'lead'
    | 'tally'
    | 'cap'
    | 'told'
    | 'person'
  of: string
}

/** All contradictions in the sales; empty if there are none. */
export async function findContradictions(db: Db): Promise<Contradiction[]> {
  const { rows } = await sql<Contradiction>`
    select 'balance' as what, p.user_id::text as of from profiles p
    where p.balance <> (select coalesce(sum(amount), 0) from balance_ledger where client_user_id = p.user_id)
    union all
    select 'negative', user_id::text from profiles where balance < 0
    union all
    select 'negative', id::text from balance_ledger where balance_after < 0
    union all
    select 'chain', client_user_id::text from (
      select client_user_id, balance_after, sum(amount) over (partition by client_user_id order by id) as should from balance_ledger
    ) entries where balance_after <> should
    union all
    select 'charge', a.lead_id::text from lead_assignments a
    where a.order_id is not null and a.price <> coalesce((select -sum(amount) from balance_ledger
      where entry_type = 'lead_purchase' and reference_id = a.id::text), 0)
    union all
    select 'nothing', e.id::text from balance_ledger e
    where e.entry_type = 'lead_purchase' and not exists (select from lead_assignments a where a.id::text = e.reference_id)
    union all
    select 'credit', a.lead_id::text from lead_assignments a
    left join lead_returns r on r.assignment_id = a.id and r.status = 'approved'
    where a.order_id is not null and case when a.state = 'active' then 0 else a.price - coalesce((select sum(amount) from balance_ledger
      where entry_type = 'late_credit' and reference_id = a.id::text), 0) end <> coalesce((select sum(amount)
      from balance_ledger where entry_type = 'lead_return' and reference_id = r.id::text), 0)
    union all
    select 'late', e.reference_id from balance_ledger e left join late_leads k on k.assignment_id::text = e.reference_id
    where e.entry_type = 'late_credit' and (k.credit is distinct from 'credited' or k.price <> e.amount)
    union all
    select 'late', k.assignment_id::text from late_leads k where k.credit = 'credited' and not exists (
      select from balance_ledger e where e.entry_type = 'late_credit' and e.reference_id = k.assignment_id::text)
    union all
    select 'twice', lead_id::text from lead_assignments where state = 'active' group by lead_id having count(*) > 1
    union all
    -- No client gets a lead again that it had: lists, figures and the log tell of one assignment for each of both.
    select 'twice', lead_id::text from lead_assignments group by lead_id, client_user_id having count(*) > 1
    union all
    select 'lead', l.id::text from leads l
    left join lead_assignments a on a.lead_id = l.id and a.state = case l.status when 'returned' then 'returned' else 'active' end
    where (l.status in ('assigned', 'returned')) is distinct from (a.id is not null) or l.assigned_to is distinct from a.client_user_id
      or l.price_charged is distinct from a.price or l.order_id is distinct from a.order_id
    union all
    select 'tally', t.order_id::text from order_tallies t
    where t.total_leads <> (select count(*) from lead_assignments a where a.order_id = t.order_id)
    union all
    select 'cap', o.id::text from orders o join order_tallies t on t.order_id = o.id
    where t.total_leads > o.total_cap
    union all
    select 'told', a.lead_id::text from lead_assignments a where a.order_id is not null and (
      select count(*) from events e where e.lead_id = a.lead_id and e.client_user_id = a.client_user_id and e.type = 'lead.assigned') <> 1
    union all
    select 'person', a.id::text from leads a join leads b on a.phone = b.phone and a.lead_type = b.lead_type and a.id < b.id
    where a.order_id is not null and b.order_id is not null
  `.execute(db)
  return rows
}
