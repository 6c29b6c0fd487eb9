import type { ReactNode } from 'react'
import { Controller, useForm } from 'react-hook-form'
import type { ClientAccount } from '#core/contract/market/client-account.ts'
import { StateList } from '#web/components/states/StateList.tsx'
import { offerZones } from '#web/components/schedule/time-zones.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { useAccountForm } from '../billing/use-account-form.ts'
import { fieldOfFault, showBusiness, writeBusiness } from './business-values.ts'

export interface BusinessFormProps {
  account: ClientAccount
  /** the zone to propose; the stored one without it */
  zone?: string
  onSaved?: () => void
  /** Content below the fields, with the save button. */
  children: (form: { busy: boolean; isDirty: boolean }) => ReactNode
}

/** Edits the data of the client's business. */
export function BusinessForm({ account, zone = account.timezone, onSaved, children }: BusinessFormProps) {
  const { busy, overtakenBy, save } = useAccountForm(account, 'Your business is saved')
  const { register, control, handleSubmit, formState, setError, reset } = useForm({
    values: showBusiness({ ...account, timezone: zone }),
    resetOptions: { keepDirtyValues: true },
  })
  const { errors, isDirty } = formState
  const submit = handleSubmit(async (values) => {
    const { isSaved, faults } = await save(writeBusiness(values))
    for (const [path, message] of Object.entries(faults).toReversed())
      setError(fieldOfFault(path), { message }, { shouldFocus: true })
    if (!isSaved) return
    reset(values)
    onSaved?.()
  })
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
      {overtakenBy !== null && (
        <Banner tone="waiting" urgent title="Changed elsewhere in the meantime">
          Your changes are not saved yet. Save again to replace the stored values with yours.
        </Banner>
      )}
      {errors.root?.message !== undefined && (
        <Banner tone="failure" urgent title="Your business was not saved">
          {errors.root.message}
        </Banner>
      )}
      <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2">
        <Field label="Business name" required error={errors.business_name?.message}>
          <TextInput
            autoComplete="organization"
            {...register('business_name', {
              validate: (name) => {
                if (name.trim() === '') return 'Business name is required'
                return name.trim().length <= 120 || 'Business name is too long (at most 120 characters)'
              },
            })}
          />
        </Field>
        <Field label="Business phone" error={errors.phone?.message}>
          <TextInput type="tel" autoComplete="tel" className="tabular" {...register('phone')} />
        </Field>
        <Field
          label="National Producer Number"
          hint="If you have one: up to ten digits."
          error={errors.npn?.message}
        >
          <TextInput inputMode="numeric" autoComplete="off" className="tabular" {...register('npn')} />
        </Field>
        <Controller
          control={control}
          name="timezone"
          render={({ field }) => (
            <Field
              label="Time zone"
              hint={`${zone === account.timezone ? '' : 'Proposed by your browser. '}Your days begin by it, and new orders keep their hours in it.`}
              error={errors.timezone?.message}
            >
              <Select value={field.value} onValueChange={field.onChange} options={offerZones(field.value)} />
            </Field>
          )}
        />
      </div>
      <fieldset className="min-w-0">
        <legend className="text-sm font-medium">
          Licensed states
          <span aria-hidden className="ml-0.5 text-faint">
            *
          </span>
        </legend>
        <p className="mb-2 text-xs text-muted">
          {account.licensed_states.length === 0
            ? 'Until you name some, leads from every state may be sold to you.'
            : 'No lead from another state is sold to you.'}
        </p>
        <Controller
          control={control}
          name="licensed_states"
          rules={{
            validate: ({ all, codes }) => all || codes.length > 0 || 'Choose at least one state, or all',
          }}
          render={({ field, fieldState }) => (
            <>
              <StateList
                value={field.value}
                onChange={field.onChange}
                focus={field.ref}
                allMeans="Licensed everywhere"
              />
              {fieldState.error?.message !== undefined && (
                <p role="alert" className="mt-1.5 text-xs text-failure">
                  {fieldState.error.message}
                </p>
              )}
            </>
          )}
        />
      </fieldset>
      {children({ busy, isDirty })}
    </form>
  )
}
