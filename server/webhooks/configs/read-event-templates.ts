import type { FieldError } from '#core/contract/problem.ts'
import { CLIENT_EVENTS, type ClientEvent } from '#core/contract/events.ts'
import { fieldsOfEvent } from '#core/contract/webhooks/events/event-fields.ts'
import { vocabularyOf } from '#core/domain/webhooks/template/event-vocabulary.ts'
import { compileTemplate } from '#core/domain/webhooks/template/compile-template.ts'
import { refuseTemplate } from '#core/domain/webhooks/template/check-template.ts'
import { refuseUnfilled } from '#core/domain/webhooks/template/constants.ts'
import { JsonSyntaxError, readMember } from '#core/domain/webhooks/template/json-tree.ts'

/** The checked templates of events in their stored form, and what is wrong with them. */
interface EventTemplatesReading {
  /** JSON: event → the text of its template; undefined if none were given */
  stored: string | undefined
  errors: FieldError[]
}

/**
 * Reads the templates of events as they were written. A placeholder that its event does not have is refused: it would
 * always be empty.
 * @param bodyText the request's body, from which the templates are cut
 */
export function readEventTemplates(
  bodyText: string,
  given: Partial<Record<ClientEvent, Record<string, unknown>>> | undefined,
): EventTemplatesReading {
  if (given === undefined) return { stored: undefined, errors: [] }
  const whole = readMember(bodyText, 'event_templates')
  const texts: Partial<Record<ClientEvent, string>> = {}
  const errors: FieldError[] = []
  for (const event of CLIENT_EVENTS) {
    const parsed = given[event]
    if (parsed === undefined) continue
    const text = (whole === undefined ? undefined : readMember(whole, event)) ?? JSON.stringify(parsed)
    const message = refuse(event, text)
    if (message === undefined) texts[event] = text
    else errors.push({ path: `event_templates.${event}`, message })
  }
  return { stored: JSON.stringify(texts), errors }
}

function refuse(event: ClientEvent, text: string): string | undefined {
  try {
    const vocabulary = vocabularyOf(fieldsOfEvent(event))
    const reason = refuseTemplate(text, vocabulary) ?? refuseUnfilled(text)
    if (reason !== undefined) return reason
    const [unknown] = compileTemplate(text, vocabulary).unknownPlaceholders
    return unknown === undefined ? undefined : `{{${unknown}}} is no placeholder of ${event}`
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.message
    throw error
  }
}
