import { useFormContext, useWatch } from 'react-hook-form'
import { OptionGroup } from '#web/ui/form/OptionGroup.tsx'
import type { WebhookFormValues } from '../webhook-form-values.ts'
import { Conditions } from './Conditions.tsx'
import { describeFits } from './describe-fits.ts'
import { Hours } from './Hours.tsx'

/** Edits which leads the endpoint gets, and when (docs/product.md §3). */
export function FitOptions() {
  const { errors } = useFormContext<WebhookFormValues>().formState
  const [conditions, sending_hours] = useWatch<WebhookFormValues, ['conditions', 'sending_hours']>({
    name: ['conditions', 'sending_hours'],
  })
  return (
    <OptionGroup
      title="Send only what fits"
      summary={describeFits({ conditions, sending_hours })}
      hasFault={errors.conditions !== undefined || errors.sending_hours !== undefined}
    >
      <div className="grid gap-x-6 gap-y-6 lg:grid-cols-[minmax(0,1fr)_30rem]">
        <Conditions />
        <Hours />
      </div>
    </OptionGroup>
  )
}
