import { useFormContext, useWatch } from 'react-hook-form'
import { Field } from '#web/ui/form/Field.tsx'
import { OptionGroup } from '#web/ui/form/OptionGroup.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { readZipCodes, type OrderFormValues } from '../order-form-values.ts'
import { sayArea } from '../say-terms.ts'

/** The area within an order's states in which people may live: named ZIP codes, or around one. */
export function AreaFields() {
  const { register, formState } = useFormContext<OrderFormValues>()
  const { zip_codes, near_zip, near_miles } = formState.errors
  const [codes, zip, miles] = useWatch<OrderFormValues, ['zip_codes', 'near_zip', 'near_miles']>({
    name: ['zip_codes', 'near_zip', 'near_miles'],
  })
  const area = sayArea({
    zip_codes: readZipCodes(codes),
    near_zip: zip.trim() || null,
    near_miles: miles.trim() || null,
  })
  return (
    <OptionGroup
      title="Area"
      summary={area ?? 'Everywhere in these states'}
      hasFault={[zip_codes, near_zip, near_miles].some((fault) => fault !== undefined)}
    >
      <div className="grid grid-cols-2 gap-x-4 gap-y-5 tight:grid-cols-1 sm:max-w-md">
        <Field
          label="ZIP codes"
          hint="Five digits, or the first three or four. Separate them with commas."
          error={zip_codes?.message}
          className="col-span-full"
        >
          <TextInput {...register('zip_codes')} autoComplete="off" placeholder="Any" className="tabular" />
        </Field>
        <Field label="Or around the ZIP code" error={near_zip?.message}>
          <TextInput
            {...register('near_zip')}
            inputMode="numeric"
            autoComplete="off"
            placeholder="None"
            className="tabular"
          />
        </Field>
        <Field label="Within miles" error={near_miles?.message}>
          <TextInput {...register('near_miles')} inputMode="numeric" autoComplete="off" className="tabular" />
        </Field>
      </div>
      {area !== null && (
        <p className="mt-3 text-xs text-muted">
          A lead without a ZIP code does not fit. Distances are from the middle of a ZIP code’s area.
        </p>
      )}
    </OptionGroup>
  )
}
