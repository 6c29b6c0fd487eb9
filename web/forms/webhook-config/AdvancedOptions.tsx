import { useFormContext, useWatch } from 'react-hook-form'
import { Field } from '../../ui/Field.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { describeJsonFault, findHeadersFault } from './check-json-object.ts'
import { EndpointTest } from './EndpointTest.tsx'
import { SwitchField } from './SwitchField.tsx'
import { TemplateEditor } from './TemplateEditor.tsx'
import type { WebhookFormValues } from './webhook-form-values.ts'

export function AdvancedOptions() {
  return (
    <fieldset className="min-w-0 border-t border-line pt-5">
      <legend className="float-left w-full text-base font-semibold">Advanced options</legend>
      <div className="clear-both grid gap-x-6 gap-y-5 pt-4 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-5">
          <SwitchField
            name="trigger_on_lead_created"
            label="Trigger when lead is received"
            hint="Fires immediately on ingest, before assignment."
          />
          <CustomHeaders />
        </div>
        <EndpointTest />
        <TemplateEditor />
      </div>
    </fieldset>
  )
}

function CustomHeaders() {
  const { register, formState } = useFormContext<WebhookFormValues>()
  const text = useWatch<WebhookFormValues, 'custom_headers'>({ name: 'custom_headers' })
  const fault = findHeadersFault(text)
  return (
    <Field
      label="Custom Headers"
      hint={
        <>
          A JSON object of strings, sent with every request:{' '}
          <code className="font-mono break-all">{'{"Authorization": "Bearer …"}'}</code>. Content-Type, Host,
          Content-Length and the webhook signature headers are set for you.
        </>
      }
      error={fault === null ? formState.errors.custom_headers?.message : describeJsonFault(fault)}
    >
      <TextArea {...register('custom_headers')} mono rows={4} />
    </Field>
  )
}
