import { serviceKeyWishSchema } from '#core/contract/accounts/service-key.ts'
import { makeServiceKey } from '#server/accounts/admin/make-service-key.ts'
import { loadSigningKeys } from '#server/identity/signing-keys.ts'
import { defineCommand } from '../command.ts'
import { callerOf, parse } from '../open-operator.ts'
import { WITHOUT_REDIS } from '../open-services.ts'

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
  run: async ({ values: { name, days }, services, note }) => {
    const wish = parse(serviceKeyWishSchema, {
      program: name,
      ...(days !== undefined && { days: /^\d+$/.test(days) ? Number(days) : days }),
    })
    const config = services.config({ ...WITHOUT_REDIS, signs: true })
    const keys = await loadSigningKeys(config)
    const db = await services.database({ needs: WITHOUT_REDIS })
    const made = await makeServiceKey({ db, config, keys }, { from: callerOf('service-keys make') }, wish)
    const { id, program, key } = made
    note(`Key ${id}, valid for ${wish.days} days. To end it: leadwire service-keys revoke ${id}`)
    return { data: { id, name: program, days: wish.days, key }, lines: [key] }
  },
})
