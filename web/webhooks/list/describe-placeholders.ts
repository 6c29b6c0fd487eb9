import type { MissingValues } from '#core/contract/webhooks/answer-rules.ts'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { findPlaceholderFaults } from '#core/domain/webhooks/template/misplaced-placeholders.ts'

/** With more names the row would become longer than the others. */
const NAMED = 3
const BECOME: Readonly<Record<MissingValues, string>> = {
  empty: 'sent empty',
  null: 'sent as null',
  omit: 'left out',
}

/** Describes the faults of a saved webhook's placeholders, one sentence for each kind; empty if there are none. */
export function describePlaceholders(
  config: Pick<WebhookConfig, 'endpoint_url' | 'payload_template' | 'missing_values'>,
): string[] {
  const { unknown, misplaced } = findPlaceholderFaults(config)
  const become = BECOME[config.missing_values]
  return [
    unknown.length === 0
      ? ''
      : `Unknown in Payload Template, and ${become}: ${list(unknown)}. Edit the webhook and choose a name from the list.`,
    misplaced.length === 0
      ? ''
      : `Sent as it stands, because nothing is filled in there: ${list(misplaced)}.`,
  ].filter((sentence) => sentence !== '')
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).map((name) => (name.length > 60 ? `${name.slice(0, 59)}…` : name))
  const more = names.length - shown.length
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`
}
