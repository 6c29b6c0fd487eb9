import { CircleAlert } from 'lucide-react'
import { Controller, useFormContext } from 'react-hook-form'
import type { Schedule } from '#core/contract/market/schedule.ts'
import { findHoursFaults, type HoursFaults } from '#web/components/schedule/find-hours-faults.ts'
import { offerZones } from '#web/components/schedule/time-zones.ts'
import { WeekGrid } from '#web/components/schedule/WeekGrid.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { Switch } from '#web/ui/form/Switch.tsx'
import type { WebhookFormValues } from '../webhook-form-values.ts'

const WORKWEEK: Schedule = Object.fromEntries(
  ['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, [['09:00', '17:00']]]),
)

/** Edits the sending hours: in the local time of a zone, and by the calling hours of each lead. */
export function Hours() {
  const { control } = useFormContext<WebhookFormValues>()
  return (
    <Controller
      control={control}
      name="sending_hours.schedule"
      render={({ field, fieldState: { error } }) => {
        const faults = error === undefined || field.value === null ? {} : findHoursFaults(field.value)
        return (
          <div role="group" aria-label="When" className="flex min-w-0 flex-col gap-3">
            <Switch
              label="Only at these hours"
              hint="At other times a lead waits until they begin. Nothing is lost."
              checked={field.value !== null}
              onCheckedChange={(checked) => field.onChange(checked ? WORKWEEK : null)}
            />
            {field.value !== null && (
              <>
                <Zone />
                <WeekGrid value={field.value} onChange={field.onChange} faults={faults} />
              </>
            )}
            {error !== undefined && <HoursFault message={error.message} faults={faults} />}
            <WhenCallable />
          </div>
        )
      }}
    />
  )
}

function WhenCallable() {
  const { control } = useFormContext<WebhookFormValues>()
  return (
    <Controller
      control={control}
      name="sending_hours.when_callable"
      render={({ field }) => (
        <Switch
          label="Only when the lead may be called"
          hint="A lead waits until calls to its state are allowed there. Not legal advice."
          checked={field.value}
          onCheckedChange={field.onChange}
        />
      )}
    />
  )
}

function Zone() {
  const { control } = useFormContext<WebhookFormValues>()
  return (
    <Controller
      control={control}
      name="sending_hours.timezone"
      render={({ field, fieldState }) => (
        <Field label="Time zone" error={fieldState.error?.message}>
          <Select value={field.value} onValueChange={field.onChange} options={offerZones(field.value)} />
        </Field>
      )}
    />
  )
}

/** Shows an error of the whole week; an error of a day is shown at the day. */
function HoursFault({
  message,
  faults: { all, ...days },
}: {
  message?: string | undefined
  faults: HoursFaults
}) {
  if (all === undefined && Object.keys(days).length > 0) return null
  return (
    <p
      role="alert"
      // The error may have no field that could take the focus.
      data-fault
      tabIndex={-1}
      className="flex items-start gap-1.5 text-xs text-failure outline-none"
    >
      <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
      {all ?? message}
    </p>
  )
}
