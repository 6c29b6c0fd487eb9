import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { Field } from '#web/ui/form/Field.tsx'
import { PasswordInput } from '#web/ui/form/PasswordInput.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { useIsSameOrigin } from '../endpoint/use-is-same-origin.ts'
import type { WebhookFormValues } from '../webhook-form-values.ts'

const TYPES = [
  { value: 'none', label: 'None' },
  { value: 'basic', label: 'Basic: user name and password' },
  { value: 'bearer', label: 'Bearer token' },
  { value: 'oauth2', label: 'OAuth2 client credentials' },
] as const
const UNREADABLE = { value: 'unreadable', label: 'Cannot be read' } as const
const PLACES = [
  { value: 'header', label: 'Authorization header' },
  { value: 'body', label: 'Request body' },
] as const

const HINTS: Partial<Record<WebhookFormValues['authentication']['type'], string>> = {
  oauth2:
    'Leadwire gets an access token from the token URL, uses it until shortly before it expires, and gets a new one if your endpoint answers 401.',
  unreadable: 'Deliveries fail until you enter it. Choose None if your endpoint needs no credentials.',
}

/** Sets how the endpoint authenticates requests, beside the signature that every request has. */
export function AuthenticationFields() {
  const { control, formState } = useFormContext<WebhookFormValues>()
  const stored = useWatch<WebhookFormValues, 'authentication.stored'>({ name: 'authentication.stored' })
  const type = useWatch<WebhookFormValues, 'authentication.type'>({ name: 'authentication.type' })
  return (
    <div className="grid min-w-0 gap-x-6 gap-y-4 lg:grid-cols-2">
      <Controller
        control={control}
        name="authentication.type"
        render={({ field }) => (
          <Field
            label="Authentication"
            error={formState.errors.authentication?.type?.message}
            hint={
              HINTS[type] ??
              'The credentials that your endpoint requires. Stored encrypted, never shown again.'
            }
          >
            <Select
              value={field.value}
              onValueChange={field.onChange}
              options={stored.type === 'unreadable' ? [UNREADABLE, ...TYPES] : TYPES}
            />
          </Field>
        )}
      />
      {type === 'basic' && (
        <div className="grid gap-4 sm:grid-cols-2">
          <PlainField name="username" label="User name" />
          <SecretField name="password" label="Password" />
        </div>
      )}
      {type === 'bearer' && <SecretField name="token" label="Token" />}
      {type === 'oauth2' && <ClientFields />}
    </div>
  )
}

function ClientFields() {
  const { control } = useFormContext<WebhookFormValues>()
  return (
    <>
      <PlainField name="token_url" label="Token URL" placeholder="https://login.example.com/oauth/token" />
      <PlainField name="client_id" label="Client ID" />
      <SecretField name="client_secret" label="Client secret" />
      <PlainField name="scope" label="Scope" optional />
      <Controller
        control={control}
        name="authentication.credentials_in"
        render={({ field }) => (
          <Field label="Send credentials in">
            <Select value={field.value} onValueChange={field.onChange} options={PLACES} />
          </Field>
        )}
      />
    </>
  )
}

interface PlainFieldProps {
  name: 'username' | 'token_url' | 'client_id' | 'scope'
  label: string
  placeholder?: string
  optional?: boolean
}

function PlainField({ name, label, placeholder, optional = false }: PlainFieldProps) {
  const { register, formState } = useFormContext<WebhookFormValues>()
  return (
    <Field
      label={label}
      required={!optional}
      {...(optional ? { hint: 'Optional; words separated by spaces.' } : {})}
      error={formState.errors.authentication?.[name]?.message}
    >
      <TextInput
        {...register(`authentication.${name}`)}
        mono={name !== 'username'}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        placeholder={placeholder}
      />
    </Field>
  )
}

interface SecretFieldProps {
  name: 'password' | 'token' | 'client_secret'
  label: string
}

/**
 * Empty if a value is stored: typing replaces it, an empty field keeps it, and no mask can be saved by
 * mistake.
 */
function SecretField({ name, label }: SecretFieldProps) {
  const { register, formState } = useFormContext<WebhookFormValues>()
  const type = useWatch<WebhookFormValues, 'authentication.type'>({ name: 'authentication.type' })
  const tokenUrl = useWatch<WebhookFormValues, 'authentication.token_url'>({
    name: 'authentication.token_url',
  })
  const stored = useWatch<WebhookFormValues, 'authentication.stored'>({ name: 'authentication.stored' })
  const isSameEndpoint = useIsSameOrigin('endpoint_url')
  const isSameTokenUrl = useIsSameOrigin('authentication.token_url')
  const isStored = stored.type === type
  const isKept = isStored && isSameEndpoint && (name !== 'client_secret' || isSameTokenUrl || tokenUrl === '')
  const moved = isSameEndpoint ? 'the token address' : 'the endpoint'
  return (
    <Field
      label={label}
      required={!isKept}
      {...(isKept ? { hint: `${stored.mask} is stored. Leave this empty to keep it.` } : {})}
      {...(isStored && !isKept ? { hint: `Enter it again: ${moved} has changed.` } : {})}
      error={formState.errors.authentication?.[name]?.message}
    >
      <PasswordInput
        {...register(`authentication.${name}`)}
        what={label.toLowerCase()}
        autoComplete="new-password"
        {...(isKept ? { placeholder: 'Stored' } : {})}
      />
    </Field>
  )
}
