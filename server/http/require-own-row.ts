import { isOwnRow, type RowKind } from '#core/data/accounts/own-rows.ts'
import type { Db } from '#core/data/database.ts'
import { AppError } from '#core/errors.ts'
import type { Principal } from '../identity/find-live-session.ts'
import { isUuid } from '../identity/is-uuid.ts'
import type { Route } from './route.ts'

/** Lists the kind of each path's id, and the words for one that is not there. Each path of agents with an id is here. */
const KINDS: readonly { prefix: string; kind: RowKind; missing: string }[] = [
  { prefix: '/api/v1/leads/:id', kind: 'lead', missing: 'Lead not found' },
  { prefix: '/api/v1/orders/:id', kind: 'order', missing: 'Order not found' },
  { prefix: '/api/v1/webhook-configs/:id', kind: 'webhook', missing: 'Webhook not found' },
  {
    prefix: '/api/v1/delivery-logs/:id/',
    kind: 'attempt',
    missing: 'Delivery not found, or its webhook is not yours',
  },
  // Reading one: the lead's page leads to it.
  { prefix: '/api/v1/delivery-logs/:id', kind: 'seen attempt', missing: 'Delivery not found' },
  { prefix: '/api/v1/webhook-replays/:id', kind: 'replay', missing: 'Resend not found' },
  { prefix: '/api/v1/evidence/:id', kind: 'evidence', missing: 'File not found' },
  { prefix: '/api/v1/exports/:id', kind: 'export', missing: 'Export not found' },
]

/**
 * Keeps an agent from rows of others in every route whose path names one. A path that is not listed is refused, so that
 * a forgotten one opens nothing.
 * @throws AppError not_found
 */
export async function requireOwnRow(
  db: Db,
  caller: Principal,
  { path }: Pick<Route, 'path'>,
  id: unknown,
): Promise<void> {
  const { member_user_id } = caller
  if (member_user_id === undefined || !path.includes(':id')) return
  const named = KINDS.find(
    ({ prefix }) => path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`),
  )
  const isOwn =
    named !== undefined &&
    typeof id === 'string' &&
    isUuid(id) &&
    (await isOwnRow(db, { ...caller, role: 'client', member_user_id }, named.kind, id))
  if (!isOwn) throw new AppError('not_found', named?.missing ?? 'Nothing has this id.')
}
