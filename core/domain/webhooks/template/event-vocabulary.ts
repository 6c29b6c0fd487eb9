import type { EventField } from '#core/contract/webhooks/events/event-data.ts'
import type { Vocabulary } from './formats/format.ts'

/**
 * The placeholders that the template of an event beside the lead may name.
 * @param fields those of `fieldsOfEvent`
 */
export function vocabularyOf(fields: readonly EventField[]): Vocabulary {
  const kinds = new Map(fields.map(({ name, kind }) => [name, kind]))
  return {
    mark: 'event.',
    nameOf: (written) => written,
    isKnown: (name) => kinds.has(name),
    kindOf: (name) => kinds.get(name) ?? 'text',
  }
}
