import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { authClient } from '#web/session/auth-client.ts'
import { useAuth } from '#web/session/auth-context.ts'
import { describeAccountError } from '#web/session/credentials/describe-account-error.ts'
import { reportSecurityEvent } from '#web/session/security/report-event.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { NewPasswordField } from '../fields/NewPasswordField.tsx'
import { UsernameHint } from '../fields/UsernameHint.tsx'
import { RefusalText } from '../fields/RefusalText.tsx'

/** Sets a password after the link of a recovery or an invitation. */
export function SetPasswordForm() {
  const { session, passwordChosen } = useAuth()
  const [refusal, setRefusal] = useState<string | null>(null)
  const form = useForm({ defaultValues: { password: '' } })
  const { isSubmitting } = form.formState

  const submit = form.handleSubmit(async ({ password }) => {
    setRefusal(null)
    const { error } = await authClient.updateUser({ password })
    if (error !== null) {
      setRefusal(describeAccountError(error))
      return
    }
    reportSecurityEvent('password_change', {}, session?.access_token ?? null)
    toast.success('Your new password is set')
    passwordChosen()
  })

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <UsernameHint email={session?.user.email} />
      <NewPasswordField form={form} name="password" label="New password" strength />
      <RefusalText text={refusal} />
      <Button type="submit" variant="primary" busy={isSubmitting}>
        {isSubmitting ? 'Saving…' : 'Save password'}
      </Button>
    </form>
  )
}
