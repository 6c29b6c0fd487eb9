import type { PasswordReason } from '../auth-context.ts'

const KEY = 'leadwire.password-reason'

/** In session storage, so that a reload cannot skip the new password and other tabs do not ask for it. */
export function readPasswordReason(): PasswordReason | null {
  const kept = sessionStorage.getItem(KEY)
  return kept === 'recovery' || kept === 'invite' ? kept : null
}

export function changePasswordReason(reason: PasswordReason | null) {
  if (reason === null) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, reason)
  return reason
}
