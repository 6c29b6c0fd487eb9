import { sql } from 'kysely'
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

/** A lead whole, without its timeline, deliveries with their times, and return. */
export type LeadRecord = Omit<
  LeadDetail,
  'timeline' | 'deliveries' | 'first_sent_at' | 'delivered_at' | 'return' | 'returnable'
>

type StoredRecord = Omit<LeadRecord, Told | 'consent_at' | 'trustedform_expires_at' | 'custom'> &
  StoredSummary & {
    consent_at: Date | null
    trustedform_expires_at: Date | null
    custom: string
  }

/**
 * One lead with every column that its holder may see, if this viewer may see it. Who had it before it went on to others sees what it
 * was to him, and nothing of what came after.
 */
export async function findLeadRecord(db: Db, viewer: Viewer, id: string): Promise<LeadRecord | undefined> {
  const { rows } = await sql<StoredRecord>`
    select ${summaryColumns(viewer)}, l.user_id, case when not ${isOthersNow(viewer)} then l.assigned_to end as assigned_to, l.external_id, l.first_name, l.last_name, l.alt_phone,
      l.address1, l.address2, l.county, l.zip, l.country, l.timezone, l.date_of_birth, l.age, l.gender, l.tobacco,
      l.coverage_amount::float8, l.beneficiary_name, l.best_time_to_call, l.language, l.comments, l.campaign, l.sub_id,
      l.consent_given, l.consent_text, l.consent_at, l.consent_url, host(l.consent_ip) as consent_ip,
      l.consent_user_agent, l.trustedform_cert_url, l.trustedform_expires_at, l.jornaya_leadid, l.custom::text, holding.notes
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

/** The columns of a lead that a payload can hold (core/domain/leads/lead-values.ts), for a preview with a lead of one's own. */
export async function findLeadForPayload(db: Db, viewer: Viewer, id: string) {
  const lead = await db
    .selectFrom('leads as l')
    .select([
      'id',
      'status',
      'is_test',
      'name',
      'first_name',
      'last_name',
      'email',
      'phone',
      'alt_phone',
      'address1',
      'address2',
      'city',
      'county',
      'state',
      'zip',
      'country',
      'timezone',
      'date_of_birth',
      'age',
      'gender',
      'tobacco',
      'coverage_amount',
      'beneficiary_name',
      'best_time_to_call',
      'language',
      'comments',
      sql<string>`custom::text`.as('custom'),
      'lead_type',
      'source',
      'campaign',
      'sub_id',
      'deal_size',
      'price_charged',
      'order_id',
      // Another client's order is nobody else's to read.
      sql<string | null>`(select o.name from orders o where o.id = l.order_id
        and (${viewer.role === 'admin'} or o.client_user_id = ${viewer.user_id}))`.as('order_name'),
      'consent_given',
      'consent_at',
      'consent_text',
      'consent_url',
      sql<string | null>`host(l.consent_ip)`.as('consent_ip'),
      'consent_user_agent',
      'trustedform_cert_url',
      'trustedform_expires_at',
      'jornaya_leadid',
      'created_at',
      'assigned_at',
    ])
    .where('id', '=', id)
    .where(isVisible(viewer))
    // Of one that was given back nothing is shown, and so nothing is previewed.
    .$if(viewer.role === 'client', (query) => query.where('status', '<>', 'returned'))
    .executeTakeFirst()
  return lead === undefined ? undefined : { ...lead, custom: readCustom(lead.custom) }
}
