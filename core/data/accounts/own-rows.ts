import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../database.ts'
import { isOfViewer } from '../market/lead-returns.ts'
import { hadBefore, isVisible, type Viewer } from '../leads/leads.ts'
import { isOfAgent } from '../webhooks/logs/told-lead.ts'

/** The kind of row that a route's `:id` names. */
export const ROW_KINDS = [
  'lead',
  'order',
  'webhook',
  'attempt',
  'seen attempt',
  'replay',
  'export',
  'evidence',
] as const
export type RowKind = (typeof ROW_KINDS)[number]

/**
 * Whether the row is one of the agent who looks. Of an attempt, its webhook and its lead must be; to see one, the webhook
 * may be shared.
 */
export async function isOwnRow(
  db: Db,
  viewer: Viewer & { member_user_id: string },
  kind: RowKind,
  id: string,
): Promise<boolean> {
  const { rows } = await sql`select where exists (${FIND[kind](viewer, id)})`.execute(db)
  return rows.length > 0
}

type Find = (viewer: Viewer & { member_user_id: string }, id: string) => RawBuilder<unknown>

const ofDelivery =
  (isSeen: boolean): Find =>
  ({ user_id, member_user_id: member }, id) =>
    sql`
    select from (
      select webhook_config_id, lead_id, event_id from webhook_deliveries where id = ${id}
      union all select webhook_config_id, lead_id, event_id from webhook_delivery_logs where id = ${id}
    ) sent join client_webhook_configs c on c.id = sent.webhook_config_id
    where c.client_user_id = ${user_id} and ${isOfAgent('sent', member)}
      and (c.member_user_id = ${member} or ${isSeen}::boolean and c.member_user_id is null)`

const FIND: Readonly<Record<RowKind, Find>> = {
  lead: (viewer, id) => sql`
    select from leads l where l.id = ${id} and (${isVisible(viewer)} or ${hadBefore(viewer)})`,
  order: ({ user_id, member_user_id }, id) => sql`
    select from orders where id = ${id} and client_user_id = ${user_id} and member_user_id = ${member_user_id}`,
  webhook: ({ user_id, member_user_id }, id) => sql`
    select from client_webhook_configs
    where id = ${id} and client_user_id = ${user_id} and member_user_id = ${member_user_id}`,
  attempt: ofDelivery(false),
  'seen attempt': ofDelivery(true),
  replay: ({ user_id, member_user_id }, id) => sql`
    select from webhook_replays r join client_webhook_configs c on c.id = r.webhook_config_id
    where r.id = ${id} and c.client_user_id = ${user_id} and c.member_user_id = ${member_user_id}`,
  export: ({ user_id, member_user_id }, id) => sql`
    select from exports
    where id = ${id} and account_id = ${user_id} and asked_by = ${member_user_id} and member_user_id = ${member_user_id}`,
  evidence: (viewer, id) => sql`
    select from stored_files f join lead_returns r on r.id = f.return_id join lead_assignments a on a.id = r.assignment_id
    where f.id = ${id} and r.client_user_id = ${viewer.user_id} and ${isOfViewer(viewer)}`,
}
