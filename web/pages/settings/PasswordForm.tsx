import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { auditQuery, sessionsQuery } from '../../api/account.ts'
import { authClient } from '../../auth/auth-client.ts'
import { useAuth } from '../../auth/auth-context.ts'
import { describeAccountError } from '../../auth/describe-account-error.ts'
import { NewPasswordField } from '../../forms/account/NewPasswordField.tsx'
import { UsernameHint } from '../../forms/account/UsernameHint.tsx'
import { reportSecurityEvent } from '../../security/report-event.ts'
import { Banner } from '../../ui/Banner.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Field } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/PasswordInput.tsx'
import { toast } from '../../ui/toast.ts'

interface Values {
  current: string
  password: string
}

export function PasswordForm() {
  const { user, session } = useAuth()
  const queryClient = useQueryClient()
  const [refusal, setRefusal] = useState<string | null>(null)
  const form = useForm<Values>({ defaultValues: { current: '', password: '' } })
  const { errors, isSubmitting } = form.formState

  const submit = form.handleSubmit(async ({ current, password }) => {
    setRefusal(null)
    const { error } = await authClient.updateUser({ password, current_password: current })
    if (error !== null) {
      if (error.code === 'current_password_invalid')
        form.setError('current', { message: describeAccountError(error) })
      else setRefusal(describeAccountError(error))
      return
    }
    form.reset()
    reportSecurityEvent('password_change', {}, session?.access_token ?? null)
    toast.success('Your password is changed. Your other sessions were signed out.')
    void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    void queryClient.invalidateQueries({ queryKey: auditQuery.queryKey })
  })

  return (
    <Card title="Password">
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <UsernameHint email={user?.email} />
        <Field label="Current password" error={errors.current?.message}>
          <PasswordInput
            autoComplete="current-password"
            what="current password"
            {...form.register('current', { required: 'Password is required' })}
          />
        </Field>
        <NewPasswordField form={form} name="password" label="New password" strength />
        {refusal !== null && (
          <Banner tone="failure" urgent>
            {refusal}
          </Banner>
        )}
        <Button type="submit" variant="primary" busy={isSubmitting} className="self-start">
          {isSubmitting ? 'Saving…' : 'Change password'}
        </Button>
      </form>
    </Card>
  )
}
