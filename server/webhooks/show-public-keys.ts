import type { SigningKey } from '#core/contract/webhooks/webhook-config.ts'
import { writePublicKey } from '#core/endpoint/sign-asymmetric.ts'
import { listSigningKeys } from '#core/data/webhooks/signing-keys.ts'
import { openSigningKey } from '#core/secrets/signing-keys.ts'
import type { ServerContext } from '../context.ts'

/**
 * The public keys of a webhook's `v1a` signatures, newest first. They can be derived for any id, so an answer does not
 * tell whether a webhook exists.
 */
export async function showPublicKeys(
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  webhookId: string,
): Promise<SigningKey[]> {
  return (await listSigningKeys(db)).map(({ seed_sealed: seed, created_at, ends_at }) => ({
    public_key: writePublicKey(openSigningKey(secrets, seed, webhookId)),
    since: created_at.toISOString(),
    ends_at: ends_at?.toISOString() ?? null,
  }))
}
