import type { ClientEvent } from '#core/contract/events.ts'
import { readEventTemplates } from '#core/contract/webhooks/events/event-data.ts'
import { defaultEventTemplate, fieldsOfEvent } from '#core/contract/webhooks/events/event-fields.ts'
import { compileTemplate, type CompiledTemplate } from '#core/domain/webhooks/template/compile-template.ts'
import { vocabularyOf } from '#core/domain/webhooks/template/event-vocabulary.ts'

/** Returns the template of an event: the webhook's own, or the default. */
export type TemplateOfEvent = (event: ClientEvent) => CompiledTemplate

/**
 * Compiles each template of a configuration's events at its first use: most configurations never send any.
 * @param stored the configuration's `event_templates`
 */
export function createEventTemplates(stored: unknown): TemplateOfEvent {
  const own = readEventTemplates(stored)
  const compiled = new Map<ClientEvent, CompiledTemplate>()
  return (event) => {
    const known = compiled.get(event)
    if (known !== undefined) return known
    const text = own[event] ?? JSON.stringify(defaultEventTemplate(event))
    const made = compileTemplate(text, vocabularyOf(fieldsOfEvent(event)))
    compiled.set(event, made)
    return made
  }
}
