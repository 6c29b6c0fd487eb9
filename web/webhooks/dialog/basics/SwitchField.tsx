import { Controller, useFormContext } from 'react-hook-form'
import { Switch } from '#web/ui/form/Switch.tsx'
import type { WebhookFormValues } from '../webhook-form-values.ts'

export interface SwitchFieldProps {
  name: 'is_active' | 'trigger_on_lead_assigned' | 'trigger_on_lead_created' | 'sign_asymmetric'
  label: string
  hint?: string
}

export function SwitchField({ name, label, hint }: SwitchFieldProps) {
  const { control } = useFormContext<WebhookFormValues>()
  return (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <Switch
          label={label}
          checked={field.value}
          onCheckedChange={field.onChange}
          {...(hint === undefined ? {} : { hint })}
        />
      )}
    />
  )
}
