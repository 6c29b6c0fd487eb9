import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { auditQuery, passwordQuery, sessionsQuery } from '../account-queries.ts'
import { authClient } from '#web/session/auth-client.ts'
import { useAuth } from '#web/session/auth-context.ts'
import { describeAccountError } from '#web/session/credentials/describe-account-error.ts'
import { leaveEndedSession } from '#web/session/leave-ended-session.ts'
import { normaliseCode } from '#web/format/normalise-code.ts'
import { NewPasswordField } from '../fields/NewPasswordField.tsx'
import { UsernameHint } from '../fields/UsernameHint.tsx'
import { reportSecurityEvent } from '#web/session/security/report-event.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { PasswordInput } from '#web/ui/form/PasswordInput.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { PresenceCode } from './PresenceCode.tsx'
import { usePresenceCode } from './use-presence-code.ts'
import { RefusalText } from '../fields/RefusalText.tsx'

/** The service's own sentence. */
const SAME_PASSWORD = 'New password should be different from the old password.'

interface Values {
  current: string
  password: string
  code: string
}

/** Changes the password, or sets the first one of an account that signed up by a provider or a mail. */
export function PasswordForm() {
  const { user, session } = useAuth()
  const queryClient = useQueryClient()
  const password = useQuery(passwordQuery)
  const presence = usePresenceCode()
  const [refusal, setRefusal] = useState<string | null>(null)
  const form = useForm<Values>({ defaultValues: { current: '', password: '', code: '' } })
  const { errors, isSubmitting } = form.formState
  // If this cannot be read, the service decides what it needs.
  const hasPassword = password.data ?? true

  const refuse = async (error: Parameters<typeof describeAccountError>[0]) => {
    if (await leaveEndedSession(error)) return
    const message = describeAccountError(error)
    if (error.code === 'reauthentication_needed') setRefusal(await presence.send())
    else if (error.code === 'reauthentication_not_valid')
      form.setError('code', { message }, { shouldFocus: true })
    else if (error.code === 'current_password_invalid')
      form.setError('current', { message }, { shouldFocus: true })
    else setRefusal(message)
  }

  const resend = async () => {
    const refused = await presence.send()
    setRefusal(refused)
    return refused === null
  }

  const submit = form.handleSubmit(async ({ current, password: chosen, code }) => {
    setRefusal(null)
    // Checked before the request, because the request would use up a code.
    if (hasPassword && current === chosen) {
      form.setError('password', { message: SAME_PASSWORD }, { shouldFocus: true })
      return
    }
    const { error } = await authClient.updateUser({
      password: chosen,
      ...(hasPassword ? { current_password: current } : {}),
      ...(presence.isAsked ? { nonce: normaliseCode(code) } : {}),
    })
    if (error !== null) return await refuse(error)
    form.reset()
    presence.end()
    reportSecurityEvent('password_change', {}, session?.access_token ?? null)
    toast.success(`Your password is ${hasPassword ? 'changed' : 'set'}. Your other sessions were signed out.`)
    for (const { queryKey } of [passwordQuery, sessionsQuery, auditQuery])
      void queryClient.invalidateQueries({ queryKey })
  })

  if (password.isPending) return <CardSkeleton />
  return (
    <Card title="Password">
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <UsernameHint email={user?.email} />
        {hasPassword ? (
          <Field label="Current password" error={errors.current?.message}>
            <PasswordInput
              autoComplete="current-password"
              what="current password"
              {...form.register('current', { required: 'Password is required', shouldUnregister: true })}
            />
          </Field>
        ) : (
          <p className="text-sm text-muted">
            Your account has no password yet. If you set one, you can also sign in with it.
          </p>
        )}
        <NewPasswordField form={form} name="password" label="New password" strength />
        {presence.isAsked && <PresenceCode form={form} email={user?.email} onResend={resend} />}
        <RefusalText text={refusal} />
        <Button type="submit" variant="primary" busy={isSubmitting} className="self-start">
          {isSubmitting ? 'Saving…' : hasPassword ? 'Change password' : 'Set a password'}
        </Button>
      </form>
    </Card>
  )
}
