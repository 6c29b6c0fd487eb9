import type { Db } from '../../data/database.ts'
import {
  countSuppressions,
  deleteFlows,
  forgetKeys,
  giveUpMails,
  listSealedRows,
  lockSealedConfigs,
  removeLostFactors,
  restoreConfig,
  type RestoredConfig,
  type SealedConfig,
  type SealedKind,
} from '../../data/secrets/lost-values.ts'
import { deleteSigningKeys } from '../../data/webhooks/signing-keys.ts'
import { readStoredKeys } from '../../data/secrets/stored-keys.ts'
import { queueMails } from '../../data/outbox/mails.ts'
import { takeSigningKeys } from '../../secrets/signing-keys.ts'
import { createSigningSecret } from '../../endpoint/sign.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import { SealError, sealValue, type SecretBox } from '../../secrets/secret-box.ts'

const PIECE = 100
export const LOST_CREDENTIALS =
  'Its stored credentials were lost. Enter them again, give your receiver the new signing secret, then switch it on.'

/** The losses that a lost key causes. */
export interface LostSecrets {
  /** configurations that have a new signing secret, or lack credentials, and are off until their owners act */
  webhooks: number
  mails: number
  factors: number
  /** of people who lose a second factor; they sign in again */
  sessions: number
  sign_ins: number
  /** entries of the suppression list that match nobody any more */
  suppressions: number
}

interface Given {
  db: Db
  /** with the keys that are still there */
  keyring: Keyring
}

/**
 * Replaces everything that no key of SECRETS_KEY opens, so that processes start again: new signing secrets, no
 * credentials, no second factors; and proves the newest key. No process may run meanwhile.
 * @param isTried nothing is changed; the answer says what would be
 * @param record writes the audit row in the transaction of the change
 */
export async function resetLostSecrets(
  { db, keyring }: Given,
  { isTried, record }: { isTried: boolean; record?: (trx: Db, lost: LostSecrets) => Promise<void> },
): Promise<LostSecrets> {
  const work = async (trx: Db): Promise<LostSecrets> => {
    const lost = { webhooks: await resetConfigs(trx, keyring), ...(await resetRows(trx, keyring.secrets)) }
    const suppressions = (await proveNewest(trx, keyring)) ? await countSuppressions(trx) : 0
    const all = { ...lost, suppressions }
    if (isTried) throw new Tried(all)
    await record?.(trx, all)
    return all
  }
  try {
    return await db.transaction().execute(work)
  } catch (error) {
    if (error instanceof Tried) return error.lost
    throw error
  }
}

/** Rolls the transaction back. */
class Tried extends Error {
  readonly lost: LostSecrets
  constructor(lost: LostSecrets) {
    super('tried')
    this.lost = lost
  }
}

function isLost(secrets: SecretBox, sealed: unknown): boolean {
  if (typeof sealed !== 'string') return true
  try {
    secrets.open(sealed)
    return false
  } catch (error) {
    if (error instanceof SealError) return true
    throw error
  }
}

async function resetConfigs(trx: Db, { secrets }: Keyring): Promise<number> {
  let count = 0
  let after: string | null = null
  for (;;) {
    const rows: SealedConfig[] = await lockSealedConfigs(trx, after, PIECE)
    for (const row of rows) {
      const restored = restore(row, secrets)
      if (Object.keys(restored).length === 0) continue
      // A rotation's earlier secret alone needs nobody: the present one still signs.
      const needsOwner = Object.keys(restored).some((name) => !name.startsWith('previous_'))
      await restoreConfig(trx, row.id, restored, needsOwner ? LOST_CREDENTIALS : null)
      if (needsOwner) count += 1
    }
    after = rows.at(-1)?.id ?? null
    if (after === null) return count
  }
}

function restore(row: SealedConfig, secrets: SecretBox): RestoredConfig {
  const lost = (sealed: string | null): boolean => sealed !== null && isLost(secrets, sealed)
  const headers = Object.entries(JSON.parse(row.custom_headers) as Record<string, unknown>)
  const kept = headers.filter(([, value]) => !isLost(secrets, value))
  return {
    ...(lost(row.signing_secret) && {
      signing_secret: secrets.seal('client_webhook_configs.signing_secret', createSigningSecret()),
    }),
    ...(lost(row.previous_signing_secret) && {
      previous_signing_secret: null,
      previous_secret_expires_at: null,
    }),
    ...(lost(row.authentication) && { authentication: null }),
    ...(kept.length < headers.length && { custom_headers: JSON.stringify(Object.fromEntries(kept)) }),
    ...(lost(row.client_key) && { client_key: null, client_certificate: null }),
  }
}

async function resetRows(
  trx: Db,
  secrets: SecretBox,
): Promise<Pick<LostSecrets, 'mails' | 'factors' | 'sessions' | 'sign_ins'>> {
  const lost = (await listSealedRows(trx)).filter(({ sealed }) => isLost(secrets, sealed))
  const idsOf = (of: SealedKind): string[] => [
    ...new Set(lost.flatMap((row) => (row.of === of ? [row.id] : []))),
  ]
  const [mails, flows, keys] = [idsOf('mail'), idsOf('flow'), idsOf('signing_key')]
  if (mails.length > 0) await giveUpMails(trx, mails)
  if (flows.length > 0) await deleteFlows(trx, flows)
  if (keys.length > 0) {
    await deleteSigningKeys(trx, keys)
    await takeSigningKeys(trx, secrets)
  }
  const factors = lost.flatMap(({ of, id, user_id }) =>
    of === 'factor' && user_id !== null ? [{ id, user_id }] : [],
  )
  let sessions = 0
  if (factors.length > 0) {
    sessions = await removeLostFactors(trx, factors)
    const people = new Map(factors.map(({ id, user_id }) => [user_id, id]))
    await queueMails(
      trx,
      [...people].map(([recipient_user_id, id]) => ({
        template: 'second_factor_reset',
        data: {},
        recipient_user_id,
        notice_key: id,
      })),
    )
  }
  return { mails: mails.length, factors: factors.length, sessions, sign_ins: flows.length }
}

/** @returns whether keys of hashes are gone */
async function proveNewest(trx: Db, { keys, secrets }: Keyring): Promise<boolean> {
  const [newest] = keys
  if (newest === undefined) return false
  const stored = await readStoredKeys(trx)
  const kept = stored.keys.filter((key) => key.kept !== null && !isLost(secrets, key.kept))
  const present = [...keys, ...kept].map(({ id }) => id)
  const isProofLost = stored.proof !== undefined && isLost(secrets, stored.proof)
  const proof = isProofLost ? sealValue(newest.bytes, newest.id, 'leadwire') : stored.proof
  const gone = proof === undefined ? [] : await forgetKeys(trx, present, proof)
  return gone.length > 0 || (stored.keys.length === 0 && isProofLost)
}
