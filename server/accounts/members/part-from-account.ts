import type { Db } from '#core/data/database.ts'
import { releaseMember } from '#core/use-cases/market/release-member.ts'
import { withdrawInvitations } from './data/invitations.ts'
import { deleteMember, findAccountOf, listMembers, lockAccountOfMembers } from './data/members.ts'

/**
 * Takes a person who is to be deleted out of the account of others. The relay enqueues the events of their leads.
 * @param by the administrator; the person, if the service itself deletes
 * @returns why the person must stay; undefined if nothing holds them
 */
export async function partFromAccount(
  trx: Db,
  person: string,
  by: string,
): Promise<'has_people' | 'last_owner' | undefined> {
  const account = await findAccountOf(trx, person)
  if (account === undefined) return undefined
  await lockAccountOfMembers(trx, account)
  const people = await listMembers(trx, account)
  const others = people.filter(({ user_id }) => user_id !== person)
  if (account === person) return others.length > 0 ? 'has_people' : undefined
  if (others.every(({ role }) => role !== 'owner')) return 'last_owner'
  await deleteMember(trx, account, person, by)
  await withdrawInvitations(trx, account, { invited_by: person })
  await releaseMember(trx, { account, member: person, by })
  return undefined
}
