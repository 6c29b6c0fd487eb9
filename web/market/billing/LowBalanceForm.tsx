import { useForm } from 'react-hook-form'
import type { ClientAccount } from '#core/contract/market/client-account.ts'
import { formatMoney } from '#web/format/money.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { AmountInput } from './AmountInput.tsx'
import { findAmountFault, readAmount } from './read-amount.ts'
import { useAccountForm } from './use-account-form.ts'

const MOST = 1_000_000

/** Sets the amount below which the balance counts as low. */
export function LowBalanceForm({ account }: { account: ClientAccount }) {
  const { busy, overtakenBy, save } = useAccountForm(account, 'The threshold is saved')
  const { register, handleSubmit, formState, setError, reset } = useForm({
    values: { threshold: account.low_balance_threshold },
    resetOptions: { keepDirtyValues: true },
  })
  const submit = handleSubmit(async ({ threshold }) => {
    const amount = readAmount(threshold) ?? threshold
    const { isSaved, faults } = await save({ low_balance_threshold: amount })
    const [fault] = Object.values(faults)
    if (isSaved) reset({ threshold: amount })
    else if (fault !== undefined) setError('threshold', { message: fault })
  })
  return (
    <Card title="Low balance">
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <Field
          label="Low below"
          hint="Below it, the balance is shown as limited."
          error={formState.errors.threshold?.message}
        >
          <AmountInput
            {...register('threshold', { validate: (text) => findAmountFault(text, 0, MOST) ?? true })}
          />
        </Field>
        {overtakenBy !== null && (
          <Banner tone="waiting" title="Changed elsewhere in the meantime">
            It is {formatMoney(overtakenBy.low_balance_threshold)} now. Save again to replace it with yours.
          </Banner>
        )}
        <Button type="submit" busy={busy} disabled={!formState.isDirty} className="self-start">
          {busy ? 'Saving…' : 'Save threshold'}
        </Button>
      </form>
    </Card>
  )
}
