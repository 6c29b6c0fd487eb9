import type { EventField } from '#core/contract/webhooks/events/event-fields.ts'
import type { ValueKind, Vocabulary } from './formats/format.ts'

const KINDS: Readonly<Record<EventField['kind'], ValueKind>> = {
  id: 'text',
  text: 'text',
  dollars: 'number',
  whole: 'number',
  moment: 'moment',
}

/**
 * The placeholders that the template of an event beside the lead may name.
 * @param fields those of `fieldsOfEvent`
 */
export function vocabularyOf(fields: ReadonlyMap<string, EventField>): Vocabulary {
  return {
    mark: 'event.',
    nameOf: (written) => written,
    isKnown: (name) => fields.has(name),
    kindOf: (name) => KINDS[fields.get(name)?.kind ?? 'text'],
  }
}
