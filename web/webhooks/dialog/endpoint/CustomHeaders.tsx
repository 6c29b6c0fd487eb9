import { useFormContext, useWatch } from 'react-hook-form'
import { isMask } from '#core/domain/webhooks/mask-credentials.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { TextArea } from '#web/ui/form/TextArea.tsx'
import { describeJsonFault, findHeadersFault } from '../check-json-object.ts'
import { FieldCompletion } from '../template/palette/FieldCompletion.tsx'
import { offerInHeaders } from '../template/palette/offer-placeholders.ts'
import { useIsSameOrigin } from './use-is-same-origin.ts'
import type { WebhookFormValues } from '../webhook-form-values.ts'

export function CustomHeaders() {
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
          Content-Length and the webhook signature headers are set for you. Values may hold placeholders: type{' '}
          <code className="font-mono">{'{{'}</code> for a list.
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
      <FieldCompletion offerAt={offerInHeaders}>
        {(completing) => <TextArea {...register('custom_headers')} {...completing} mono rows={4} />}
      </FieldCompletion>
    </Field>
  )
}
