import { PERMISSIONS_OF_MEMBER } from '#core/contract/accounts/member-role.ts'
import { PERMISSION_OF_EXPORT, type ExportKind } from '#core/contract/exports/export.ts'
import type { Db } from '#core/data/database.ts'
import { findAsker } from '#core/data/exports/find-asker.ts'
import type { Viewer } from '#core/data/leads/leads.ts'

/**
 * Decides whose rows an export contains now, because the person's role may have changed since they asked.
 * @returns undefined if the person may not read these rows any more
 */
export async function judgeAsker(
  db: Db,
  asked: {
    account_id: string
    asked_by: string
    member_user_id: string | null
    is_of_all: boolean
    kind: ExportKind
  },
): Promise<Viewer | undefined> {
  const asker = await findAsker(db, asked.asked_by)
  if (asker === undefined || asker.is_blocked || asker.account_id !== asked.account_id) return undefined
  const { role, member_role } = asker
  if (asked.is_of_all) return role === 'admin' ? { user_id: asked.account_id, role } : undefined
  if (!PERMISSIONS_OF_MEMBER[member_role].includes(PERMISSION_OF_EXPORT[asked.kind])) return undefined
  const own = asked.member_user_id ?? undefined
  if (member_role === 'agent' && own !== asked.asked_by) return undefined
  return { user_id: asked.account_id, role: 'client', ...(own !== undefined && { member_user_id: own }) }
}
