import type { Factor } from '@supabase/auth-js'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useAuth, type Refusal } from '#web/session/auth-context.ts'
import { challengePhone } from '#web/session/credentials/challenge-phone.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { CodeInput } from '#web/ui/form/CodeInput.tsx'
import { RefusalBanner } from '../fields/RefusalBanner.tsx'
import { codeRule, recoveryCodeRule } from '../fields/code-rule.ts'
import { normaliseCode } from '#web/format/normalise-code.ts'
import { factorPhone, nameFactor } from '../factors/name-factor.ts'
import { phoneEnding } from '../fields/phone-rule.ts'

/** Asks for the second factor after the password. */
export function SecondFactorForm() {
  const { user, verifyMFA } = useAuth()
  const factors = (user?.factors ?? []).filter(({ status }) => status === 'verified')
  const [chosen, setChosen] = useState(factors[0]?.id ?? '')
  const [challenge, setChallenge] = useState<{ factorId: string; id: string } | null>(null)
  const [sending, setSending] = useState(false)
  // True when the user has lost the phone and signs in with a recovery code.
  const [isLost, setIsLost] = useState(false)
  const [refusal, setRefusal] = useState<Pick<Refusal, 'message' | 'blockedUntil'> | null>(null)
  const { register, handleSubmit, formState, setValue, setFocus, reset } = useForm({
    defaultValues: { code: '' },
  })
  const { errors, isSubmitting } = formState
  // The user may have chosen another factor while the code was on its way.
  const challengeId = challenge?.factorId === chosen ? challenge.id : undefined
  const factor = factors.find(({ id }) => id === chosen)
  const sendsCode = factor?.factor_type === 'phone' && !isLost

  const submit = handleSubmit(async ({ code }) => {
    setRefusal(null)
    const outcome = await verifyMFA(normaliseCode(code), chosen, isLost ? undefined : challengeId)
    if (outcome.result !== 'refused') return
    setRefusal(outcome)
    setValue('code', '')
    setFocus('code')
  })

  const sendCode = async () => {
    setSending(true)
    const outcome = await challengePhone(chosen)
    setSending(false)
    setRefusal(outcome.result === 'refused' ? outcome : null)
    if (outcome.result === 'refused') return
    if (challengeId !== undefined) toast.success('A new code is on its way')
    setChallenge({ factorId: chosen, id: outcome.id })
    setValue('code', '')
    setFocus('code')
  }

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      {factors.length > 1 && (
        <Field label="Second factor">
          <Select
            value={chosen}
            onValueChange={(id) => {
              setChosen(id)
              setRefusal(null)
            }}
            options={factors.map((one) => ({ value: one.id, label: nameFactor(one) }))}
          />
        </Field>
      )}
      {isLost ? (
        <Field
          label="Recovery code"
          hint="One of the ten that you kept when you set up your second factor"
          error={errors.code?.message}
        >
          <TextInput
            autoFocus
            mono
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            placeholder="XXXXX-XXXXX"
            {...register('code', { validate: recoveryCodeRule })}
          />
        </Field>
      ) : (
        <Field
          label="Six-digit code"
          hint={
            factor?.factor_type === 'phone'
              ? describeSending(factor, challengeId !== undefined)
              : 'From the authenticator app that you set up for Leadwire'
          }
          error={errors.code?.message}
        >
          <CodeInput autoFocus {...register('code', { validate: codeRule })} />
        </Field>
      )}
      {refusal !== null && <RefusalBanner refusal={refusal} />}
      {sendsCode && (
        <Button busy={sending} onClick={() => void sendCode()}>
          {challengeId === undefined ? 'Send the code' : 'Send another code'}
        </Button>
      )}
      <Button
        type="submit"
        variant="primary"
        busy={isSubmitting}
        disabled={sendsCode && challengeId === undefined}
      >
        {isSubmitting ? 'Checking…' : 'Continue'}
      </Button>
      <Button
        size="sm"
        variant="quiet"
        onClick={() => {
          setIsLost(!isLost)
          setRefusal(null)
          reset()
        }}
      >
        {isLost ? 'Use a code of my phone' : 'Use a recovery code'}
      </Button>
    </form>
  )
}

function describeSending(factor: Factor, isSent: boolean) {
  const number = factorPhone(factor)
  const phone = number === undefined ? 'your phone' : `the phone that ${phoneEnding(number)}`
  return isSent ? `We sent it to ${phone}. Good for 5 minutes` : `We send it to ${phone}`
}
