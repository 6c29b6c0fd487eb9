import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { normaliseEmail } from '#core/domain/accounts/validate-email.ts'
import { authClient } from '#web/session/auth-client.ts'
import { useAuth } from '#web/session/auth-context.ts'
import { describeAccountError } from '#web/session/credentials/describe-account-error.ts'
import { emailRule } from '../sign-in/credential-rules.ts'
import { settingsPath } from '#web/paths.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { RefusalText } from '../fields/RefusalText.tsx'

/** Asks for a new address. It becomes the account's once the links in the mails are followed. */
export function EmailForm() {
  const { user } = useAuth()
  const current = user?.email ?? ''
  const [refusal, setRefusal] = useState<string | null>(null)
  const { register, handleSubmit, formState, reset } = useForm({ defaultValues: { email: '' } })
  const { errors, isSubmitting } = formState
  const pending = user?.new_email ?? ''

  const submit = handleSubmit(async ({ email }) => {
    setRefusal(null)
    const { error } = await authClient.updateUser(
      { email: normaliseEmail(email) },
      { emailRedirectTo: location.origin + settingsPath('profile') },
    )
    if (error === null) reset()
    else setRefusal(describeAccountError(error))
  })

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      {current === '' ? (
        <p className="text-sm text-muted">Your account has no address yet.</p>
      ) : (
        <p className="text-sm break-words">
          <span className="text-muted">Your address is </span>
          <b className="font-medium">{current}</b>
        </p>
      )}
      {pending !== '' && (
        <Banner tone="waiting" title="Waiting for confirmation">
          {current === ''
            ? `Follow the link in the mail to ${pending}.`
            : `Follow the links in the mails to ${current} and ${pending}. Your address stays the same until then.`}
        </Banner>
      )}
      <Field label="New email" error={errors.email?.message}>
        <TextInput
          type="email"
          autoComplete="email"
          {...register('email', {
            validate: {
              rule: emailRule,
              other: (email) => normaliseEmail(email) !== current || 'This is your address already',
            },
          })}
        />
      </Field>
      <RefusalText text={refusal} />
      <Button type="submit" variant="primary" busy={isSubmitting} className="self-start">
        {isSubmitting ? 'Sending…' : 'Change email'}
      </Button>
    </form>
  )
}
