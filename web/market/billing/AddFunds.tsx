import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { useState, type SubmitEvent } from 'react'
import { LEAST_PAYMENT, MOST_PAYMENT, type Payment } from '#core/contract/market/money/payment.ts'
import { errorSentence } from '#web/api/errors.ts'
import { formatDollars, formatMoney } from '#web/format/money.ts'
import { useIdempotencyKeys } from '#web/hooks/use-idempotency-keys.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { Switch } from '#web/ui/form/Switch.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { accountQuery, useAskForPayment, useBalance } from '../money-queries.ts'
import { AmountInput } from './AmountInput.tsx'
import { HowToPay } from './HowToPay.tsx'
import { findAmountFault, readAmount } from './read-amount.ts'

/** Amounts of docs/product.md §9. */
const PRESETS = [100, 250, 500, 1000]

/**
 * Adds funds. With a payment provider it leads to the provider's page; otherwise an administrator marks the
 * payment as received.
 */
export function AddFunds() {
  const [text, setText] = useState('250')
  const [fault, setFault] = useState<string>()
  const [keeps, setKeeps] = useState(false)
  const [asked, setAsked] = useState<Payment | null>(null)
  const isRecharged = useQuery(accountQuery).data?.auto_recharge_enabled === true
  const isRequest = useBalance().data?.payment_method !== 'checkout'
  const { keyOf, settle } = useIdempotencyKeys()
  const ask = useAskForPayment()

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const amount = readAmount(text)
    const found = findAmountFault(text, LEAST_PAYMENT, MOST_PAYMENT)
    setFault(found)
    setAsked(null)
    if (found !== undefined || amount === undefined) return
    try {
      const wish = { amount, save_method: keeps && !isRequest }
      const payment = await ask.mutateAsync({ ...wish, key: keyOf(JSON.stringify(wish)) })
      settle(JSON.stringify(wish))
      if (payment.checkout_url === null) setAsked(payment)
      else location.assign(payment.checkout_url)
    } catch (error) {
      setFault(errorSentence(error))
    }
  }

  return (
    <Card title={isRequest ? 'Request funds' : 'Add funds'}>
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <div role="group" aria-label="Amounts" className="grid grid-cols-2 gap-2 sm:grid-cols-4">
          {PRESETS.map((preset) => (
            <button
              key={preset}
              type="button"
              aria-pressed={readAmount(text) === readAmount(String(preset))}
              onClick={() => {
                setText(String(preset))
                setFault(undefined)
              }}
              className={clsx(
                'h-9 rounded-lg border text-sm font-medium tabular transition-colors',
                'border-line-strong hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-strong',
              )}
            >
              {formatDollars(preset)}
            </button>
          ))}
        </div>
        <Field
          label="Amount"
          hint={`From ${formatDollars(LEAST_PAYMENT)} to ${formatDollars(MOST_PAYMENT)}`}
          error={fault}
        >
          <AmountInput value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
        {!isRequest && (
          <Switch
            label="Keep the card"
            hint={
              isRecharged
                ? 'It replaces your stored card. Auto-recharge is then off until you agree to charge the new one.'
                : 'The payment provider stores it for auto-recharge. It is not charged until you switch that on.'
            }
            checked={keeps}
            onCheckedChange={setKeeps}
          />
        )}
        {asked !== null && (
          <Banner tone="success" title={`You asked for ${formatMoney(asked.amount)}`}>
            <HowToPay payment={asked} />
          </Banner>
        )}
        <div className="flex flex-col items-start gap-2">
          <Button type="submit" variant="primary" busy={ask.isPending}>
            {isRequest ? 'Request funds' : 'Add funds'}
          </Button>
          <p className="text-xs text-muted">
            {isRequest
              ? 'Nothing is charged now: you pay as agreed with us, and an administrator marks it as received.'
              : 'You pay on our payment provider’s page and come back here.'}
          </p>
        </div>
      </form>
    </Card>
  )
}
