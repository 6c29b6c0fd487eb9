import { formatReceiptNumber, listReceiptLines } from '#core/domain/market/payments/receipt-words.ts'
import type { ReceiptFacts } from '#core/data/market/payments/receipts.ts'
import { escapeHtml } from '#core/mail/escape-html.ts'
import { showDollars } from '#core/mail/show-values.ts'

/**
 * Writes the receipt of a payment as a page that prints on one sheet. It has no script and loads nothing, and every
 * value is escaped.
 */
export function writeReceipt(facts: ReceiptFacts): string {
  const number = formatReceiptNumber(facts.receipt_number)
  const seller = facts.seller_name === '' ? 'Leadwire' : facts.seller_name
  const rows = listLines(facts).map(
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

function listLines(facts: ReceiptFacts): ReturnType<typeof listReceiptLines> {
  const { amount, asked_amount, received_at, timezone } = facts
  return listReceiptLines({
    ...facts,
    amount: showDollars(amount),
    asked_amount: asked_amount === null ? null : showDollars(asked_amount),
    at: showTime(received_at, timezone),
    isReceived: true,
  })
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
