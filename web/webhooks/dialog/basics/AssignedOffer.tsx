import { useFormContext, useWatch } from 'react-hook-form'
import { Button } from '#web/ui/action/Button.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { MISSES_BOUGHT, useMissesBought } from '../../misses-bought.ts'
import type { WebhookFormValues } from '../webhook-form-values.ts'

/** Tells a client that buys leads that this webhook would get none of them, and mends it with one press. */
export function AssignedOffer() {
  const { setValue } = useFormContext<WebhookFormValues>()
  const trigger_on_lead_assigned = useWatch<WebhookFormValues, 'trigger_on_lead_assigned'>({
    name: 'trigger_on_lead_assigned',
  })
  if (!useMissesBought({ trigger_on_lead_assigned })) return null
  return (
    <Banner
      tone="waiting"
      action={
        <Button size="sm" onClick={() => setValue('trigger_on_lead_assigned', true, { shouldDirty: true })}>
          Send them here
        </Button>
      }
    >
      {MISSES_BOUGHT}
    </Banner>
  )
}
