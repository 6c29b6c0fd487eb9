import type { TestApp } from '../support/start-app.ts'

/** All that the audit log says of a user, oldest first. */
export async function readAuditOf({ context }: TestApp, userId: string) {
  return await context.db
    .selectFrom('auth.audit_log')
    .select(['action', 'details'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}
