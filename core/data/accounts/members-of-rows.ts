import { sql } from 'kysely'
import type { MemberRole } from '#core/contract/accounts/member-role.ts'
import type { Db } from '../database.ts'

/**
 * Whether a person is in an account with one of these roles. The founder without a row is its owner. The person's
 * removal, or another role, waits until the transaction ends.
 */
export async function lockMemberWith(
  trx: Db,
  account: string,
  person: string,
  roles: readonly MemberRole[],
): Promise<boolean> {
  const { rows } = await sql<{ account_id: string; role: MemberRole }>`
    select account_id, role from account_members where user_id = ${person} for share`.execute(trx)
  const { account_id, role } = rows[0] ?? { account_id: person, role: 'owner' }
  return account_id === account && roles.includes(role)
}
