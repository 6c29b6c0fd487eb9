/** Says what each action of the audit log means, as the rest of a sentence that begins with its person. */
export const AUDIT_WORDS: Readonly<Record<string, string>> = {
  signing_keys_rotated: 'gave webhooks new Ed25519 keys',
  secrets_reset: 'replaced everything that a lost key had sealed',
  signed_up: 'signed up',
  signed_in: 'signed in',
  sign_in_failed: 'tried a wrong password',
  sign_in_blocked: 'was blocked after too many wrong passwords',
  signed_out: 'signed out',
  token_reuse_detected: 'lost a session, because its token was used twice',
  session_revoked: 'ended one of their sessions',
  session_expired: 'lost a session, because it was not used',
  email_confirmed: 'confirmed an email address',
  phone_confirmed: 'confirmed a phone',
  password_changed: 'changed the password',
  email_change_requested: 'asked to change the email address',
  email_changed: 'changed the email address',
  phone_changed: 'changed the phone',
  user_updated: 'changed the profile',
  recovery_requested: 'asked for a new password',
  magic_link_requested: 'asked for a link to sign in',
  code_requested: 'asked for a code',
  code_failed: 'typed a wrong code',
  code_verified: 'typed the right code',
  reauthentication_requested: 'asked for a code to confirm a change',
  identity_linked: 'added a way to sign in',
  identity_unlinked: 'removed a way to sign in',
  factor_enrolled: 'began to set up a second factor',
  factor_challenged: 'was asked for the second factor',
  factor_verified: 'confirmed the second factor',
  factor_failed: 'typed a wrong code of the second factor',
  factor_removed: 'removed a second factor',
  recovery_codes_made: 'made recovery codes',
  recovery_code_used: 'used a recovery code',
  user_invited: 'invited a person',
  user_created: 'created an account',
  user_updated_by_admin: 'changed an account',
  user_deleted: 'deleted an account',
  role_changed: 'changed the role',
  administrator_invited: 'invited an administrator',
  administrator_added: 'made the account an administrator',
  administrator_role_changed: 'changed an administrator’s role',
  administrator_removed: 'removed an administrator',
  second_factor_reset: 'reset the second factor',
  sessions_ended: 'ended all sessions',
  service_key_made: 'made a service key',
  service_key_revoked: 'revoked a service key',
  member_invited: 'invited a person into the account',
  member_invitation_withdrawn: 'withdrew an invitation into the account',
  member_joined: 'joined the account',
  member_role_changed: 'changed the role of a person of the account',
  member_removed: 'removed a person from the account',
  member_left: 'left the account',
  account_handed_over: 'handed the account over',
  audit_exported: 'exported the audit log',
  link_generated: 'made a link to sign in',
  security_alert: 'raised a security alert',
  return_approved: 'approved a return',
  return_denied: 'denied a return',
  return_evidence_opened: 'opened a file of a return',
  leads_exported: 'exported leads',
  leads_import_started: 'started an import of leads',
  leads_import_cancelled: 'cancelled an import of leads',
  leads_import_report_read: 'downloaded the refused rows of an import',
  leads_import_file_read: 'downloaded the file of an import',
  suppressions_added: 'added people to the suppression list',
  suppression_removed: 'took an entry off the suppression list',
  consent_revoked: 'revoked a person’s consent',
  revocation_approved: 'approved a revocation of consent',
  revocation_declined: 'declined a revocation of consent',
  client_approved: 'approved the client',
  client_suspended: 'suspended the client',
  client_resumed: 'ended the suspension of the client',
  viewed_as: 'saw the client’s screens',
  sending_paused: 'paused all sending to the client',
  sending_resumed: 'resumed all sending to the client',
  webhook_paused: 'switched off a webhook of the client',
  webhook_resumed: 'switched on a webhook of the client',
  queue_paused: 'paused a queue',
  queue_resumed: 'resumed a queue',
  client_note_added: 'wrote a note about the client',
  lead_type_created: 'created a lead type',
  lead_type_changed: 'changed a lead type',
  lead_price_set: 'set a price',
  lead_price_removed: 'removed a price',
  old_records_removed: 'removed old records, as configured',
  order_changed_by_admin: 'changed an order',
  payment_received: 'marked a payment as received',
  payment_rejected: 'rejected a payment',
  balance_adjusted: 'adjusted the balance',
  adjustment_asked: 'asked for an adjustment of the balance',
  adjustment_declined: 'declined an adjustment of the balance',
  settings_changed: 'changed the settings',
  balance_paid_out: 'paid out the balance',
  source_created: 'created a source',
  source_changed: 'changed a source',
  source_revoked: 'revoked all keys of a source',
  source_key_added: 'added a key to a source',
  source_key_revoked: 'revoked a key of a source',
  source_stopped: 'stopped a source',
  source_paused: 'paused a source',
  source_resumed: 'resumed a source',
  lead_erased: 'erased the person of a lead',
  lead_assigned_by_hand: 'assigned a lead by hand',
  lead_reassigned: 'reassigned a lead',
  lead_offered_again: 'offered a lead again',
  lead_returned_for_client: 'returned a lead for its client',
  leads_recalled: 'recalled leads of a source',
  person_erased: 'erased a person everywhere',
  person_exported: 'downloaded what is stored about a person',
  dead_letters_redriven: 'sent dead letters again',
  events_retried: 'had failed events planned again',
  mails_retried: 'had failed mails sent again',
  delivery_sent_now: 'sent a waiting delivery at once',
  contact_message_answered: 'marked a message as answered',
  contact_message_reopened: 'marked a message as not answered',
  late_lead_credited: 'had a late lead credited',
  late_lead_dismissed: 'decided against crediting a late lead',
  incident_written: 'wrote an incident on the status page',
  incident_changed: 'changed an incident of the status page',
  incident_removed: 'took an incident off the status page',
  posting_spec_shared: 'shared a posting specification',
  posting_specs_revoked: 'ended the links to a posting specification',
}

/** The action in words; a newer version's action in the words of its code. */
export function describeAudited(action: string): string {
  return Object.hasOwn(AUDIT_WORDS, action) ? (AUDIT_WORDS[action] ?? action) : action.replaceAll('_', ' ')
}

/** One field of a change, in text; empty for none. */
export interface AuditedField {
  field: string
  before: string
  after: string
}

/** The parts of a row's details: what changed, the reason, and everything else in one line. */
export function readAuditDetails(details: Readonly<Record<string, unknown>>): {
  changes: AuditedField[]
  note: string
  rest: string
} {
  const { before, after, note, ...others } = details
  const [old, next] = [asRecord(before), asRecord(after)]
  const fields = [...new Set([...Object.keys(old), ...Object.keys(next)])]
  const changes = fields
    .map((field) => ({ field, before: showValue(old[field]), after: showValue(next[field]) }))
    .filter((change) => change.before !== change.after)
  const rest = Object.entries(others).map(
    ([name, value]) => `${name.replaceAll('_', ' ')}: ${showValue(value)}`,
  )
  return { changes, note: showValue(note), rest: rest.filter((text) => !text.endsWith(': ')).join(', ') }
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {}
  return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : { value }
}

function showValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  // Our own words: `read_only` reads better as two.
  if (typeof value === 'string')
    return /^[a-z]+(?:_[a-z]+)+$/.test(value) ? value.replaceAll('_', ' ') : value
  return Array.isArray(value) && value.every((one) => typeof one !== 'object')
    ? value.map(showValue).join(', ')
    : JSON.stringify(value)
}
