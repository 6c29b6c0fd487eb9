import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { ApiError, isRefusal } from '#web/api/errors.ts'
import type { EditableWebhookConfig } from './webhook-config-text.ts'

/**
 * Result of a save. `made_before`: an earlier try of the same form has created it, with the values of that
 * time.
 */
export interface SavedWebhook {
  outcome: 'saved' | 'made_before'
  config: WebhookConfig
}

/** Somebody has changed it since the form was opened, and nothing was saved; `now` is the stored version. */
export interface OvertakenWebhook {
  outcome: 'overtaken'
  now: EditableWebhookConfig
}

/**
 * Creates the configuration of one form once, however often its button is pressed. If an answer is lost, that
 * try may have created it, and the server then refuses a changed body under the same idempotency key. So we
 * resend the earlier bodies: the one that created it is answered with the configuration, and the others
 * cannot create another.
 * @param create sends a body, always with the form's key
 * @param unanswered bodies of earlier tries that were not refused; this one is added if its answer is lost
 */
export async function createWebhookOnce(
  create: (jsonText: string) => Promise<WebhookConfig>,
  unanswered: Set<string>,
  jsonText: string,
): Promise<SavedWebhook> {
  try {
    return { outcome: 'saved', config: await create(jsonText) }
  } catch (error) {
    if (!isRefusal(error)) unanswered.add(jsonText)
    if (!isKeyReused(error)) throw error
    for (const earlier of unanswered) {
      const config = await findMadeBy(create, earlier)
      if (config !== undefined) return { outcome: 'made_before', config }
    }
    throw error
  }
}

/** @returns undefined if another try created it */
async function findMadeBy(create: (jsonText: string) => Promise<WebhookConfig>, jsonText: string) {
  try {
    return await create(jsonText)
  } catch (error) {
    if (isKeyReused(error)) return undefined
    throw error
  }
}

function isKeyReused(error: unknown) {
  return error instanceof ApiError && error.code === 'idempotency_key_reused'
}
