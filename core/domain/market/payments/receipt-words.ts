/** The way in which a payment was made. */
export const PAID_BY = { checkout: 'By payment provider', request: 'By request' } as const

/** "000042" */
export function formatReceiptNumber(number: number): string {
  return String(number).padStart(6, '0')
}

/** The method and purpose of a payment. */
export function describePayment({ kind, method }: { kind: string; method: keyof typeof PAID_BY }): string {
  const how = PAID_BY[method]
  return kind === 'auto_recharge' ? `${how}, auto-recharge` : how
}

/** Values of a receipt as they are shown; null or empty for those that it has not. */
export interface ReceiptValues {
  amount: string
  /** if another amount came */
  asked_amount: string | null
  /** what went back since; a stored receipt does not have it */
  taken_back?: string | null
  /** when the money came, or else when it was asked for */
  at: string
  isReceived: boolean
  method: keyof typeof PAID_BY
  kind: string
  payer_name: string
  payer_email: string
  note: string | null
  payment_id: string
}

/** The lines of a receipt, on the screen and on paper; those without a value are left out. */
export function listReceiptLines(values: ReceiptValues): (readonly [label: string, value: string])[] {
  const lines = [
    ['Amount', values.amount],
    ['Asked for', values.asked_amount],
    ['Went back', values.taken_back],
    [values.isReceived ? 'Received' : 'Asked for on', values.at],
    ['Paid', describePayment(values)],
    ['Paid by', values.payer_name],
    ['Account', values.payer_email],
    ['For', 'Prepaid balance for leads'],
    ['Note', values.note],
    ['Payment', values.payment_id],
  ] as const
  return lines.flatMap(([label, value]) => (value ? [[label, value] as const] : []))
}
