import type { PendingAdjustment } from '#core/contract/market/money/pending-adjustment.ts'
import { listAdministrators } from '#core/data/accounts/list-administrators.ts'
import type { Db } from '#core/data/database.ts'
import { listAdjustments, type StoredAdjustment } from '#core/data/market/money/pending-adjustments.ts'
import { cutPage, type PagePosition } from '#core/data/page.ts'
import { judgeConfirming } from '#core/domain/market/judge-adjustment.ts'
import type { Principal } from '../../../identity/find-live-session.ts'
import { hasPermission } from '../../../identity/judge-admin.ts'

type Reader = Pick<Principal, 'user_id' | 'admin_role'>

/** One pending adjustment, as this administrator sees it. */
export async function showAdjustment(
  db: Db,
  reader: Reader,
  stored: StoredAdjustment,
): Promise<PendingAdjustment> {
  return describe(stored, reader, await countOthers(db, reader.user_id))
}

/** A page of pending adjustments, newest first. */
export async function showAdjustments(
  db: Db,
  reader: Reader,
  filter: { status?: PendingAdjustment['status'] | undefined },
  page: { limit: number; after: PagePosition | undefined },
): Promise<{ data: PendingAdjustment[]; next_cursor: string | null }> {
  const { rows, next_cursor } = cutPage(await listAdjustments(db, filter, page), page.limit)
  const others = await countOthers(db, reader.user_id)
  return { data: rows.map(({ position: _position, ...row }) => describe(row, reader, others)), next_cursor }
}

/** How many active administrators beside this one may move money. */
export async function countOthers(db: Db, userId: string): Promise<number> {
  return (await listAdministrators(db, 'money')).filter((admin) => admin !== userId).length
}

function describe(stored: StoredAdjustment, reader: Reader, others: number): PendingAdjustment {
  const { client_user_id, asked_by_id, ...rest } = stored
  const asked = { asked_by: asked_by_id, client_user_id }
  if (stored.status !== 'pending') return { ...rest, confirmable: null }
  const { user_id } = reader
  const confirmable = hasPermission(reader, 'money') ? judgeConfirming(asked, { user_id, others }) : 'no'
  return { ...rest, confirmable }
}
