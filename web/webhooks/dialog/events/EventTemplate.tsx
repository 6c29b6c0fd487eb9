import { useState } from 'react'
import { useController, useFormContext } from 'react-hook-form'
import type { ClientEvent } from '#core/contract/events.ts'
import { fieldsOfEvent } from '#core/contract/webhooks/events/event-fields.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { TextArea } from '#web/ui/form/TextArea.tsx'
import { describeJsonFault, findJsonObjectFault } from '../check-json-object.ts'
import type { WebhookFormValues } from '../webhook-form-values.ts'
import { EventTest } from './EventTest.tsx'
import { writeDefault } from './event-values.ts'

/** The template of a chosen event: the default, until somebody types another; and its test. */
export function EventTemplate({ event, configId }: { event: ClientEvent; configId: string | null }) {
  const { formState } = useFormContext<WebhookFormValues>()
  const { field } = useController<WebhookFormValues, 'event_templates'>({ name: 'event_templates' })
  const own = field.value[event]
  const fault = own === undefined ? null : findJsonObjectFault(own)
  const refusal = refusalOf(event, formState.errors.event_templates?.['message'])
  const [isOpen, setOpen] = useState(false)
  // A fault is not hidden.
  const isShown = isOpen || fault !== null || refusal !== undefined
  const change = (text: string | undefined) => {
    const { [event]: _before, ...others } = field.value
    field.onChange(text === undefined ? others : { ...others, [event]: text })
  }
  return (
    <div className="flex min-w-0 flex-col gap-2 pl-6.5">
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" aria-expanded={isShown} onClick={() => setOpen(!isShown)}>
          {isShown ? 'Hide template' : 'Show template'}
        </Button>
        <span className="text-xs text-muted">{own === undefined ? 'Default template' : 'Own template'}</span>
        {own !== undefined && (
          <Button size="sm" onClick={() => change(undefined)}>
            Use the default
          </Button>
        )}
      </div>
      {isShown && (
        <Field
          label={`Template of ${event}`}
          hint={<Placeholders event={event} />}
          error={fault === null ? refusal : describeJsonFault(fault)}
        >
          <TextArea
            mono
            rows={8}
            value={own ?? writeDefault(event)}
            onChange={({ target }) => change(target.value)}
          />
        </Field>
      )}
      <EventTest event={event} configId={configId} />
    </div>
  )
}

function Placeholders({ event }: { event: ClientEvent }) {
  return (
    <>
      Placeholders:{' '}
      {[...fieldsOfEvent(event)].map(([name, { means }], index) => (
        <span key={name}>
          {index > 0 && ', '}
          <code className="inline-block max-w-full font-mono break-words" title={means}>
            {`{{${name}}}`}
          </code>
        </span>
      ))}
    </>
  )
}

/** The part of the field's messages that is about this event. */
function refusalOf(event: ClientEvent, message: unknown): string | undefined {
  const about = `${event}: `
  return typeof message === 'string' && message.startsWith(about) ? message.slice(about.length) : undefined
}
