import type { AdminRole } from './admin-role.ts'

/** The roles in words, as screens and refusals show them. */
export const ADMIN_ROLE_WORDS: Readonly<Record<AdminRole, string>> = {
  owner: 'owner',
  finance: 'finance',
  support: 'support',
  read_only: 'read-only',
}
