import { sql, type RawBuilder } from 'kysely'

/**
 * SQL: this client had the lead and gave it back, or it was taken away: the client may neither see nor receive its
 * personal data.
 */
export function hasEnded(leadId: RawBuilder<unknown>, client: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from lead_assignments ended
    where ended.lead_id = ${leadId} and ended.client_user_id = ${client} and ended.state <> 'active')`
}
