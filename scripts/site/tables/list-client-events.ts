import { CLIENT_EVENTS, type ClientEvent } from '#core/contract/events.ts'
import {
  CLIENT_EVENT_FIELDS,
  defaultEventTemplate,
  FRAME_FIELDS,
  type EventField,
} from '#core/contract/webhooks/events/event-fields.ts'
import { EVENT_EXAMPLES, EXAMPLE_FRAME } from '#core/contract/webhooks/events/event-examples.ts'
import { asCode, writeTable } from './write-table.ts'

const KINDS: Readonly<Record<EventField['kind'], string>> = {
  id: 'id',
  text: 'text',
  dollars: 'number',
  whole: 'whole number',
  moment: 'time',
}

/** Every event beside the lead: its data, and the body that a webhook without an own template gets. */
export function listClientEvents(): string {
  return CLIENT_EVENTS.map(describeEvent).join('\n\n')
}

/** The placeholders that the template of every event has. */
export function listEventFrame(): string {
  return writeFields(FRAME_FIELDS)
}

function describeEvent(event: ClientEvent): string {
  const { means, fields } = CLIENT_EVENT_FIELDS[event]
  const values: Readonly<Record<string, unknown>> = { ...EXAMPLE_FRAME, ...EVENT_EXAMPLES[event], event }
  const body = Object.fromEntries(
    Object.keys(defaultEventTemplate(event)).map((name) => [name, values[name]]),
  )
  return [
    `### ${event}`,
    means,
    writeFields(fields),
    `\`\`\`json schema=${event}\n${JSON.stringify(body, null, 2)}\n\`\`\``,
  ].join('\n\n')
}

function writeFields(fields: Readonly<Record<string, EventField>>): string {
  return writeTable(
    ['Placeholder', 'What it is', 'Kind'],
    Object.entries(fields).map(([name, { means, kind, isOptional }]) => [
      asCode(`{{${name}}}`),
      means,
      isOptional === true ? `${KINDS[kind]} or null` : KINDS[kind],
    ]),
  )
}
