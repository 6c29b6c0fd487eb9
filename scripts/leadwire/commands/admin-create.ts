import { ADMIN_ROLE_WORDS } from '#core/contract/accounts/admin-role-words.ts'
import { ADMIN_ROLES } from '#core/contract/accounts/admin-role.ts'
import { normaliseEmail } from '#core/domain/accounts/validate-email.ts'
import { changeRole, type RoleChange } from '#server/accounts/people/change-role.ts'
import { defineCommand } from '../command.ts'
import { CommandError, UsageError } from '../failures.ts'
import { callerOf } from '../open-operator.ts'
import { WITHOUT_REDIS } from '../open-services.ts'

const REFUSALS: Record<Extract<RoleChange, { result: 'refused' }>['reason'], string> = {
  unknown: 'there is no such account; sign up or invite first (accounts of a single sign-on go by their id)',
  unconfirmed: 'its address is not confirmed yet',
  blocked: 'it is banned or suspended',
  member: 'it belongs to a client’s account with several people; they must leave it first',
  last_owner: 'it is the last owner; make another account an owner first',
}

export const adminCreate = defineCommand({
  usage: '<e-mail | account id> [role]',
  about: [
    `Makes an account an administrator: ${ADMIN_ROLES.join(', ')}; without a role, owner. The account must exist, with a confirmed address: the person signs up first. It takes effect with the account’s next request.`,
    'The audit log has it as done by an operator. With --revoke the account is a client again; the last owner cannot be revoked.',
  ],
  args: [1, 2],
  flags: { revoke: { type: 'boolean', help: 'takes the role away' } },
  run: async ({ values, args: [given = '', asked = 'owner'], services }) => {
    const wanted = ADMIN_ROLES.find((role) => role === asked.replace('-', '_'))
    if (wanted === undefined) throw new UsageError(`That is no role; the roles are ${ADMIN_ROLES.join(', ')}`)
    const db = await services.database({ needs: WITHOUT_REDIS })
    const role = values.revoke ? null : wanted
    const change = await changeRole(db, { account: normaliseEmail(given), role }, callerOf('admin create'))
    if (change.result === 'refused')
      throw new CommandError(`It cannot be changed: ${REFUSALS[change.reason]}`)
    const now = change.result === 'changed' ? 'is now' : 'was already'
    const what =
      role === null ? 'no administrator' : `an administrator with the role ${ADMIN_ROLE_WORDS[role]}`
    return {
      data: { user_id: change.user_id, role, changed: change.result === 'changed' },
      lines: [`Account ${change.user_id} ${now} ${what}`],
    }
  },
})
