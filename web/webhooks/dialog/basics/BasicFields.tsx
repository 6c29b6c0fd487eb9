import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { PRESETS } from '#core/contract/webhooks/presets/presets.ts'
import { PAYLOAD_TYPES, REQUEST_METHODS } from '#core/contract/webhooks/webhook-config.ts'
import { MemberField } from '#web/components/MemberField.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { AssignedOffer } from './AssignedOffer.tsx'
import { FilledUrl } from '../endpoint/FilledUrl.tsx'
import { InsecureNotice } from '../endpoint/InsecureNotice.tsx'
import { SendByMail } from '../by-mail/SendByMail.tsx'
import { SwitchField } from './SwitchField.tsx'
import { FieldCompletion } from '../template/palette/FieldCompletion.tsx'
import { offerInUrl } from '../template/palette/offer-placeholders.ts'
import type { WebhookFormValues } from '../webhook-form-values.ts'

const METHODS = REQUEST_METHODS.map((value) => ({ value, label: value }))
const FORMATS = PAYLOAD_TYPES.map((value) => ({ value, label: value === 'JSON' ? 'JSON' : 'Form Data' }))

export function BasicFields() {
  const { register, control, formState } = useFormContext<WebhookFormValues>()
  const { errors } = formState
  const preset = useWatch<WebhookFormValues, 'preset'>({ name: 'preset' })
  const example = PRESETS.find(({ id }) => id === preset)?.endpoint_example
  return (
    <div className="grid gap-x-6 gap-y-5 lg:grid-cols-2">
      <Field label="Webhook Name" required error={errors.webhook_name?.message}>
        <TextInput {...register('webhook_name')} autoComplete="off" placeholder="CRM intake" />
      </Field>
      <div className="flex min-w-0 flex-col gap-1.5">
        <Field label="Endpoint URL" required error={errors.endpoint_url?.message}>
          <FieldCompletion offerAt={offerInUrl}>
            {(completing) => (
              <TextInput
                {...register('endpoint_url')}
                {...completing}
                type="url"
                inputMode="url"
                mono
                autoComplete="off"
                spellCheck={false}
                placeholder={example ?? 'https://crm.example.com/webhooks'}
              />
            )}
          </FieldCompletion>
        </Field>
        <InsecureNotice />
        <FilledUrl />
        <SendByMail />
      </div>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-4">
        <Controller
          control={control}
          name="request_method"
          render={({ field, fieldState }) => (
            <Field label="HTTP Method" error={fieldState.error?.message}>
              <Select value={field.value} onValueChange={field.onChange} options={METHODS} />
            </Field>
          )}
        />
        <Controller
          control={control}
          name="payload_type"
          render={({ field, fieldState }) => (
            <Field label="Payload Format" error={fieldState.error?.message}>
              <Select value={field.value} onValueChange={field.onChange} options={FORMATS} />
            </Field>
          )}
        />
      </div>
      <div className="flex flex-col gap-3">
        <SwitchField
          name="is_active"
          label="Active"
          hint="Off: nothing is sent to this endpoint. Leads are held for 30 days."
        />
        <SwitchField name="trigger_on_lead_assigned" label="Trigger when lead is assigned" />
        <AssignedOffer />
      </div>
      <Controller
        control={control}
        name="member_user_id"
        render={({ field, fieldState }) => (
          <MemberField
            label="Leads of"
            hint="A person’s endpoint gets only the leads of that person."
            value={field.value}
            onValueChange={field.onChange}
            error={fieldState.error?.message}
          />
        )}
      />
    </div>
  )
}
