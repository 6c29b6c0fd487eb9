import { ADMIN_ROLE_WORDS } from '#core/contract/accounts/admin-role-words.ts'
import type { AdminRole } from '#core/contract/accounts/admin-role.ts'
import { words } from '#web/format/words.ts'

export function nameRole(role: AdminRole) {
  return words(ADMIN_ROLE_WORDS[role])
}

/** The roles with what each may change, in the order of the server's table. */
export const ROLE_OPTIONS: readonly { value: AdminRole; label: string; hint: string }[] = [
  { value: 'owner', label: nameRole('owner'), hint: 'Everything, with people and settings' },
  { value: 'finance', label: nameRole('finance'), hint: 'Balances, payments, returns and prices' },
  { value: 'support', label: nameRole('support'), hint: 'Clients, orders, leads, sources and deliveries' },
  { value: 'read_only', label: nameRole('read_only'), hint: 'Reads everything and changes nothing' },
]
