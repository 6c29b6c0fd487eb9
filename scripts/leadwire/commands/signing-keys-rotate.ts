import { listSigningKeys, replaceSigningKey } from '#core/data/webhooks/signing-keys.ts'
import { takeKeyring } from '#core/secrets/secrets-key.ts'
import { sealNewSeed } from '#core/secrets/signing-keys.ts'
import { auditChange } from '#server/market/audit-change.ts'
import { defineCommand } from '../command.ts'
import { UsageError } from '../failures.ts'
import { CHANGE_FLAGS, readBy } from '../open-operator.ts'
import { WITHOUT_REDIS } from '../open-services.ts'

const USUAL_DAYS = 30
const MOST_DAYS = 365

export const signingKeysRotate = defineCommand({
  usage: '--as E-MAIL --reason TEXT',
  about: [
    'Gives every webhook that is signed with Ed25519 a new key pair, while servers and workers run. The old keys also sign, and stay published, for some days: receivers that read /.well-known/leadwire.json notice nothing, others take the new key meanwhile.',
    'Workers use the new keys within a minute. With --days 0 the old keys end at once: only if they have leaked.',
  ],
  flags: {
    ...CHANGE_FLAGS,
    days: {
      type: 'string',
      value: 'DAYS',
      help: `days for which the old keys also sign: 0 to ${MOST_DAYS}, ${USUAL_DAYS} by default`,
    },
  },
  run: async ({ values, services }) => {
    const days = Number(values.days ?? USUAL_DAYS)
    if (!Number.isInteger(days) || days < 0 || days > MOST_DAYS)
      throw new UsageError(`--days must be a whole number from 0 to ${MOST_DAYS}`)
    const config = services.config(WITHOUT_REDIS)
    const db = await services.database({ needs: WITHOUT_REDIS })
    const { secrets } = await takeKeyring(config, db)
    const order = { command: 'signing-keys rotate', needs: 'operations' } as const
    const { by, reason } = await readBy({ db, config }, values, order)
    const keys = await db.transaction().execute(async (trx) => {
      await replaceSigningKey(trx, sealNewSeed(secrets), days)
      await auditChange(trx, by, { action: 'signing_keys_rotated', details: { days, note: reason } })
      return await listSigningKeys(trx)
    })
    const told = keys.map(({ id, created_at, ends_at }) => ({ id, created_at, ends_at }))
    return {
      data: { keys: told },
      lines: told.map(({ id, ends_at: end }) =>
        end === null ? `${id}  signs` : `${id}  also signs until ${end.toISOString()}`,
      ),
    }
  },
})
