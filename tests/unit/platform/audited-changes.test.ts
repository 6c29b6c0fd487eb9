import { expect, test } from 'vitest'
import { AUDIT_ACTIONS } from '#server/accounts/audit/audit-log.ts'
import { AUDIT_WORDS } from '#core/domain/accounts/audit-words.ts'
import { apiRoutes } from '#server/api-routes.ts'

/** The audit log's action for each change by an administrator; after a dash, the reason why there is none. */
const AUDITED: Readonly<Record<string, string>> = {
  'POST /api/v1/admin/leads/:id/erase': 'lead_erased',
  'POST /api/v1/admin/leads/:id/reassign': 'lead_reassigned',
  'POST /api/v1/admin/leads/:id/offer-again': 'lead_offered_again',
  'POST /api/v1/admin/leads/:id/return': 'lead_returned_for_client',
  'POST /api/v1/admin/leads/:id/suppress': 'suppressions_added',
  'POST /api/v1/admin/lead-recalls': 'leads_recalled',
  'POST /api/v1/admin/revocations': 'consent_revoked',
  'POST /api/v1/admin/revocations/:id/approve': 'revocation_approved',
  'POST /api/v1/admin/revocations/:id/decline': 'revocation_declined',
  'POST /api/v1/admin/data-subjects/find': '- nothing is changed',
  'POST /api/v1/admin/data-subjects/erase': 'person_erased',
  'POST /api/v1/admin/data-subjects/export': 'person_exported',
  'POST /api/v1/admin/sources': 'source_created',
  'PATCH /api/v1/admin/sources/:id': 'source_changed',
  'DELETE /api/v1/admin/sources/:id': 'source_revoked',
  'POST /api/v1/admin/sources/:id/keys': 'source_key_added',
  'DELETE /api/v1/admin/source-keys/:id': 'source_key_revoked',
  'POST /api/v1/admin/sources/:id/stop': 'source_stopped',
  'POST /api/v1/admin/sources/:id/pause': 'source_paused',
  'POST /api/v1/admin/sources/:id/resume': 'source_resumed',
  'POST /api/v1/admin/sources/:id/posting-spec': 'posting_spec_shared',
  'DELETE /api/v1/admin/sources/:id/posting-spec': 'posting_specs_revoked',
  'POST /api/v1/admin/imports': '- nothing becomes a lead before it is started',
  'POST /api/v1/admin/imports/:id/bytes': '- nothing becomes a lead before it is started',
  'POST /api/v1/admin/imports/:id/preview': '- nothing is changed',
  'POST /api/v1/admin/imports/:id/start': 'leads_import_started',
  'POST /api/v1/admin/imports/:id/cancel': 'leads_import_cancelled',
  'POST /api/v1/admin/imports/:id/file/open': 'leads_import_file_read',
  'POST /api/v1/admin/evidence/:id/open': 'return_evidence_opened',
  'POST /api/v1/admin/returns/:id/approve': 'return_approved',
  'POST /api/v1/admin/returns/:id/deny': 'return_denied',
  'POST /api/v1/admin/dead-letters/redrive': 'dead_letters_redriven',
  'POST /api/v1/admin/retry-failed': 'events_retried',
  'POST /api/v1/admin/queues-session': '- a cookie to look at queues with',
  'PATCH /api/v1/admin/contact-messages/:id': 'contact_message_answered',
  'POST /api/v1/admin/late-leads/:id/decide': 'late_lead_credited',
  'POST /api/v1/admin/incidents': 'incident_written',
  'PATCH /api/v1/admin/incidents/:id': 'incident_changed',
  'DELETE /api/v1/admin/incidents/:id': 'incident_removed',
  'POST /api/v1/admin/clients/:id/approve': 'client_approved',
  'POST /api/v1/admin/clients/:id/suspend': 'client_suspended',
  'POST /api/v1/admin/clients/:id/resume': 'client_resumed',
  'POST /api/v1/admin/clients/:id/adjust': 'balance_adjusted',
  'POST /api/v1/admin/clients/:id/pay-out': 'balance_paid_out',
  'POST /api/v1/admin/pending-adjustments/:id/confirm': 'balance_adjusted',
  'POST /api/v1/admin/pending-adjustments/:id/decline': 'adjustment_declined',
  'PATCH /api/v1/admin/settings': 'settings_changed',
  'POST /api/v1/admin/clients/:id/pause-sending': 'sending_paused',
  'POST /api/v1/admin/clients/:id/resume-sending': 'sending_resumed',
  'POST /api/v1/admin/clients/:id/notes': 'client_note_added',
  'POST /api/v1/admin/clients/:id/resend-failed': 'dead_letters_redriven',
  'POST /api/v1/admin/lead-types': 'lead_type_created',
  'PATCH /api/v1/admin/lead-types': 'lead_type_changed',
  'POST /api/v1/admin/lead-prices': 'lead_price_set',
  'DELETE /api/v1/admin/lead-prices/:id': 'lead_price_removed',
  'PATCH /api/v1/admin/orders/:id': 'order_changed_by_admin',
  'POST /api/v1/admin/suppressions': 'suppressions_added',
  'POST /api/v1/admin/suppressions/find': '- nothing is changed',
  'DELETE /api/v1/admin/suppressions/:id': 'suppression_removed',
  'POST /api/v1/admin/payments/:id/receive': 'payment_received',
  'POST /api/v1/admin/payments/:id/reject': 'payment_rejected',
  'POST /api/v1/admin/people': 'administrator_invited',
  'POST /api/v1/admin/people/find': '- nothing is changed',
  'PATCH /api/v1/admin/people/:id': 'administrator_role_changed',
  'DELETE /api/v1/admin/people/:id': 'administrator_removed',
  'POST /api/v1/admin/people/:id/reset-factor': 'second_factor_reset',
  'POST /api/v1/admin/people/:id/end-sessions': 'sessions_ended',
  'POST /api/v1/admin/service-keys': 'service_key_made',
  'POST /api/v1/admin/service-keys/:id/revoke': 'service_key_revoked',
}

/**
 * Changes of money or people with the field of their reason; `?` marks one that the published body has as
 * optional.
 */
const REASONS: Readonly<Record<string, string>> = {
  'POST /api/v1/admin/leads/:id/erase': 'reason',
  'POST /api/v1/admin/leads/:id/reassign': 'reason',
  'POST /api/v1/admin/leads/:id/offer-again': 'reason',
  'POST /api/v1/admin/leads/:id/return': 'note',
  'POST /api/v1/admin/leads/:id/suppress': 'note',
  'POST /api/v1/admin/lead-recalls': 'reason',
  'POST /api/v1/admin/revocations': 'reason',
  'POST /api/v1/admin/revocations/:id/approve': 'note?',
  'POST /api/v1/admin/revocations/:id/decline': 'note',
  'POST /api/v1/admin/data-subjects/erase': 'reason',
  'POST /api/v1/admin/data-subjects/export': 'reason',
  'POST /api/v1/rpc/assign_lead_to_buyer_concurrent': 'reason_param?',
  'POST /api/v1/admin/clients/:id/approve': 'note?',
  'POST /api/v1/admin/clients/:id/suspend': 'reason',
  'POST /api/v1/admin/clients/:id/resume': 'note?',
  'POST /api/v1/admin/clients/:id/adjust': 'note',
  'POST /api/v1/admin/clients/:id/pay-out': 'note',
  'POST /api/v1/admin/clients/:id/resend-failed': 'note',
  'POST /api/v1/admin/pending-adjustments/:id/confirm': 'note',
  'POST /api/v1/admin/pending-adjustments/:id/decline': 'note',
  'PATCH /api/v1/admin/settings': 'note',
  'POST /api/v1/admin/clients/:id/pause-sending': 'reason',
  'POST /api/v1/admin/clients/:id/resume-sending': 'note',
  'POST /api/v1/admin/late-leads/:id/decide': 'note',
  'POST /api/v1/admin/lead-types': 'note?',
  'PATCH /api/v1/admin/lead-types': 'note?',
  'POST /api/v1/admin/lead-prices': 'note?',
  'DELETE /api/v1/admin/lead-prices/:id': 'note?',
  'PATCH /api/v1/admin/orders/:id': 'note?',
  'POST /api/v1/admin/suppressions': 'reason',
  'DELETE /api/v1/admin/suppressions/:id': 'note?',
  'POST /api/v1/admin/payments/:id/receive': 'note?',
  'POST /api/v1/admin/payments/:id/reject': 'note?',
  'POST /api/v1/admin/returns/:id/approve': 'note?',
  'POST /api/v1/admin/returns/:id/deny': 'note?',
  'POST /api/v1/admin/sources/:id/stop': 'reason',
  'POST /api/v1/admin/sources/:id/pause': 'reason',
  'POST /api/v1/admin/sources/:id/resume': 'reason',
  'POST /api/v1/admin/dead-letters/redrive': 'note?',
  'POST /api/v1/admin/people': 'reason',
  'PATCH /api/v1/admin/people/:id': 'reason',
  'DELETE /api/v1/admin/people/:id': 'reason',
  'POST /api/v1/admin/people/:id/reset-factor': 'reason',
  'POST /api/v1/admin/people/:id/end-sessions': 'reason',
  'POST /api/v1/admin/service-keys': 'reason',
  'POST /api/v1/admin/service-keys/:id/revoke': 'reason',
}

test.each(Object.entries(REASONS))('%s takes its reason in %s', (name, field) => {
  const route = apiRoutes.find(({ method, path }) => `${method.toUpperCase()} ${path}` === name)
  const reason = field.replace('?', '')
  const isRefused = (given: object) => {
    const issues = route?.body?.safeParse(given).error?.issues ?? []
    return issues.some(({ path }) => path[0] === reason)
  }
  expect(isRefused({})).toBe(!field.endsWith('?'))
  expect(isRefused({ [reason]: 1 })).toBe(true)
})

test('each change by an administrator has an audit action, or a documented reason for none', () => {
  const changes = apiRoutes.filter(({ method, who }) => method !== 'get' && who === 'admin')
  const names = changes.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  expect(Object.keys(AUDITED).toSorted()).toEqual(names.toSorted())
  const actions = Object.values(AUDITED).filter((said) => !said.startsWith('- '))
  expect(actions.filter((action) => !AUDIT_ACTIONS.some((known) => known === action))).toEqual([])
})

test('each action of the audit log has words', () => {
  expect(AUDIT_ACTIONS.filter((action) => AUDIT_WORDS[action] === undefined)).toEqual([])
})
