import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { Field } from '#web/ui/form/Field.tsx'
import { OptionGroup } from '#web/ui/form/OptionGroup.tsx'
import { Switch } from '#web/ui/form/Switch.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import type { OrderFormValues } from '../order-form-values.ts'
import { sayTypedAges } from '../say-terms.ts'

/** How old the people may be. */
export function AgeFields() {
  const { register, control, formState } = useFormContext<OrderFormValues>()
  const { age_min, age_max } = formState.errors
  const [youngest, oldest, takesUnknown] = useWatch<
    OrderFormValues,
    ['age_min', 'age_max', 'accept_unknown_age']
  >({ name: ['age_min', 'age_max', 'accept_unknown_age'] })
  return (
    <OptionGroup
      title="Age of the person"
      summary={sayTypedAges(youngest, oldest, takesUnknown)}
      hasFault={age_min !== undefined || age_max !== undefined}
    >
      <div className="grid grid-cols-2 gap-x-4 gap-y-5 tight:grid-cols-1 sm:max-w-md">
        <Field label="Youngest age" error={age_min?.message}>
          <TextInput {...register('age_min')} inputMode="numeric" autoComplete="off" placeholder="Any" />
        </Field>
        <Field label="Oldest age" error={age_max?.message}>
          <TextInput {...register('age_max')} inputMode="numeric" autoComplete="off" placeholder="Any" />
        </Field>
        {(youngest !== '' || oldest !== '') && (
          <Controller
            control={control}
            name="accept_unknown_age"
            render={({ field }) => (
              <Switch
                label="Take leads without an age"
                hint="Some people do not give their age."
                checked={field.value}
                onCheckedChange={field.onChange}
                className="col-span-full"
              />
            )}
          />
        )}
      </div>
    </OptionGroup>
  )
}
