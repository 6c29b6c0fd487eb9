import { auditRowSchema, type AuditRow } from '#core/contract/accounts/audit.ts'
import type { TestApp } from '../support/start-app.ts'

/**
 * Returns the audit rows of an action as administrators see them, newest first. @param userId limits them to
 * one account
 */
export async function readAudit(app: TestApp, action: string, userId?: string): Promise<AuditRow[]> {
  const whose = userId === undefined ? '' : `&user_id=${userId}`
  const path = `/api/v1/admin/audit?action=${action}&limit=100${whose}`
  const { json } = await app.call('GET', path, { token: app.admin.token })
  return auditRowSchema.array().parse(json.data)
}
