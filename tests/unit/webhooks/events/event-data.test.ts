import { expect, test } from 'vitest'
import type { z } from 'zod'
import { CLIENT_EVENTS } from '#core/contract/events.ts'
import { EVENT_DATA, EVENT_FRAME } from '#core/contract/webhooks/events/event-data.ts'
import { defaultEventTemplate, fieldsOfEvent } from '#core/contract/webhooks/events/event-fields.ts'
import { EVENT_EXAMPLES, EXAMPLE_FRAME } from '#core/contract/webhooks/events/event-examples.ts'
import { vocabularyOf } from '#core/domain/webhooks/template/event-vocabulary.ts'
import { refuseTemplate } from '#core/domain/webhooks/template/check-template.ts'
import { compileTemplate } from '#core/domain/webhooks/template/compile-template.ts'
import { renderCompiled } from '#core/domain/webhooks/template/render-template.ts'

/** Placeholders of a person: what a client may no longer know of a lead that it lost. */
const PERSONAL = ['name', 'first_name', 'last_name', 'email', 'phone', 'city', 'state', 'date_of_birth']

test.each(CLIENT_EVENTS)(
  '%s has an example that fits its schema exactly, and a default template',
  (event) => {
    const schema = EVENT_DATA[event].strict()
    expect(schema.safeParse(EVENT_EXAMPLES[event]).error).toBeUndefined()
    expect(EVENT_FRAME.strict().safeParse({ ...EXAMPLE_FRAME, event }).error).toBeUndefined()
    for (const [name, { kind, isOptional = false }] of fieldsOfEvent(event)) {
      const { [name]: value } = { ...EVENT_FRAME.shape, ...schema.shape } as Record<string, z.ZodType>
      expect([name, value?.safeParse(null).success, value?.safeParse(1).success]).toEqual([
        name,
        isOptional,
        kind === 'dollars' || kind === 'whole',
      ])
    }
    expect([...fieldsOfEvent(event).keys()]).toEqual(Object.keys({ ...EVENT_FRAME.shape, ...schema.shape }))

    const vocabulary = vocabularyOf(fieldsOfEvent(event))
    const text = JSON.stringify(defaultEventTemplate(event))
    expect(refuseTemplate(text, vocabulary)).toBeUndefined()
    const compiled = compileTemplate(text, vocabulary)
    expect(compiled.unknownPlaceholders).toEqual([])
    const { body } = renderCompiled(compiled, 'JSON', { ...EXAMPLE_FRAME, ...EVENT_EXAMPLES[event], event })
    const { event_id, occurred_at } = EXAMPLE_FRAME
    expect(JSON.parse(body)).toEqual({ event, event_id, occurred_at, ...EVENT_EXAMPLES[event] })
  },
)

test.each(CLIENT_EVENTS)('%s has no placeholder of a person', (event) => {
  const { isKnown } = vocabularyOf(fieldsOfEvent(event))
  expect(PERSONAL.filter(isKnown)).toEqual([])
})

test('moments and amounts of an event take the formats of their kinds', () => {
  const vocabulary = vocabularyOf(fieldsOfEvent('lead.returned'))
  const template = '{"at":"{{occurred_at | date: MM/DD/YYYY}}","paid":"{{credited}}"}'
  const compiled = compileTemplate(template, vocabulary)
  const { body } = renderCompiled(compiled, 'JSON', { ...EXAMPLE_FRAME, ...EVENT_EXAMPLES['lead.returned'] })
  expect(JSON.parse(body)).toEqual({ at: '11/25/2026', paid: 25 })
})
