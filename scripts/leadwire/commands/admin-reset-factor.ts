import { resetSecondFactor, resetSecondFactorByOperator } from '#server/accounts/admin/reset-second-factor.ts'
import { defineCommand } from '../command.ts'
import { findAccount } from '../find-account.ts'
import { callerOf, CHANGE_FLAGS, readBy, readReason } from '../open-operator.ts'
import { WITHOUT_REDIS } from '../open-services.ts'

export const adminResetFactor = defineCommand({
  usage: '<e-mail | account id>',
  about: [
    'Removes every second factor and recovery code of a person who has lost them, ends all of their sessions, and tells them by mail. They sign in with their password and set up a new factor. First make sure by another way that it is them.',
    'With --as, an owner answers for it, and cannot do it for themselves. Without --as, the audit log has it as done by an operator: the way for the last owner.',
  ],
  args: [1, 1],
  flags: CHANGE_FLAGS,
  run: async ({ values, args: [given = ''], services }) => {
    const reason = readReason(values.reason)
    const db = await services.database({ needs: WITHOUT_REDIS })
    const context = { db, config: services.config(WITHOUT_REDIS) }
    const id = await findAccount(db, given)
    if (values.as === undefined)
      await resetSecondFactorByOperator(context, id, reason, callerOf('admin reset-factor'))
    else {
      const { by } = await readBy(context, values, { command: 'admin reset-factor', needs: 'people' })
      await resetSecondFactor(context, by, id, reason)
    }
    return { data: { user_id: id }, lines: [`Account ${id} has no second factor; its sessions are ended`] }
  },
})
