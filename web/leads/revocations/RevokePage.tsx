import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { ApiError, errorSentence } from '#web/api/errors.ts'
import { AuthFrame } from '#web/app/AuthFrame.tsx'
import { useCaptcha } from '#web/session/captcha/use-captcha.tsx'
import { normaliseCode } from '#web/format/normalise-code.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { CodeInput } from '#web/ui/form/CodeInput.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { ExactTime } from '#web/ui/show/ExactTime.tsx'
import { askForCode, revokeWithCode } from './revocation-queries.ts'

/** Any person revokes consent here, with a code that proves the phone or address. */
export function RevokePage() {
  const [contact, setContact] = useState('')
  const captcha = useCaptcha()
  const [refusal, setRefusal] = useState<string | null>(null)
  const ask = useMutation({ mutationFn: () => askForCode(contact, captcha.token), onSettled: captcha.renew })
  const [code, setCode] = useState('')
  const revoke = useMutation({ mutationFn: () => revokeWithCode({ contact, code: normaliseCode(code) }) })
  if (revoke.data !== undefined)
    return (
      <AuthFrame title="Your consent is revoked">
        <p role="status" className="text-sm">
          Since <ExactTime at={revoke.data.revoked_at} />, nobody who got your details from us may contact you
          at this {ask.data?.kind === 'email' ? 'address' : 'number'}. We do not pass it on any more.
        </p>
        <p className="text-sm text-muted">
          Companies that had your details before were told, and have ten business days to stop. You have more
          phones or addresses? Revoke for each of them.
        </p>
        <Button
          onClick={() => {
            revoke.reset()
            ask.reset()
            setContact('')
            setCode('')
          }}
        >
          Revoke another one
        </Button>
      </AuthFrame>
    )
  if (ask.data !== undefined)
    return (
      <AuthFrame
        title="Type the code"
        lead={`Six digits were sent to ${contact}. They are good for five minutes.`}
      >
        <Form key="code" error={revoke.error} field="code" onSubmit={() => revoke.mutate()}>
          <Field label="Code" required error={faultOf(revoke.error, 'code')}>
            <CodeInput autoFocus value={code} onChange={({ target }) => setCode(target.value)} />
          </Field>
          <Button type="submit" variant="primary" asks busy={revoke.isPending}>
            Revoke my consent
          </Button>
          <Button
            variant="quiet"
            onClick={() => {
              revoke.reset()
              ask.reset()
              setCode('')
            }}
          >
            Use another phone or email, or get a new code
          </Button>
        </Form>
      </AuthFrame>
    )
  return (
    <AuthFrame
      title="Revoke your consent"
      lead="You do not want to be called, texted or mailed any more? We send you a code, to be sure that it is you."
    >
      <Form
        key="contact"
        error={ask.error}
        refusal={refusal}
        field="contact"
        onSubmit={() => {
          setRefusal(captcha.refusal)
          if (captcha.refusal === null) ask.mutate()
        }}
      >
        <Field label="Your phone or email" required error={faultOf(ask.error, 'contact')}>
          <TextInput
            autoComplete="off"
            maxLength={254}
            value={contact}
            onChange={({ target }) => setContact(target.value)}
          />
        </Field>
        {captcha.field}
        <Button type="submit" variant="primary" asks busy={ask.isPending} disabled={contact.trim() === ''}>
          Send me a code
        </Button>
      </Form>
    </AuthFrame>
  )
}

interface FormProps {
  error: Error | null
  /** why it was not sent */
  refusal?: string | null
  /** the field that shows its own errors */
  field: string
  onSubmit: () => void
  children: ReactNode
}

function Form({ error, refusal = null, field, onSubmit, children }: FormProps) {
  const isShown = error !== null && faultOf(error, field) === undefined
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {(refusal !== null || isShown) && (
        <Banner tone="failure" urgent>
          {refusal ?? (error !== null && errorSentence(error))}
        </Banner>
      )}
      {children}
    </form>
  )
}

function faultOf(error: Error | null, path: string) {
  return error instanceof ApiError ? error.errors.find((fault) => fault.path === path)?.message : undefined
}
