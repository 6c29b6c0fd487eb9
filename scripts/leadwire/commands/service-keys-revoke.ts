import { UNLISTED_KEYS } from '#core/data/accounts/service-keys.ts'
import { endServiceKey } from '#server/accounts/admin/end-service-key.ts'
import { isUuid } from '#server/identity/is-uuid.ts'
import { defineCommand } from '../command.ts'
import { UsageError } from '../failures.ts'
import { CHANGE_FLAGS, readBy } from '../open-operator.ts'
import { WITHOUT_REDIS } from '../open-services.ts'

export const serviceKeysRevoke = defineCommand({
  usage: '<id> --as E-MAIL --reason TEXT',
  about: [
    'Ends a key for good: the next call with it is refused. `unlisted` ends all keys at once that are not listed: those made before keys were listed, and those of `npm run service-key`.',
  ],
  args: [1, 1],
  flags: CHANGE_FLAGS,
  run: async ({ values, args: [given = ''], services }) => {
    const id = given === 'unlisted' ? UNLISTED_KEYS : given
    if (!isUuid(id)) throw new UsageError('Takes the id of a key, or `unlisted`')
    const config = services.config(WITHOUT_REDIS)
    const db = await services.database({ needs: WITHOUT_REDIS })
    const order = { command: 'service-keys revoke', needs: 'people' } as const
    const { by, reason } = await readBy({ db, config }, values, order)
    const { name, isNew } = await endServiceKey({ db }, by, id, reason)
    return {
      data: { id, name, is_new: isNew },
      lines: [isNew ? `Revoked: ${name}` : `Was revoked before: ${name}`],
    }
  },
})
