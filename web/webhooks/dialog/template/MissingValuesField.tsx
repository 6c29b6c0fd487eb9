import { Controller, useFormContext, useWatch } from 'react-hook-form'
import type { MissingValues } from '#core/contract/webhooks/answer-rules.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { describeMissing } from './describe-format.ts'
import type { WebhookFormValues } from '../webhook-form-values.ts'

const OPTIONS: readonly { value: MissingValues; label: string }[] = [
  { value: 'empty', label: 'Empty' },
  { value: 'null', label: 'Null' },
  { value: 'omit', label: 'Left out' },
]

/** Sets what a placeholder without a value becomes. */
export function MissingValuesField() {
  const { control } = useFormContext<WebhookFormValues>()
  const [chosen, payloadType] = useWatch<WebhookFormValues, ['missing_values', 'payload_type']>({
    name: ['missing_values', 'payload_type'],
  })
  return (
    <Controller
      control={control}
      name="missing_values"
      render={({ field }) => (
        <Field label="Missing values" hint={describeMissing(chosen, payloadType)}>
          <Select value={field.value} onValueChange={field.onChange} options={OPTIONS} />
        </Field>
      )}
    />
  )
}
