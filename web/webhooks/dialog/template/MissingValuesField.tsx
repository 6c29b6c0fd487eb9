import { Controller, useFormContext, useWatch } from 'react-hook-form'
import type { MissingValues } from '#core/contract/webhooks/answer-rules.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import type { WebhookFormValues } from '../webhook-form-values.ts'

const OPTIONS: readonly { value: MissingValues; label: string }[] = [
  { value: 'empty', label: 'Empty' },
  { value: 'null', label: 'Null' },
  { value: 'omit', label: 'Left out' },
]

const HINTS: Readonly<Record<MissingValues, string>> = {
  empty: 'Inside longer text nothing; standing alone null (in a form: an empty value).',
  null: 'Null, also for longer text none of whose placeholders has a value (in a form: an empty value).',
  omit: 'The key or array item is left out, also for longer text none of whose placeholders has a value.',
}

/** What becomes of a placeholder for which a lead has no value. */
export function MissingValuesField() {
  const { control } = useFormContext<WebhookFormValues>()
  const chosen = useWatch<WebhookFormValues, 'missing_values'>({ name: 'missing_values' })
  return (
    <Controller
      control={control}
      name="missing_values"
      render={({ field }) => (
        <Field label="Missing values" hint={HINTS[chosen]}>
          <Select value={field.value} onValueChange={field.onChange} options={OPTIONS} />
        </Field>
      )}
    />
  )
}
