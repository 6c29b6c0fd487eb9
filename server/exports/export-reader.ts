import { EXPORT_KINDS, PERMISSION_OF_EXPORT, type ExportKind } from '#core/contract/exports/export.ts'
import { PERMISSIONS_OF_MEMBER } from '#core/contract/accounts/member-role.ts'
import type { ExportReader } from '#core/data/exports/exports.ts'
import { actForAccount } from '../identity/act-for-account.ts'
import type { Principal } from '../identity/find-live-session.ts'

/** The exports that this person may read. */
export function readerOf({ user_id, person_id, member_role, member_user_id, role }: Principal): ExportReader {
  const may = PERMISSIONS_OF_MEMBER[member_role]
  return {
    account_id: user_id,
    asked_by: person_id,
    kinds: EXPORT_KINDS.filter((kind) => may.includes(PERMISSION_OF_EXPORT[kind])),
    member_user_id,
    is_admin: role === 'admin',
  }
}

/** @throws AppError forbidden if the person's role does not include rows of this kind */
export function requireKind(caller: Principal, kind: ExportKind): void {
  actForAccount(caller, PERMISSION_OF_EXPORT[kind])
}
