import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { authClient } from '#web/session/auth-client.ts'
import { describeAccountError } from '#web/session/credentials/describe-account-error.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { CopyButton } from '#web/ui/action/CopyButton.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { CodeInput } from '#web/ui/form/CodeInput.tsx'
import { codeRule } from '../fields/code-rule.ts'
import { normaliseCode } from '#web/format/normalise-code.ts'
import { RefusalText } from '../fields/RefusalText.tsx'

/** An authenticator app that is being set up and has not given its first code. */
export interface TotpEnrolment {
  id: string
  totp: { qr_code: string; secret: string }
}

export interface EnrolTotpProps {
  enrolment: TotpEnrolment
  onVerified: () => void
  onCancel?: () => void
}

/** Shows the secret of a new authenticator app and asks for its first code. */
export function EnrolTotp({ enrolment, onVerified, onCancel }: EnrolTotpProps) {
  const { id, totp } = enrolment
  const [refusal, setRefusal] = useState<string | null>(null)
  const { register, handleSubmit, formState, setFocus } = useForm({ defaultValues: { code: '' } })
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async ({ code }) => {
    setRefusal(null)
    const { error } = await authClient.mfa.challengeAndVerify({ factorId: id, code: normaliseCode(code) })
    if (error === null) onVerified()
    else {
      setRefusal(describeAccountError(error))
      setFocus('code')
    }
  })

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <div className="flex flex-col items-center gap-4 rounded-lg border border-line bg-sunken p-4">
        {/* White in the dark theme too: cameras need dark squares on a light ground. */}
        <img
          src={asImage(totp.qr_code)}
          alt="QR code with the secret for your authenticator app"
          width={184}
          height={184}
          className="rounded-md bg-[white] p-2"
        />
        <div className="flex w-full items-center gap-1">
          <code aria-label="Secret" className="min-w-0 flex-1 text-center font-mono text-xs break-all">
            {totp.secret}
          </code>
          <CopyButton value={totp.secret} label="Copy secret" />
        </div>
      </div>
      <Field
        label="Six-digit code"
        hint="Scan the picture with an authenticator app, or type the secret into it; then type the code that it shows"
        error={errors.code?.message}
      >
        <CodeInput autoFocus {...register('code', { validate: codeRule })} />
      </Field>
      <RefusalText text={refusal} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {isSubmitting ? 'Checking…' : 'Turn on'}
        </Button>
        {onCancel !== undefined && <Button onClick={onCancel}>Cancel</Button>}
      </div>
    </form>
  )
}

/** auth-js puts the raw SVG into a data URL, where an unescaped # would end it. */
function asImage(qrCode: string) {
  const drawing = qrCode.replace(/^data:image\/svg\+xml;utf-8,/, '')
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing)}`
}
