import { z } from 'zod'
import { CLIENT_EVENTS, clientEventSchema, type ClientEvent } from '#core/contract/events.ts'
import { defaultEventTemplate } from '#core/contract/webhooks/events/event-fields.ts'
import type { EditableWebhookConfig } from '../../queries/webhook-config-text.ts'
import { describeJsonFault, findJsonObjectFault } from '../check-json-object.ts'

/** The own templates of events as typed text, by the event's type; an event without one has the default. */
const templatesSchema = z.record(z.string(), z.string()).superRefine((texts, context) => {
  for (const [event, text] of Object.entries(texts)) {
    const fault = findJsonObjectFault(text)
    // One issue of the whole field: form libraries read the full stop of a type as a path.
    if (fault !== null) context.addIssue({ code: 'custom', message: `${event}: ${describeJsonFault(fault)}` })
  }
})

/** The form's values of the events beside the lead. */
export const eventShape = { events: z.array(clientEventSchema), event_templates: templatesSchema }
export type EventValues = z.infer<z.ZodObject<typeof eventShape>>

export const NO_EVENTS: EventValues = { events: [], event_templates: {} }

/** The default template of an event, laid out for reading. */
export function writeDefault(event: ClientEvent): string {
  return JSON.stringify(defaultEventTemplate(event), null, 2)
}

export function editEvents({
  config,
  eventTemplateTexts,
}: Pick<EditableWebhookConfig, 'config' | 'eventTemplateTexts'>): EventValues {
  return { events: [...config.events], event_templates: eventTemplateTexts }
}

/** The fields to send; templates as the JSON text that was typed, so that key order and numbers stay. */
export function writeEvents({ events, event_templates: texts }: EventValues): {
  events: ClientEvent[]
  event_templates: string
} {
  const members = CLIENT_EVENTS.flatMap((event) => {
    const text = texts[event]
    return text === undefined ? [] : [`${JSON.stringify(event)}:${text.trim()}`]
  })
  return {
    events: CLIENT_EVENTS.filter((event) => events.includes(event)),
    event_templates: `{${members.join(',')}}`,
  }
}

/** Says in one line which events are chosen. */
export function describeEvents({ events }: Pick<EventValues, 'events'>): string {
  if (events.length === 0) return 'None'
  return events.length > 3 ? `${events.length} of ${CLIENT_EVENTS.length}` : events.join(', ')
}
