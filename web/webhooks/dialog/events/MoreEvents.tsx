import { useId } from 'react'
import { useController, useFormContext, useWatch } from 'react-hook-form'
import { CLIENT_EVENTS, type ClientEvent } from '#core/contract/events.ts'
import { CLIENT_EVENT_FIELDS } from '#core/contract/webhooks/events/event-fields.ts'
import { labelClientEvent } from '#web/components/event-labels.ts'
import { OptionGroup } from '#web/ui/form/OptionGroup.tsx'
import type { WebhookFormValues } from '../webhook-form-values.ts'
import { EventTemplate } from './EventTemplate.tsx'
import { describeEvents } from './event-values.ts'

/**
 * Chooses events beside the lead, each with a template and a test of its own (docs/product.md §3). `configId` names the
 * saved configuration whose values replace masks in a test.
 */
export function MoreEvents({ configId }: { configId: string | null }) {
  const { errors } = useFormContext<WebhookFormValues>().formState
  const events = useWatch<WebhookFormValues, 'events'>({ name: 'events' })
  return (
    <OptionGroup
      title="More events"
      summary={describeEvents({ events })}
      hasFault={errors.events !== undefined || errors.event_templates !== undefined}
    >
      <EventChoices configId={configId} />
    </OptionGroup>
  )
}

function EventChoices({ configId }: { configId: string | null }) {
  const { field } = useController<WebhookFormValues, 'events'>({ name: 'events' })
  const toggle = (event: ClientEvent, isChosen: boolean) =>
    field.onChange(isChosen ? [...field.value, event] : field.value.filter((one) => one !== event))
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <p className="max-w-prose text-xs text-muted">
        Each is sent at once, in its own template and without the person’s data. Conditions and sending hours
        are about leads, and do not count here.
      </p>
      <ul className="grid gap-x-6 gap-y-4 lg:grid-cols-2">
        {CLIENT_EVENTS.map((event) => (
          <Choice
            key={event}
            event={event}
            configId={configId}
            isChosen={field.value.includes(event)}
            onChange={(isChosen) => toggle(event, isChosen)}
          />
        ))}
      </ul>
    </div>
  )
}

function Choice({
  event,
  configId,
  isChosen,
  onChange,
}: {
  event: ClientEvent
  configId: string | null
  isChosen: boolean
  onChange: (isChosen: boolean) => void
}) {
  const id = useId()
  return (
    <li className="flex min-w-0 flex-col gap-1">
      <label className="flex min-h-6 min-w-0 items-start gap-2.5 text-sm font-medium">
        <input
          type="checkbox"
          checked={isChosen}
          onChange={({ target }) => onChange(target.checked)}
          aria-describedby={`${id}-means`}
          className="mt-0.5 block size-4 shrink-0 accent-accent"
        />
        <span className="min-w-0">
          {labelClientEvent(event)}{' '}
          <code className="font-mono text-xs font-normal break-all text-muted">{event}</code>
        </span>
      </label>
      <span id={`${id}-means`} className="pl-6.5 text-xs text-muted">
        {CLIENT_EVENT_FIELDS[event].means}
      </span>
      {isChosen && <EventTemplate event={event} configId={configId} />}
    </li>
  )
}
