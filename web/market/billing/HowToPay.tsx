import { paymentReference } from '#core/domain/market/payments/payment-reference.ts'
import type { Payment } from '#core/contract/market/money/payment.ts'
import { formatMoney } from '#web/format/money.ts'
import { useBalance } from '../money-queries.ts'

/** Says where a requested payment is paid to, with its amount and reference. */
export function HowToPay({ payment }: { payment: Pick<Payment, 'id' | 'amount'> }) {
  const bank = useBalance().data?.bank_details ?? null
  return (
    <>
      {bank === null ? 'Pay as agreed with us. ' : 'Pay to this account. '}
      Your balance has it once an administrator has seen the money. We also sent you this by mail.
      {bank !== null && <span className="mt-2 block break-words whitespace-pre-line">{bank}</span>}
      <span className="mt-2 block tabular">
        Amount <strong>{formatMoney(payment.amount)}</strong> · Reference{' '}
        <strong className="font-mono whitespace-nowrap">{paymentReference(payment.id)}</strong>
      </span>
    </>
  )
}
