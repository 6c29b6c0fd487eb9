import { PERMISSIONS_OF_MEMBER, type MemberRole } from '#core/contract/accounts/member-role.ts'
import { REALTIME_TABLES, type RealtimeTable } from '#core/contract/realtime/realtime-tables.ts'
import { PERMISSION_OF_TABLE } from '#core/contract/rows/row-tables.ts'

/** THE answer to "which tables may this role hear?"; an agent hears only own rows of them. */
export function listHeardTables(role: MemberRole): ReadonlySet<RealtimeTable> {
  const mayRead = PERMISSIONS_OF_MEMBER[role]
  return new Set(REALTIME_TABLES.filter((table) => mayRead.includes(PERMISSION_OF_TABLE[table])))
}
