import type { ServiceKey } from '#core/contract/accounts/service-key.ts'
import { listServiceKeys } from '#core/data/accounts/service-keys.ts'
import { defineCommand } from '../command.ts'
import { WITHOUT_REDIS } from '../open-services.ts'

export const serviceKeysList = defineCommand({
  usage: '',
  about: [
    'Lists the keys of programs that administer accounts, the newest first. One row stands for all keys that are not listed: made before keys were listed, or by `npm run service-key`. The time of the last use is up to a minute old.',
  ],
  flags: {},
  run: async ({ services }) => {
    const keys = await listServiceKeys(await services.database({ needs: WITHOUT_REDIS }))
    return {
      data: { keys },
      lines: keys.map(
        (key) =>
          `${key.id}  ${key.key_ending === null ? '     ' : `…${key.key_ending}`}  ${standingOf(key)}  ${key.program}`,
      ),
    }
  },
})

function standingOf({ expires_at, revoked_at, last_used_at }: ServiceKey): string {
  const use = last_used_at === null ? 'never used' : `last used ${last_used_at}`
  if (revoked_at !== null) return `revoked ${revoked_at}, ${use}`
  if (expires_at === null) return `valid, ${use}`
  return `${new Date(expires_at) > new Date() ? 'valid until' : 'expired'} ${expires_at}, ${use}`
}
