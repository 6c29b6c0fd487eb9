import { Suspense, useState } from 'react'
import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import { lazyPart } from '#web/app/lazy-part.ts'
import { formatMoney } from '#web/format/money.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { exactTime } from '#web/ui/show/format-time.ts'

const ReturnDialog = lazyPart('ReturnDialog', async () => (await import('./ReturnDialog.tsx')).ReturnDialog)

const DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' })

/** Shows what the lead has cost, and until when it can be returned. */
export function LeadReturn({ lead }: { lead: LeadDetail }) {
  const [asked, setAsked] = useState<'never' | 'open' | 'closed'>('never')
  const { price, returnable, return: request, late } = lead
  if (request === null && returnable === null) return null
  const isOpen = request === null && returnable !== null && returnable.refusal === null
  const until = isOpen ? `return by ${DAY.format(new Date(returnable.until))}` : null
  const paid = price === null ? null : `Paid ${formatMoney(price)}`
  const credit = late.find((one) => one.credit === 'credited')
  const credited = credit === undefined ? null : `${formatMoney(credit.amount)} came back`
  const refusal = request === null ? returnable?.refusal : undefined
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2 max-sm:w-full max-sm:justify-between">
      <p
        className="min-w-0 text-sm break-words text-muted tabular"
        {...(isOpen && { title: exactTime(returnable.until) })}
      >
        {[paid, credited, until ?? refusal].filter(Boolean).join(' · ')}
      </p>
      {isOpen && (
        <>
          <Button onClick={() => setAsked('open')}>Request return</Button>
          {asked !== 'never' && (
            <Suspense>
              <ReturnDialog
                lead={lead}
                until={returnable.until}
                open={asked === 'open'}
                onClose={() => setAsked('closed')}
              />
            </Suspense>
          )}
        </>
      )}
    </div>
  )
}
