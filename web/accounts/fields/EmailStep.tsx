import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { normaliseEmail } from '#core/domain/accounts/validate-email.ts'
import { useCaptcha } from '#web/session/captcha/use-captcha.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { EmailField } from './EmailField.tsx'
import { RefusalText } from './RefusalText.tsx'

export interface EmailStepProps {
  email: string
  /** Receives the typed address, so that another sign-in form need not ask for it again. */
  onEmail: (email: string) => void
  label: string
  busyLabel: string
  /** Returns the reason for a refusal; null if the address was accepted. */
  onSubmit: (email: string, captchaToken?: string) => Promise<string | null>
}

/** A form that asks only for an address. */
export function EmailStep({ email, onEmail, label, busyLabel, onSubmit }: EmailStepProps) {
  const captcha = useCaptcha()
  const [refusal, setRefusal] = useState<string | null>(null)
  const form = useForm({ defaultValues: { email } })
  const { handleSubmit, formState } = form
  const { isSubmitting } = formState

  const submit = handleSubmit(async (values) => {
    setRefusal(captcha.refusal)
    if (captcha.refusal !== null) return
    setRefusal(await onSubmit(normaliseEmail(values.email), captcha.token))
    captcha.renew()
  })

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <EmailField form={form} name="email" onEmail={onEmail} />
      {captcha.field}
      <RefusalText text={refusal} />
      <Button type="submit" variant="primary" busy={isSubmitting}>
        {isSubmitting ? busyLabel : label}
      </Button>
    </form>
  )
}
