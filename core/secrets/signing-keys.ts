import { randomBytes, type KeyObject } from 'node:crypto'
import type { Db } from '../data/database.ts'
import { addFirstSigningKey, listSigningKeys, type SigningKeyRow } from '../data/webhooks/signing-keys.ts'
import { deriveSigningKey } from '../endpoint/sign-asymmetric.ts'
import type { SecretBox } from './secret-box.ts'

const SEED_BYTES = 32

/** A fresh secret for the keys of webhooks, sealed. */
export function sealNewSeed(secrets: SecretBox): string {
  return secrets.seal('webhook_signing_keys.seed_sealed', randomBytes(SEED_BYTES).toString('base64'))
}

/**
 * The key that a webhook has under a sealed secret.
 * @throws SealError
 */
export function openSigningKey(secrets: SecretBox, sealedSeed: string, webhookId: string): KeyObject {
  return deriveSigningKey(Buffer.from(secrets.open(sealedSeed), 'base64'), webhookId)
}

/** The secrets that sign now, newest first; the first is made if there is none. */
export async function takeSigningKeys(db: Db, secrets: SecretBox): Promise<SigningKeyRow[]> {
  const known = await listSigningKeys(db)
  if (known.some(({ ends_at: end }) => end === null)) return known
  await addFirstSigningKey(db, sealNewSeed(secrets))
  return await listSigningKeys(db)
}
