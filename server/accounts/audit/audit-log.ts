import type { AuditActor, Metadata } from '#core/data/schema/account-tables.ts'
import type { Db } from '#core/data/database.ts'
import type { Caller } from '#server/identity/caller.ts'
import { eventOfAction, raiseAlerts } from './raise-alerts.ts'

/** Actions about an account that several people may have, and not about one of them. */
export const ACCOUNT_ACTIONS = [
  'member_invited',
  'member_invitation_withdrawn',
  'member_joined',
  'member_role_changed',
  'member_removed',
  'member_left',
  'account_handed_over',
  // actions of the market (server/market/audit-change.ts)
  'return_approved',
  'leads_exported',
  'leads_import_started',
  'leads_import_cancelled',
  'leads_import_report_read',
  'leads_import_file_read',
  'return_denied',
  'return_evidence_opened',
  'suppressions_added',
  'suppression_removed',
  'consent_revoked',
  'revocation_approved',
  'revocation_declined',
  'client_approved',
  'client_suspended',
  'client_resumed',
  'client_note_added',
  'viewed_as',
  'sending_paused',
  'sending_resumed',
  'webhook_paused',
  'webhook_resumed',
  'queue_paused',
  'queue_resumed',
  'lead_type_created',
  'lead_type_changed',
  'lead_price_set',
  'lead_price_removed',
  'old_records_removed',
  'order_changed_by_admin',
  'payment_received',
  'payment_rejected',
  'balance_adjusted',
  'adjustment_asked',
  'adjustment_declined',
  'settings_changed',
  'balance_paid_out',
  'source_created',
  'source_changed',
  'source_revoked',
  'source_key_added',
  'source_key_revoked',
  'source_stopped',
  'source_paused',
  'source_resumed',
  'lead_erased',
  'lead_assigned_by_hand',
  'lead_reassigned',
  'lead_offered_again',
  'lead_returned_for_client',
  'leads_recalled',
  'person_erased',
  'person_exported',
  'dead_letters_redriven',
  'events_retried',
  'mails_retried',
  'delivery_sent_now',
  'contact_message_answered',
  'contact_message_reopened',
  'late_lead_credited',
  'late_lead_dismissed',
  'incident_written',
  'incident_changed',
  'incident_removed',
  'posting_spec_shared',
  'posting_specs_revoked',
] as const

export const AUDIT_ACTIONS = [
  'signing_keys_rotated',
  'secrets_reset',
  'signed_up',
  'signed_in',
  'sign_in_failed',
  'sign_in_blocked',
  'signed_out',
  'token_reuse_detected',
  'session_revoked',
  'session_expired',
  'email_confirmed',
  'phone_confirmed',
  'password_changed',
  'email_change_requested',
  'email_changed',
  'phone_changed',
  'user_updated',
  'recovery_requested',
  'magic_link_requested',
  'code_requested',
  'code_failed',
  'code_verified',
  'reauthentication_requested',
  'identity_linked',
  'identity_unlinked',
  'factor_enrolled',
  'factor_challenged',
  'factor_verified',
  'factor_failed',
  'factor_removed',
  'recovery_codes_made',
  'recovery_code_used',
  'user_invited',
  'user_created',
  'user_updated_by_admin',
  'user_deleted',
  'role_changed',
  'administrator_invited',
  'administrator_added',
  'administrator_role_changed',
  'administrator_removed',
  'second_factor_reset',
  'sessions_ended',
  'service_key_made',
  'service_key_revoked',
  'audit_exported',
  'link_generated',
  'security_alert',
  ...ACCOUNT_ACTIONS,
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export interface AuditEntry {
  action: AuditAction
  /** the account that the row is about; null if no account has that name */
  user_id: string | null
  actor?: AuditActor
  /** the person who did it, if that is not the account's owner */
  actor_id?: string | null
  session_id?: string | null
  caller: Caller
  /** ids, counts and fixed words; never an address, a phone, a code or a token */
  details?: Metadata
}

/**
 * Writes a row that can never be changed. Call it in the transaction of the change that it reports, so that
 * neither exists without the other. If there were too many rows of this kind in a few minutes, it also raises
 * an alert (docs/product.md §9).
 */
export async function writeAudit(db: Db, entry: AuditEntry): Promise<void> {
  const actor = entry.actor ?? (entry.user_id === null ? 'nobody' : 'user')
  await db
    .insertInto('auth.audit_log')
    .values({
      action: entry.action,
      user_id: entry.user_id,
      actor,
      actor_id: entry.actor_id ?? (actor === 'user' ? entry.user_id : null),
      session_id: entry.session_id ?? null,
      ip: entry.caller.ip,
      user_agent: entry.caller.user_agent,
      details: JSON.stringify(entry.details ?? {}),
    })
    .execute()
  const event = eventOfAction(entry.action)
  const { user_id, caller } = entry
  if (event !== undefined) await raiseAlerts(db, event, { user_id, ip: caller.ip }, caller)
}
