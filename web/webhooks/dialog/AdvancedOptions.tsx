import { useFormContext, useWatch } from 'react-hook-form'
import { isMask } from '#core/domain/webhooks/mask-credentials.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { TextArea } from '#web/ui/form/TextArea.tsx'
import { AnswerRules } from './AnswerRules.tsx'
import { AuthenticationFields } from './access/AuthenticationFields.tsx'
import { CertificateFields } from './access/CertificateFields.tsx'
import { describeJsonFault, findHeadersFault } from './check-json-object.ts'
import { EndpointTest } from './EndpointTest.tsx'
import { SwitchField } from './SwitchField.tsx'
import { TemplateEditor } from './template/TemplateEditor.tsx'
import { useIsSameOrigin } from './use-is-same-origin.ts'
import type { WebhookFormValues } from './webhook-form-values.ts'

export interface AdvancedOptionsProps {
  configId: string | null
  /** what the form began with */
  defaults: WebhookFormValues
}

export function AdvancedOptions({ configId, defaults }: AdvancedOptionsProps) {
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
          <EndpointTest configId={configId} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <AuthenticationFields />
          <CertificateFields />
        </div>
        <TemplateEditor defaults={defaults} />
        <AnswerRules />
      </div>
    </fieldset>
  )
}

function CustomHeaders() {
  const { register, formState } = useFormContext<WebhookFormValues>()
  const text = useWatch<WebhookFormValues, 'custom_headers'>({ name: 'custom_headers' })
  const fault = findHeadersFault(text)
  const isSameEndpoint = useIsSameOrigin('endpoint_url')
  const isLost = fault === null && isMask(text) && !isSameEndpoint
  return (
    <Field
      label="Custom Headers"
      hint={
        <>
          A JSON object of strings, sent with every request:{' '}
          <code className="font-mono break-all">{'{"X-Source": "leadwire"}'}</code>. Content-Type, Host,
          Content-Length and the webhook signature headers are set for you.
          {isMask(text) && ' Dots stand for a stored value: leave them to keep it, or type over all of it.'}
        </>
      }
      error={
        fault !== null
          ? describeJsonFault(fault)
          : (formState.errors.custom_headers?.message ??
            (isLost ? 'The endpoint has changed: enter the values behind the dots again' : undefined))
      }
    >
      <TextArea {...register('custom_headers')} mono rows={4} />
    </Field>
  )
}
