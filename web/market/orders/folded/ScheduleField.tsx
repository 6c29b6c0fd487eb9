import { CircleAlert } from 'lucide-react'
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import type { Schedule } from '#core/contract/market/schedule.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { OptionGroup } from '#web/ui/form/OptionGroup.tsx'
import { RadioGroup } from '#web/ui/form/RadioGroup.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import type { OrderFormValues } from '../order-form-values.ts'
import { saySchedule } from '../say-terms.ts'
import { offerZones } from '#web/components/schedule/time-zones.ts'
import { WeekGrid } from '#web/components/schedule/WeekGrid.tsx'

const WORKWEEK: Schedule = {
  mon: [['09:00', '18:00']],
  tue: [['09:00', '18:00']],
  wed: [['09:00', '18:00']],
  thu: [['09:00', '18:00']],
  fri: [['09:00', '18:00']],
}

export function ScheduleField() {
  const { control, formState } = useFormContext<OrderFormValues>()
  const [schedule, timezone] = useWatch<OrderFormValues, ['schedule', 'timezone']>({
    name: ['schedule', 'timezone'],
  })
  const zone = offerZones(timezone).find(({ value }) => value === timezone)?.label
  return (
    <OptionGroup
      title="Hours"
      summary={`${saySchedule(schedule)}, ${zone}`}
      hasFault={formState.errors.schedule !== undefined || formState.errors.timezone !== undefined}
    >
      <div
        className="flex flex-col gap-4"
        {...(formState.errors.schedule !== undefined && { 'data-fault': true })}
      >
        <Controller
          control={control}
          name="timezone"
          render={({ field, fieldState }) => (
            <Field label="Time zone" error={fieldState.error?.message} className="sm:max-w-sm">
              <Select value={field.value} onValueChange={field.onChange} options={offerZones(field.value)} />
            </Field>
          )}
        />
        <Controller
          control={control}
          name="schedule"
          render={({ field, fieldState }) => (
            <>
              <RadioGroup
                label="Take leads"
                value={field.value === null ? 'always' : 'hours'}
                onValueChange={(kind) => field.onChange(kind === 'always' ? null : WORKWEEK)}
                options={[
                  { value: 'always', label: 'At all hours' },
                  { value: 'hours', label: 'At these hours' },
                ]}
              />
              {field.value !== null && <WeekGrid value={field.value} onChange={field.onChange} />}
              {fieldState.error !== undefined && (
                <p role="alert" className="flex items-start gap-1.5 text-xs text-failure">
                  <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
                  {fieldState.error.message ?? 'Choose other hours'}
                </p>
              )}
            </>
          )}
        />
      </div>
    </OptionGroup>
  )
}
