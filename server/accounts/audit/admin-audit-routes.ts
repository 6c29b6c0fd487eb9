import { adminSecurityEventSchema, securityEventFilterSchema } from '#core/contract/accounts/admin-people.ts'
import { adminAuditFilterSchema, adminAuditRowSchema } from '#core/contract/accounts/audit.ts'
import { pageSchema } from '#core/contract/page.ts'
import { cutPage } from '#core/data/page.ts'
import { pageQuerySchema, readPage } from '#server/http/read-page.ts'
import { route } from '#server/http/route.ts'
import { exportAudit } from './export-audit.ts'
import { readAdminAudit } from './read-admin-audit.ts'
import { listAllSecurityEvents } from './security-events.ts'

/** The audit log and the security events of all accounts, for administrators. */
export const adminAuditRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/audit',
    who: 'admin',
    summary: 'List the audit log of all accounts, newest first',
    description:
      'It can be limited to an account, a person who acted, an action, a time, and to changes by administrators and programs. Email addresses and phones are masked.',
    query: pageQuerySchema.extend(adminAuditFilterSchema.shape),
    answers: { 200: pageSchema(adminAuditRowSchema) },
    handle: async ({ context, query }) => {
      const page = readPage(query)
      const { rows, next_cursor } = cutPage(await readAdminAudit(context.db, query, page), page.limit)
      return { status: 200, json: { data: rows.map(({ position: _position, ...row }) => row), next_cursor } }
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/audit.csv',
    who: 'admin',
    isDownload: true,
    summary: 'Download the audit log as a CSV file',
    description: 'It takes the filters of the list. The download itself is in the log.',
    query: adminAuditFilterSchema,
    answers: { 200: null },
    handle: async ({ context, caller, from, query }) => ({
      status: 200,
      type: 'text/csv; charset=utf-8',
      headers: { 'Content-Disposition': 'attachment; filename="audit.csv"' },
      pieces: await exportAudit(context, { caller, from }, query),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/security-events',
    who: 'admin',
    summary: 'List the security events and alerts of all accounts, newest first',
    query: pageQuerySchema.extend(securityEventFilterSchema.shape),
    answers: { 200: pageSchema(adminSecurityEventSchema) },
    handle: async ({ context, query }) => {
      const page = readPage(query)
      const { rows, next_cursor } = cutPage(await listAllSecurityEvents(context.db, query, page), page.limit)
      return { status: 200, json: { data: rows.map(({ position: _position, ...row }) => row), next_cursor } }
    },
  }),
]
