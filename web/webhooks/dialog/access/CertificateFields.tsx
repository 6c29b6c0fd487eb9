import { useFormContext, useWatch } from 'react-hook-form'
import { Field } from '#web/ui/form/Field.tsx'
import { TextArea } from '#web/ui/form/TextArea.tsx'
import type { WebhookFormValues } from '../webhook-form-values.ts'

/** Certificates for an endpoint with its own authority, or one that requires a client certificate. */
export function CertificateFields() {
  return (
    <div className="grid gap-x-6 gap-y-4 lg:grid-cols-2">
      <PemField
        name="ca_certificate"
        label="CA certificate"
        hint="For an endpoint whose certificate is self-signed or comes from a private authority. No other certificate is accepted then."
      />
      <div className="flex min-w-0 flex-col gap-4">
        <PemField
          name="client_certificate"
          label="Client certificate"
          hint="For an endpoint that requires one. Its chain may follow it."
        />
        <KeyField />
      </div>
    </div>
  )
}

function KeyField() {
  const stored = useWatch<WebhookFormValues, 'stored_key'>({ name: 'stored_key' })
  return (
    <PemField
      name="client_key"
      label="Private key"
      hint={
        stored === ''
          ? 'Of the client certificate, without a passphrase. Stored encrypted, never shown again.'
          : 'A key is stored. Leave this empty to keep it.'
      }
    />
  )
}

interface PemFieldProps {
  name: 'ca_certificate' | 'client_certificate' | 'client_key'
  label: string
  hint: string
}

function PemField({ name, label, hint }: PemFieldProps) {
  const { register, formState } = useFormContext<WebhookFormValues>()
  return (
    <Field label={label} hint={hint} error={formState.errors[name]?.message}>
      <TextArea
        {...register(name)}
        mono
        rows={3}
        autoComplete="off"
        placeholder={`-----BEGIN ${name === 'client_key' ? 'PRIVATE KEY' : 'CERTIFICATE'}-----`}
      />
    </Field>
  )
}
