import type { ReceiptFacts } from '#core/data/market/payments/receipts.ts'
import { escapeHtml } from '#core/mail/escape-html.ts'
import { showDollars } from '#core/mail/show-values.ts'

const METHODS: Readonly<Record<ReceiptFacts['method'], string>> = {
  checkout: 'By payment provider',
  request: 'By request',
}

/** "000042" */
export function formatReceiptNumber(number: number): string {
  return String(number).padStart(6, '0')
}

/**
 * Writes the receipt of a payment as a page that prints on one sheet. It has no script and loads nothing, and every
 * value is escaped.
 */
export function writeReceipt(facts: ReceiptFacts): string {
  const number = formatReceiptNumber(facts.receipt_number)
  const seller = facts.seller_name === '' ? 'Leadwire' : facts.seller_name
  const rows = listRows(facts)
    .filter(([, value]) => value !== '')
    .map(
      ([label, value]) => `<tr><th scope="row">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`,
    )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Receipt ${number}</title>
<style>
body { font: 16px/24px Inter, system-ui, sans-serif; color: #2b2a27; background: #fff; max-width: 640px; margin: 0 auto; padding: 32px 20px }
h1 { font-size: 20px; line-height: 28px; margin: 0 0 4px }
p { margin: 0 0 24px; white-space: pre-line; color: #5f5c55 }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { padding: 8px 0; border-top: 1px solid #e3e0d9; text-align: left; vertical-align: top; font-size: 14px; line-height: 20px }
th { width: 128px; padding-right: 16px; font-weight: 400; color: #5f5c55 }
td { white-space: pre-line; overflow-wrap: anywhere }
</style>
</head>
<body>
<h1>Receipt no. ${number}</h1>
<p>${escapeHtml([seller, facts.seller_address].filter((line) => line !== '').join('\n'))}</p>
<table>
${rows.join('\n')}
</table>
</body>
</html>
`
}

function listRows(facts: ReceiptFacts): readonly (readonly [label: string, value: string])[] {
  const { amount, asked_amount, method, kind, received_at, note, timezone } = facts
  return [
    ['Amount', showDollars(amount)],
    ['Asked for', asked_amount === null ? '' : showDollars(asked_amount)],
    ['Received', showTime(received_at, timezone)],
    ['Paid', kind === 'auto_recharge' ? `${METHODS[method]}, auto-recharge` : METHODS[method]],
    ['Paid by', facts.payer_name],
    ['Account', facts.payer_email],
    ['For', 'Prepaid balance for leads'],
    ['Note', note ?? ''],
    ['Payment', facts.payment_id],
  ]
}

function showTime(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at)
}
