import { useForm, useWatch } from 'react-hook-form'
import type { ClientAccount } from '#core/contract/market/client-account.ts'
import { LEAST_PAYMENT, MOST_PAYMENT } from '#core/contract/market/money/payment.ts'
import { formatMoney } from '#web/format/money.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { Switch } from '#web/ui/form/Switch.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { writeRechargeTerms } from '#core/domain/market/payments/say-recharge.ts'
import { useBalance } from '../money-queries.ts'
import { AmountInput } from './AmountInput.tsx'
import { findAmountFault, readAmount } from './read-amount.ts'
import { SavedMethod } from './SavedMethod.tsx'
import { useAccountForm } from './use-account-form.ts'

const LEAST_THRESHOLD = 20
const MOST = 1_000_000

const FIELDS = {
  auto_recharge_threshold: { label: 'When the balance falls below', least: LEAST_THRESHOLD, most: MOST },
  auto_recharge_amount: { label: 'Add', least: LEAST_PAYMENT, most: MOST_PAYMENT },
  auto_recharge_monthly_max: { label: 'At most in a month', least: LEAST_PAYMENT, most: MOST },
} as const
type Name = keyof typeof FIELDS
const NAMES = Object.keys(FIELDS) as Name[]

/**
 * Values proposed to a client who has never chosen any. The auto-recharge stays off until it is switched on.
 */
const OFFERED = {
  auto_recharge_threshold: '100.00',
  auto_recharge_amount: '250.00',
  auto_recharge_monthly_max: '1000.00',
}

function readValues(account: ClientAccount) {
  return {
    auto_recharge_enabled: account.auto_recharge_enabled,
    auto_recharge_threshold: account.auto_recharge_threshold ?? OFFERED.auto_recharge_threshold,
    auto_recharge_amount: account.auto_recharge_amount ?? OFFERED.auto_recharge_amount,
    auto_recharge_monthly_max: account.auto_recharge_monthly_max ?? OFFERED.auto_recharge_monthly_max,
  }
}

/**
 * Switches the auto-recharge on, below a sentence that says what it does and how much it may cost. It is
 * offered if a card can be charged, and to clients who already have it on.
 */
export function AutoRechargeForm({ account }: { account: ClientAccount }) {
  const { data: balance } = useBalance()
  const canCharge = balance?.payment_method !== 'request'
  const isOn = account.auto_recharge_enabled
  const isOffered = account.saved_method !== null && (canCharge || isOn)
  return (
    <Card title="Auto-recharge">
      <div className="flex flex-col gap-4">
        {account.auto_recharge_stopped !== null && (
          <Banner tone="waiting" title="It is switched off">
            {account.auto_recharge_stopped}
          </Banner>
        )}
        {isOn && !canCharge && (
          <Banner tone="waiting" title="Nothing is added automatically for now">
            No payment provider is configured here, so no card can be charged. Request funds until there is
            one, or switch this off.
          </Banner>
        )}
        {account.saved_method !== null && <SavedMethod name={account.saved_method} />}
        {isOffered ? (
          <RechargeForm account={account} method={account.saved_method ?? ''} />
        ) : (
          <p className="text-sm text-muted">
            {balance?.payment_method === 'request'
              ? 'Funds can be added automatically where a payment provider is configured; here an administrator marks each payment as received.'
              : 'Funds can be added automatically once a card is stored: add funds, and choose to keep the card. It is not charged until you agree to that here.'}
          </p>
        )}
      </div>
    </Card>
  )
}

function RechargeForm({ account, method }: { account: ClientAccount; method: string }) {
  const { busy, overtakenBy, save } = useAccountForm(account, 'The auto-recharge is saved')
  const { register, handleSubmit, formState, setError, setValue, reset, control } = useForm({
    values: readValues(account),
    resetOptions: { keepDirtyValues: true },
  })
  const values = useWatch({ control })
  const { auto_recharge_terms: agreed, auto_recharge_agreed_at: agreedAt } = account
  const isOn = values.auto_recharge_enabled === true
  const show = (name: Name) => {
    const amount = readAmount(values[name] ?? '')
    return amount === undefined ? '…' : formatMoney(amount)
  }

  const terms = writeRechargeTerms({
    threshold: show('auto_recharge_threshold'),
    amount: show('auto_recharge_amount'),
    monthlyMax: show('auto_recharge_monthly_max'),
    method,
  })
  const isOtherAgreed = isOn && agreed !== null && agreed !== terms

  const submit = handleSubmit(async (given) => {
    const amounts = Object.fromEntries(NAMES.map((name) => [name, readAmount(given[name])]))
    const { isSaved, faults } = await save({ auto_recharge_enabled: given.auto_recharge_enabled, ...amounts })
    for (const [path, message] of Object.entries(faults))
      setError(NAMES.find((name) => name === path) ?? 'root', { message })
    if (isSaved) reset(given)
  })

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <Switch
        label="Add funds automatically"
        hint="Off unless you switch it on."
        checked={isOn}
        onCheckedChange={(on) => setValue('auto_recharge_enabled', on, { shouldDirty: true })}
      />
      {isOn && (
        <>
          <div className="grid gap-4 sm:grid-cols-3 sm:items-end">
            {NAMES.map((name) => {
              const { label, least, most } = FIELDS[name]
              return (
                <Field key={name} label={label} error={formState.errors[name]?.message}>
                  <AmountInput
                    {...register(name, { validate: (text) => findAmountFault(text, least, most) ?? true })}
                  />
                </Field>
              )
            })}
          </div>
          <p className="rounded-lg bg-sunken px-3 py-2 text-sm">{terms}</p>
        </>
      )}
      {agreedAt !== null && isOtherAgreed && !formState.isDirty && (
        <Banner tone="waiting" title="You agreed to an earlier text">
          Until you agree to the sentence above, this counts: “{agreed}”
        </Banner>
      )}
      {agreedAt !== null && !isOtherAgreed && (
        <p className="text-xs text-muted">
          You agreed to this <RelativeTime at={agreedAt} />.
        </p>
      )}
      {overtakenBy !== null && (
        <Banner tone="waiting" title="Changed elsewhere in the meantime">
          It is {describe(overtakenBy)} now. Save again to replace it with yours.
        </Banner>
      )}
      {formState.errors.root !== undefined && (
        <Banner tone="failure" urgent>
          {formState.errors.root.message}
        </Banner>
      )}
      <Button
        type="submit"
        busy={busy}
        disabled={!formState.isDirty && !isOtherAgreed}
        className="self-start"
      >
        {busy ? 'Saving…' : isOn ? 'Agree and save' : 'Save'}
      </Button>
    </form>
  )
}

function describe(account: ClientAccount) {
  if (!account.auto_recharge_enabled) return 'off'
  const { auto_recharge_threshold, auto_recharge_amount, auto_recharge_monthly_max } = readValues(account)
  return `on: ${formatMoney(auto_recharge_amount)} below ${formatMoney(auto_recharge_threshold)}, at most ${formatMoney(auto_recharge_monthly_max)} in a month,`
}
