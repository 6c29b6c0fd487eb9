import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { ApiError, isRefusal } from '#web/api/errors.ts'
import type { EditableWebhookConfig } from './webhook-config-text.ts'

/** What became of a save. `made_before`: an earlier try of the same form had made it, of what the form held then. */
export interface SavedWebhook {
  outcome: 'saved' | 'made_before'
  config: WebhookConfig
}

/** Somebody changed it since the form was opened, and nothing was saved; `now` is what is stored. */
export interface OvertakenWebhook {
  outcome: 'overtaken'
  now: EditableWebhookConfig
}

/**
 * Creates the configuration of one form, however often its button is pressed. A try whose answer was lost may have made it, and
 * the server refuses a changed body under the key of the first. Then what was sent before is sent again, until the try that
 * made it is answered with what it made; under that key none of them can make another.
 * @param create sends a body under the form's key, the same for all
 * @param unanswered the bodies of earlier tries that were not refused; this one is added where that is its fate
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

/** @returns undefined where it was another try that made it */
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
