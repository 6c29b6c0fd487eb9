import { insertServiceKey } from '#core/data/accounts/service-keys.ts'
import { issuerOf } from '#server/identity/access-token.ts'
import { signServiceToken } from '#server/identity/sign-service-token.ts'
import { loadSigningKeys } from '#server/identity/signing-keys.ts'
import { writeAudit } from '#server/accounts/audit/audit-log.ts'
import { defineCommand } from '../command.ts'
import { UsageError } from '../failures.ts'
import { callerOf } from '../open-operator.ts'
import { WITHOUT_REDIS } from '../open-services.ts'

const MOST_DAYS = 3650
const LONGEST_NAME = 100

export const serviceKeysMake = defineCommand({
  usage: '--name <name>',
  about: [
    'Makes a key with which a program creates, changes and deletes every account, without a password or second factor, and prints it. It is shown only now. Keep it on servers, never in a browser or a repository.',
    'It is signed by the first signing key (JWT_PRIVATE_JWK or AUTH_SIGNING_KEYS), for API_URL or PUBLIC_URL: set them as on the server. It ends after its days, when it is revoked, or when its signing key is removed. The audit log has its id as made by an operator.',
  ],
  flags: {
    name: { type: 'string', value: 'NAME', help: 'the program that uses it' },
    days: { type: 'string', value: 'DAYS', help: 'its life: 1 to 3650 days, 90 by default' },
  },
  run: async ({ values: { name = '', days: given = '90' }, services, note }) => {
    const days = Number(given)
    if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS)
      throw new UsageError(`--days must be a whole number from 1 to ${MOST_DAYS}`)
    if (name.trim() === '' || name.length > LONGEST_NAME)
      throw new UsageError(`--name must have 1 to ${LONGEST_NAME} characters`)
    const config = services.config({ ...WITHOUT_REDIS, signs: true })
    const keys = await loadSigningKeys(config)
    const db = await services.database({ needs: WITHOUT_REDIS })
    const keyId = await db.transaction().execute(async (trx) => {
      const id = await insertServiceKey(trx, { name: name.trim(), days })
      const caller = callerOf('service-keys make')
      const details = { service_key_id: id, days }
      await writeAudit(trx, { action: 'service_key_made', user_id: null, actor: 'service', caller, details })
      return id
    })
    const now = Math.floor(Date.now() / 1000)
    const key = await signServiceToken(keys, { issuer: issuerOf({ config }), days, now, keyId })
    note(`Key ${keyId}, valid for ${days} days. To end it: leadwire service-keys revoke ${keyId}`)
    return { data: { id: keyId, name: name.trim(), days, key }, lines: [key] }
  },
})
