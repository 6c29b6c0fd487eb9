import { useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { codeRule } from '../fields/code-rule.ts'
import { CodeInput } from '#web/ui/form/CodeInput.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { toast } from '#web/ui/overlay/toast.ts'

export interface PresenceCodeProps<Values extends FieldValues & { code: string }> {
  form: UseFormReturn<Values>
  /** Address that the code was sent to; an account without one gets the code by SMS. */
  email: string | undefined
  /** Returns true if a code was sent. */
  onResend: () => Promise<boolean>
}

/** Asks for the code that confirms a change of the password. */
export function PresenceCode<Values extends FieldValues & { code: string }>(
  props: PresenceCodeProps<Values>,
) {
  const { form, email = '', onResend } = props
  const [sending, setSending] = useState(false)
  const { error } = form.getFieldState('code' as Path<Values>, form.formState)

  const resend = async () => {
    setSending(true)
    const isSent = await onResend()
    setSending(false)
    if (!isSent) return
    form.resetField('code' as Path<Values>)
    toast.success('A new code is on its way')
  }
  return (
    <div className="flex flex-col gap-4 rounded-lg border border-line bg-sunken p-4">
      <Banner tone="info" title="Confirm that it is you">
        You signed in a while ago. Type the code that we sent to{' '}
        <b className="font-medium break-all">{email === '' ? 'your phone' : email}</b>.
      </Banner>
      <Field label="Six-digit code" hint="Good for 5 minutes" error={error?.message}>
        <CodeInput
          autoFocus
          {...form.register('code' as Path<Values>, { validate: codeRule, shouldUnregister: true })}
        />
      </Field>
      <Button size="sm" busy={sending} className="self-start" onClick={() => void resend()}>
        Send a new code
      </Button>
    </div>
  )
}
