import { useFormContext, useWatch } from 'react-hook-form'
import { Field } from '#web/ui/form/Field.tsx'
import { OptionGroup } from '#web/ui/form/OptionGroup.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import type { WebhookFormValues } from '../webhook-form-values.ts'
import { describeRate } from './rate-values.ts'

/** How fast the endpoint gets its requests (docs/product.md §3). */
export function SendingOptions() {
  const { register, formState } = useFormContext<WebhookFormValues>()
  const { requests_per_minute: fault } = formState.errors
  const rate = useWatch<WebhookFormValues, 'requests_per_minute'>({ name: 'requests_per_minute' })
  return (
    <OptionGroup title="Sending" summary={describeRate(rate)} hasFault={fault !== undefined}>
      <div className="max-w-md">
        <Field
          label="Requests a minute"
          hint="For receivers with a quota. First attempts and retries count alike; what is above it waits. Empty: no limit."
          error={fault?.message}
        >
          <TextInput
            {...register('requests_per_minute')}
            inputMode="numeric"
            autoComplete="off"
            placeholder="60"
            className="max-w-32 tabular-nums"
          />
        </Field>
      </div>
    </OptionGroup>
  )
}
