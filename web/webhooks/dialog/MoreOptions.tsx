import { useFormContext, useWatch } from 'react-hook-form'
import { AnswerRules } from './answers/AnswerRules.tsx'
import { AuthenticationFields } from './access/AuthenticationFields.tsx'
import { CertificateFields } from './access/CertificateFields.tsx'
import {
  describeAnswer,
  describeAuthentication,
  describeCertificates,
  describeMissingValues,
} from './describe-options.ts'
import { OptionGroup } from '#web/ui/form/OptionGroup.tsx'
import { MissingValuesField } from './template/MissingValuesField.tsx'
import type { WebhookFormValues } from './webhook-form-values.ts'

/** The options beyond docs/product.md §2, each in a closed group. */
export function MoreOptions() {
  const { errors } = useFormContext<WebhookFormValues>().formState
  const [authentication, ca_certificate, client_certificate, missing_values, answer, capture_path] = useWatch<
    WebhookFormValues,
    ['authentication', 'ca_certificate', 'client_certificate', 'missing_values', 'answer', 'capture_path']
  >({
    name: [
      'authentication',
      'ca_certificate',
      'client_certificate',
      'missing_values',
      'answer',
      'capture_path',
    ],
  })
  return (
    <>
      <OptionGroup
        title="Authentication"
        summary={describeAuthentication(authentication)}
        hasFault={errors.authentication !== undefined || authentication.type === 'unreadable'}
      >
        <AuthenticationFields />
      </OptionGroup>
      <OptionGroup
        title="Certificates"
        summary={describeCertificates({ ca_certificate, client_certificate })}
        hasFault={[errors.ca_certificate, errors.client_certificate, errors.client_key].some(
          (error) => error !== undefined,
        )}
      >
        <CertificateFields />
      </OptionGroup>
      <OptionGroup title="Missing values" summary={describeMissingValues(missing_values)}>
        <MissingValuesField />
      </OptionGroup>
      <OptionGroup
        title="How the answer is read"
        summary={describeAnswer({ answer, capture_path })}
        hasFault={errors.answer !== undefined || errors.capture_path !== undefined}
      >
        <AnswerRules />
      </OptionGroup>
    </>
  )
}
