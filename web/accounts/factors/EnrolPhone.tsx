import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '#web/ui/action/Button.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { CodeInput } from '#web/ui/form/CodeInput.tsx'
import { codeRule } from '../fields/code-rule.ts'
import { phoneRule } from '../fields/phone-rule.ts'
import { usePhoneEnrolment } from './use-phone-enrolment.ts'
import { RefusalText } from '../fields/RefusalText.tsx'

export interface EnrolPhoneProps {
  onVerified: () => void
  onCancel: () => void
}

/** Asks for a phone number, then for the code that is sent to it. */
export function EnrolPhone({ onVerified, onCancel }: EnrolPhoneProps) {
  const { phone, refusal, begin, resend, verify, cancel } = usePhoneEnrolment()
  const [sending, setSending] = useState(false)
  const { register, handleSubmit, formState, setFocus, resetField } = useForm({
    defaultValues: { phone: '', code: '' },
  })
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async (values) => {
    if (phone === null) await begin(values.phone)
    else if (await verify(values.code)) onVerified()
    else setFocus('code')
  })
  const sendAnother = async () => {
    setSending(true)
    const isSent = await resend()
    setSending(false)
    if (!isSent) return
    resetField('code')
    toast.success('A new code is on its way')
  }

  return (
    <form
      noValidate
      aria-label="Set up a phone"
      onSubmit={(event) => void submit(event)}
      className="flex flex-col gap-4"
    >
      {phone === null ? (
        <Field
          label="Phone"
          hint="We send a code to it now, and at every sign-in"
          error={errors.phone?.message}
        >
          <TextInput
            autoFocus
            type="tel"
            autoComplete="tel"
            placeholder="+1 555 010 0143"
            {...register('phone', { validate: phoneRule })}
          />
        </Field>
      ) : (
        <Field
          key="code"
          label="Six-digit code"
          hint={`We sent it to ${phone}. Good for 5 minutes`}
          error={errors.code?.message}
        >
          <CodeInput autoFocus {...register('code', { validate: codeRule })} />
        </Field>
      )}
      <RefusalText text={refusal} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {phone === null ? 'Send the code' : isSubmitting ? 'Checking…' : 'Turn on'}
        </Button>
        {phone !== null && (
          <Button busy={sending} onClick={() => void sendAnother()}>
            Send another code
          </Button>
        )}
        <Button
          onClick={() => {
            void cancel()
            onCancel()
          }}
        >
          Cancel
        </Button>
      </div>
    </form>
  )
}
