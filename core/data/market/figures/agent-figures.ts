import { sql } from 'kysely'
import type { AgentRow } from '#core/contract/market/agent-figures.ts'
import { memberName } from '../../accounts/named-client.ts'
import type { Db } from '../../database.ts'
import type { CountedLeads } from './analytics.ts'
import { pastOutcomes } from './delivery-figures.ts'
import { isPaidBack, soldFor } from './sales-and-credits.ts'

/**
 * Counts the leads of {@link countedLeads} by the person whose they are, or were when their assignment ended, the
 * dearest first. Agents without leads have a row too.
 */
export async function tallyByAgent(
  db: Db,
  { client, begins, ends }: Pick<CountedLeads, 'client' | 'begins' | 'ends'>,
): Promise<Array<Omit<AgentRow, 'return_on_spend'>>> {
  const isWithin = sql`l.created_at >= ${begins} and l.created_at < ${ends} and not l.is_test`
  const { rows } = await sql<Omit<AgentRow, 'return_on_spend'>>`
    /* planned for its values */ with came as (
      select l.id, l.created_at, l.member_user_id as member, l.price_charged as price, a.disposition,
        case when a.disposition = 'sold' then ${soldFor('a')} end as revenue
      from leads l left join lead_assignments a on a.lead_id = l.id and a.state = 'active'
      where l.assigned_to = ${client} and l.status <> 'returned' and ${isWithin}
      union all
      select l.id, l.created_at, past.member_user_id, past.price, null, null
      from lead_assignments past cross join lateral (select * from leads where leads.id = past.lead_id offset 0) l
      where past.client_user_id = ${client} and past.assigned_at >= ${begins} and ${isWithin}
        and (past.state = 'returned' and l.status = 'returned' or past.state = 'revoked')
    ), sent as (
      select l.*, d.is_delivered, d.is_failed,
        ${isPaidBack(client)} as is_returned, (
          select sum(late.price) from late_leads late
          where late.lead_id = l.id and late.client_user_id = ${client} and late.credit = 'credited') as credited
      from came l cross join lateral (
        select bool_or(d.is_delivered) as is_delivered, bool_or(d.is_failed) as is_failed from (
          select d.state = 'delivered' as is_delivered, d.state = 'failed' as is_failed
          from webhook_deliveries d where d.lead_id = l.id and d.client_user_id = ${client}
          union all
          select p.delivered > 0, p.failed > 0 from ${pastOutcomes(client)} p
        ) d
      ) d
    ), counted as (
      select member, count(*)::int as leads, count(*) filter (where is_delivered)::int as delivered,
        count(*) filter (where is_failed and not is_delivered)::int as failed, count(*) filter (where is_returned)::int as returned,
        coalesce(sum(price), 0) as spend, coalesce(sum(case when is_returned then price else credited end), 0) as refunded,
        coalesce(sum(revenue), 0) as revenue
      from sent group by member
    ), people as (
      select user_id as member from account_members where account_id = ${client} and role = 'agent'
      union select member from counted
    )
    select people.member as member_user_id, ${memberName('p')} as name,
      case when people.member = ${client} then coalesce(m.role, 'owner') else m.role end as role,
      coalesce(counted.leads, 0) as leads, coalesce(counted.delivered, 0) as delivered, coalesce(counted.failed, 0) as failed,
      coalesce(counted.returned, 0) as returned, coalesce(counted.spend, 0)::numeric(16, 2)::text as spend,
      coalesce(counted.refunded, 0)::numeric(16, 2)::text as refunded, coalesce(counted.revenue, 0)::numeric(16, 2)::text as revenue,
      coalesce((
        select jsonb_agg(jsonb_build_object('disposition', one.disposition, 'leads', one.leads) order by one.leads desc, one.disposition)
        from (select disposition, count(*)::int as leads from sent
          where sent.member is not distinct from people.member and disposition is not null group by disposition) one), '[]') as dispositions
    from people left join counted on counted.member is not distinct from people.member
    left join profiles p on p.user_id = people.member
    left join account_members m on m.user_id = people.member and m.account_id = ${client}
    order by coalesce(counted.spend, 0) desc, coalesce(counted.leads, 0) desc, p.name, people.member`.execute(
    db,
  )
  return rows
}
