import { sql } from 'kysely'
import { leadStorySchema, type LeadStory } from '#core/contract/leads/admin-lead.ts'
import { readStored } from '#core/read-stored.ts'
import type { Db } from '../database.ts'
import { namedClient } from '../accounts/named-client.ts'
import { restOfPrice } from '../market/late/rest-of-price.ts'
import { evidenceOf } from '../market/return-evidence.ts'

/** SQL's text of a moment, as the API writes it. */
const moment = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** SQL: every assignment `a` of the lead `l`; each half has an index. */
const ASSIGNMENTS = sql`(
  select * from lead_assignments h where h.lead_id = l.id and h.state = 'active'
  union all select * from lead_assignments h where h.lead_id = l.id and h.state <> 'active') a`

/** The receipt of a lead, its holders, and the money that moved for it; undefined if there is no such lead. */
export async function readLeadStory(db: Db, id: string): Promise<LeadStory | undefined> {
  const { rows } = await sql<{ story: unknown }>`
    select jsonb_build_object('id', l.id,
      'receipt', jsonb_build_object(
        'source', (select jsonb_build_object('id', s.id, 'name', s.name) from sources s where s.id = l.source_id),
        'owner', ${namedClient(sql`l.user_id`)}, 'external_id', l.external_id, 'idempotency_key', l.idempotency_key,
        'received_at', ${moment('l.created_at')}, 'expires_at', ${moment('l.expires_at')},
        'erased_at', ${moment('l.redacted_at')}, 'consent_revoked_at', ${moment('l.consent_revoked_at')},
        'duplicate_of', l.duplicate_of, 'reject_reason', l.reject_reason, 'cost', l.cost::text),
      'holders', coalesce((
        select jsonb_agg(jsonb_build_object('assignment_id', a.id, 'client', ${namedClient(sql`a.client_user_id`)},
          'order', (select jsonb_build_object('id', o.id, 'name', o.name) from orders o where o.id = a.order_id),
          'price', a.price::text, 'state', a.state, 'assigned_at', ${moment('a.assigned_at')},
          'first_viewed_at', ${moment('a.first_viewed_at')}, 'disposition', a.disposition) order by a.assigned_at, a.id)
        from ${ASSIGNMENTS}), '[]'),
      'money', coalesce((
        select jsonb_agg(jsonb_build_object('id', e.id::text, 'created_at', ${moment('e.created_at')},
          'client', ${namedClient(sql`e.client_user_id`)}, 'entry_type', e.entry_type, 'amount', e.amount::text,
          'balance_after', e.balance_after::text) order by e.id)
        from (
          select e.* from ${ASSIGNMENTS} join balance_ledger e on e.entry_type = 'lead_purchase' and e.reference_id = a.id::text
          union all
          select e.* from ${ASSIGNMENTS} join balance_ledger e on e.entry_type = 'late_credit' and e.reference_id = a.id::text
          union all
          select e.* from lead_returns r join balance_ledger e on e.entry_type = 'lead_return' and e.reference_id = r.id::text
          where r.lead_id = l.id) e), '[]'),
      'returns', coalesce((
        select jsonb_agg(jsonb_build_object('id', r.id, 'lead_id', r.lead_id, 'reason', r.reason, 'note', r.note,
          'status', r.status, 'asked_by', r.asked_by, 'price', ${restOfPrice('a')}::text, 'created_at', ${moment('r.created_at')},
          'decided_at', ${moment('r.decided_at')}, 'decision_note', r.decision_note, 'evidence', ${evidenceOf(sql`r.id`)},
          'client', ${namedClient(sql`r.client_user_id`)}) order by r.created_at, r.id)
        from lead_returns r join lead_assignments a on a.id = r.assignment_id where r.lead_id = l.id), '[]')) as story
    from leads l where l.id = ${id}`.execute(db)
  const [row] = rows
  return row && readStored(leadStorySchema, row.story, 'the story of a lead')
}
