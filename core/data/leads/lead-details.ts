import { sql } from 'kysely'
import { DETAIL_FIELDS, LEAD_FIELDS, PAYLOAD_FIELDS } from '#core/contract/leads/lead-fields.ts'
import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import type { Db } from '../database.ts'
import { readCustom } from '#core/contract/leads/read-custom.ts'
import { hideReturnedLead } from './hide-returned-lead.ts'
import {
  hadBefore,
  isOthersNow,
  isoTime,
  isVisible,
  readSummary,
  summaryColumns,
  type StoredSummary,
  type Told,
  type Viewer,
} from './leads.ts'

/** A whole lead, without its timeline, deliveries with their times, and return. */
export type LeadRecord = Omit<
  LeadDetail,
  | 'outcomes'
  | 'late'
  | 'revocation'
  | 'timeline'
  | 'deliveries'
  | 'first_sent_at'
  | 'delivered_at'
  | 'return'
  | 'returnable'
>

type StoredRecord = Omit<LeadRecord, Told | 'consent_at' | 'trustedform_expires_at' | 'custom'> &
  StoredSummary & {
    consent_at: Date | null
    trustedform_expires_at: Date | null
    custom: string
  }

/** The columns of the lead `l` that only its page shows. */
const detailColumns = sql.raw(
  DETAIL_FIELDS.map((name) => {
    const { kind } = LEAD_FIELDS[name]
    if (kind === 'ip') return `host(l.${name}) as ${name}`
    return kind === 'amount' ? `l.${name}::float8` : `l.${name}`
  }).join(', '),
)

/**
 * Reads one lead with every column that its holder may see, if this viewer may see it. A client that had the lead
 * before another client got it sees its own part, and nothing that came after.
 */
export async function findLeadRecord(db: Db, viewer: Viewer, id: string): Promise<LeadRecord | undefined> {
  const { rows } = await sql<StoredRecord>`
    select ${summaryColumns(viewer)}, l.user_id, case when not ${isOthersNow(viewer)} then l.assigned_to end as assigned_to,
      ${detailColumns}, l.custom::text, holding.notes
    from leads l
    left join lead_assignments holding on holding.lead_id = l.id and holding.state = 'active'
      and (${viewer.role === 'admin'} or holding.client_user_id = ${viewer.user_id})
    where l.id = ${id} and (${isVisible(viewer)} or ${hadBefore(viewer)})
  `.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  return hideReturnedLead(viewer, {
    ...readSummary(row),
    consent_at: isoTime(row.consent_at),
    trustedform_expires_at: isoTime(row.trustedform_expires_at),
    custom: readCustom(row.custom),
  })
}

/** All fields except `consent_ip`, whose type `inet` is read by host(). */
const payloadColumns = PAYLOAD_FIELDS.filter((name) => name !== 'consent_ip')

/**
 * Reads the columns of a lead that a payload can hold (core/domain/leads/lead-values.ts), for a preview with one of the
 * client's own leads.
 */
export async function findLeadForPayload(db: Db, viewer: Viewer, id: string) {
  const lead = await db
    .selectFrom('leads as l')
    .select([
      'id',
      'status',
      ...payloadColumns,
      sql<string>`custom::text`.as('custom'),
      'price_charged',
      'order_id',
      // An order is shown only to its own client, and an agent's only to that agent.
      sql<string | null>`(select o.name from orders o where o.id = l.order_id
        and (${viewer.role === 'admin'} or o.client_user_id = ${viewer.user_id})
        and (${viewer.member_user_id ?? null}::uuid is null or o.member_user_id = ${viewer.member_user_id ?? null}))`.as(
        'order_name',
      ),
      sql<string | null>`host(l.consent_ip)`.as('consent_ip'),
      'created_at',
      'assigned_at',
    ])
    .where('id', '=', id)
    .where(isVisible(viewer))
    // Nothing of a returned lead is shown, so it cannot be previewed.
    .$if(viewer.role === 'client', (query) => query.where('status', '<>', 'returned'))
    .executeTakeFirst()
  return lead === undefined ? undefined : { ...lead, custom: readCustom(lead.custom) }
}
