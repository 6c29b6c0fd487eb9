import {
  keptSecurityEventSchema,
  ownAuditRowSchema,
  type AuditRow,
  type OwnAuditRow,
} from '#core/contract/accounts/audit.ts'
import { pageSchema } from '#core/contract/page.ts'
import { cutPage } from '#core/data/page.ts'
import { readAuditLog } from './read-audit-log.ts'
import { listSecurityEvents } from './security-events.ts'
import { pageQuerySchema, readPage } from '#server/http/read-page.ts'
import { route } from '#server/http/route.ts'

/** The audit log and the security events of one's own account. */
export const auditRoutes = [
  route({
    method: 'get',
    path: '/api/v1/me/audit',
    who: 'user',
    may: 'self',
    summary: 'List the audit log of your own account, newest first',
    description: 'It has the rows about you, and those about the account of which you are an owner.',
    query: pageQuerySchema,
    answers: { 200: pageSchema(ownAuditRowSchema) },
    handle: async ({ context, caller, query }) => {
      const page = readPage(query)
      const read = await readAuditLog(context.db, caller, page)
      const { rows, next_cursor } = cutPage(read, page.limit)
      return {
        status: 200,
        json: { data: rows.map((row) => showToOwner(row, caller.person_id)), next_cursor },
      }
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/me/security-events',
    who: 'user',
    may: 'self',
    summary: 'List the security events of your own account, newest first',
    query: pageQuerySchema,
    answers: { 200: pageSchema(keptSecurityEventSchema) },
    handle: async ({ context, caller, query }) => {
      const page = readPage(query)
      const read = await listSecurityEvents(context.db, caller.user_id, page)
      const { rows, next_cursor } = cutPage(read, page.limit)
      return { status: 200, json: { data: rows.map(({ position: _position, ...row }) => row), next_cursor } }
    },
  }),
]

/**
 * Owners do not see the network and browser of an administrator, a program or another person of the account, nor the
 * notes that administrators wrote for each other.
 */
function showToOwner(row: AuditRow & { position: string }, reader: string): OwnAuditRow {
  const { id, at, action, actor, session_id } = row
  const isOthers = actor === 'admin' || actor === 'service'
  const isPersons = actor === 'user' && row.actor_id !== null && row.actor_id !== reader
  if (!isOthers && !isPersons)
    return { id, at, action, actor, session_id, ip: row.ip, user_agent: row.user_agent, details: row.details }
  if (isPersons)
    return { id, at, action, actor, session_id: null, ip: null, user_agent: null, details: row.details }
  const { note: _note, ...details } = row.details
  return { id, at, action, actor, session_id: null, ip: null, user_agent: null, details }
}
