import { randomUUIDv7 } from 'node:crypto'
import type { Config } from '#core/config/config.ts'
import type { MadeServiceKey, ServiceKeyWish } from '#core/contract/accounts/service-key.ts'
import { insertServiceKey } from '#core/data/accounts/service-keys.ts'
import type { Db } from '#core/data/database.ts'
import { issuerOf } from '#server/identity/access-token.ts'
import type { Caller } from '#server/identity/caller.ts'
import { signServiceToken } from '#server/identity/sign-service-token.ts'
import type { SigningKeys } from '#server/identity/signing-keys.ts'
import { writeAudit } from '../audit/audit-log.ts'
import type { By } from './change-person.ts'

/** As many characters as tell keys apart, and help nobody to guess one. */
const SHOWN_CHARACTERS = 4

interface KeyMaking {
  db: Db
  config: Config
  /** the first signs */
  keys: SigningKeys
}

/** An owner with their reason, or an operator with access to the database. */
type Maker = (By & { reason: string }) | { from: Caller }

/** Makes and lists a key with which a program administers every account. The key is stored nowhere. */
export async function makeServiceKey(
  { db, config, keys }: KeyMaking,
  maker: Maker,
  { program, days }: ServiceKeyWish,
): Promise<MadeServiceKey> {
  const id = randomUUIDv7()
  const now = Math.floor(Date.now() / 1000)
  const key = await signServiceToken(keys, { issuer: issuerOf({ config }), days, now, keyId: id })
  const row = await db.transaction().execute(async (trx) => {
    const listed = await insertServiceKey(trx, {
      id,
      name: program,
      days,
      ending: key.slice(-SHOWN_CHARACTERS),
    })
    const details = { service_key_id: id, days, ...('reason' in maker && { note: maker.reason }) }
    const by =
      'caller' in maker
        ? ({ actor: 'admin', actor_id: maker.caller.person_id } as const)
        : ({ actor: 'service' } as const)
    const about = { action: 'service_key_made', user_id: null, caller: maker.from } as const
    await writeAudit(trx, { ...about, ...by, details })
    return listed
  })
  return { ...row, key }
}
