import type { ServerContext } from '#server/context.ts'
import { deleteSessionsOfUser } from '../sessions/data/sessions.ts'
import { auditPerson, changePerson, type By } from './change-person.ts'
import { countSessions } from './data/people.ts'

/** Ends every session of a person at once; of one's own all but the present one. @returns how many there were */
export async function endSessions(
  context: ServerContext,
  by: By,
  id: string,
  reason: string,
): Promise<number> {
  const keep = id === by.caller.user_id ? by.caller.session_id : null
  return await changePerson(context, id, async (trx) => {
    const ended = await countSessions(trx, id, keep)
    if (ended === 0) return 0
    await deleteSessionsOfUser(trx, id, keep)
    const details = { count: ended, note: reason }
    await auditPerson(trx, by, { action: 'sessions_ended', user_id: id, details })
    return ended
  })
}
