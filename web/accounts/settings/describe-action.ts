import { words } from '#web/format/words.ts'

const SENTENCES: Readonly<Record<string, string>> = {
  signed_up: 'Account created',
  signed_in: 'Signed in',
  sign_in_failed: 'Wrong password',
  sign_in_blocked: 'Sign-in blocked after too many wrong passwords',
  signed_out: 'Signed out',
  token_reuse_detected: 'A session was ended because its token was used twice',
  session_expired: 'A session ended because it was not used',
  session_revoked: 'A session was signed out from the settings',
  email_confirmed: 'Email confirmed',
  phone_confirmed: 'Phone confirmed',
  password_changed: 'Password changed',
  email_change_requested: 'Email change requested',
  email_changed: 'Email changed',
  phone_changed: 'Phone changed',
  user_updated: 'Profile changed',
  recovery_requested: 'Password reset requested',
  magic_link_requested: 'Sign-in email requested',
  code_requested: 'One-time code requested',
  code_failed: 'Wrong one-time code',
  reauthentication_requested: 'Confirmation code requested',
  identity_linked: 'Another way to sign in added',
  identity_unlinked: 'A way to sign in removed',
  factor_enrolled: 'Setup of a second factor started',
  factor_challenged: 'Second-factor code requested',
  factor_verified: 'Second factor confirmed',
  factor_failed: 'Wrong second-factor code',
  factor_removed: 'Second factor removed',
  recovery_codes_made: 'Recovery codes made',
  recovery_code_used: 'A recovery code was used',
  user_invited: 'Invited by an administrator',
  user_created: 'Account created by an administrator',
  user_updated_by_admin: 'Account changed by an administrator',
  user_deleted: 'Account deleted',
  role_changed: 'Role changed',
  second_factor_reset: 'Second factor reset by an administrator',
  sessions_ended: 'Signed out everywhere by an administrator',
  link_generated: 'A link was made by an administrator',
  security_alert: 'Security alert',
}

/** Returns the label of an action in the audit log. */
export function describeAction(action: string) {
  return Object.hasOwn(SENTENCES, action) ? (SENTENCES[action] ?? words(action)) : words(action)
}
