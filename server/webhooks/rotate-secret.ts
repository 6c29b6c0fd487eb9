import type { SigningSecret } from '#core/contract/webhooks/webhook-config.ts'
import {
  endSecretOverlap,
  findSigningSecrets,
  rotateSigningSecret,
} from '#core/data/webhooks/signing-secrets.ts'
import { AppError } from '#core/errors.ts'
import { createSigningSecret } from '#core/endpoint/sign.ts'
import { openIfPossible } from '#core/secrets/open-credentials.ts'
import { openSigningSecret } from './find-unreadable.ts'
import { showPublicKeys } from './show-public-keys.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'
import { createOnce } from '../http/create-once.ts'

/** The secret that signs now, and the end of its predecessor's overlap. @throws AppError not_found, conflict */
export async function readSecret(
  context: ServerContext,
  caller: Principal,
  configId: string,
): Promise<SigningSecret> {
  const sealed = await findSigningSecrets(context.db, caller.user_id, configId)
  if (sealed === undefined) throw new AppError('not_found', 'Webhook not found')
  return {
    secret: openSigningSecret(sealed.current, context.secrets),
    previous_expires_at: sealed.previous?.expiresAt.toISOString() ?? null,
    public_keys: sealed.isAsymmetric ? await showPublicKeys(context, configId) : [],
  }
}

/**
 * Rotates the secret. With an `Idempotency-Key` a repeated request rotates only once: a second rotation would
 * end the overlap of the secret that the receiver still verifies with.
 * @throws AppError not_found
 */
export async function rotateSecret(
  context: ServerContext,
  caller: Principal,
  configId: string,
  idempotencyKey: string | undefined,
): Promise<SigningSecret> {
  await createOnce(
    context,
    { user_id: caller.user_id, operation: 'secret.rotate', key: idempotencyKey, content: configId },
    async (trx) => {
      const before = await findSigningSecrets(trx, caller.user_id, configId)
      const sealed = context.secrets.seal('client_webhook_configs.signing_secret', createSigningSecret())
      const isRotated = await rotateSigningSecret(trx, caller.user_id, configId, sealed)
      if (!isRotated) throw new AppError('not_found', 'Webhook not found')
      // Deliveries could not be signed with it, and so could not be sent at all until the overlap is over.
      if (before !== undefined && openIfPossible(before.current, context.secrets) === undefined)
        await endSecretOverlap(trx, caller.user_id, configId)
    },
  )
  return await readSecret(context, caller, configId)
}

/**
 * Ends the overlap of a rotation early, after every receiver has the new secret or if the old one has leaked.
 * @throws AppError not_found
 */
export async function endOverlap(context: ServerContext, caller: Principal, configId: string): Promise<void> {
  const isEnded = await endSecretOverlap(context.db, caller.user_id, configId)
  if (!isEnded) throw new AppError('not_found', 'Webhook not found')
}
