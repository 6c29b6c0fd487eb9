import {
  NEED_KINDS,
  NEEDS_COUNTED,
  NEEDS_LISTED,
  UNSOLD_COUNTED,
  type NeedKind,
  type Needs,
} from '#core/contract/operations/needs.ts'
import type { Db } from '#core/data/database.ts'
import { findNeeds, findUnsold, type FoundNeeds } from '#core/data/operations/needs.ts'
import { isInTrouble } from '#core/domain/webhooks/endpoint-status.ts'
import { showTroubledEndpoints } from '../show-troubled-endpoints.ts'

/**
 * Everything that waits for an administrator: how much of each kind, and the first of it. A kind of which
 * nothing waits is left out: pages of the version before cannot read an answer that names a new kind.
 */
export async function showNeeds(db: Db): Promise<Needs> {
  const found = await Promise.all(NEED_KINDS.map((kind) => find(db, kind)))
  const groups = found.map(({ count, items, more = false }, index) => {
    const kind = NEED_KINDS[index] ?? 'approval'
    const counted = kind === 'unsold' ? UNSOLD_COUNTED : NEEDS_COUNTED
    return { kind, count: Math.min(count, counted), more: more || count > counted, items }
  })
  return { data: groups.filter(({ count }) => count > 0) }
}

async function find(db: Db, kind: NeedKind): Promise<FoundNeeds & { more?: boolean }> {
  if (kind === 'unsold') return await findUnsold(db)
  if (kind === 'endpoint') return await findEndpoints(db)
  return await findNeeds(db, kind)
}

async function findEndpoints(db: Db): Promise<FoundNeeds & { more: boolean }> {
  const { endpoints, more } = await showTroubledEndpoints(db)
  const troubled = endpoints.filter(isInTrouble)
  return {
    more,
    count: troubled.length,
    items: troubled.slice(0, NEEDS_LISTED).map((endpoint) => ({
      id: endpoint.webhook_config_id,
      name: endpoint.client.name,
      detail: endpoint.webhook_name,
      amount: null,
      leads: endpoint.waiting,
      at: endpoint.failing_since,
    })),
  }
}
