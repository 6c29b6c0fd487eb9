import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import type { LeadReturn as Request } from '#core/contract/market/lead-return.ts'
import { describeReturn, labelReturnReason } from '#core/domain/market/describe-return.ts'
import { Facts } from '../lead-page/Facts.tsx'
import { withdrawReturn } from './return-queries.ts'
import { ReturnDialog } from './ReturnDialog.tsx'
import { errorSentence } from '../../api/errors.ts'
import { formatMoney } from '../../format/money.ts'
import { Button } from '../../ui/action/Button.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { Banner } from '../../ui/show/Banner.tsx'
import { Card } from '../../ui/show/Card.tsx'
import { exactTime } from '../../ui/show/format-time.ts'

const TONES = { pending: 'waiting', approved: 'success', denied: 'neutral', withdrawn: 'neutral' } as const

/** Shows the lead's price, whether it can be returned, and the state of its return. */
export function LeadReturn({ lead }: { lead: LeadDetail }) {
  const [asking, setAsking] = useState(false)
  const { price, returnable, return: request } = lead
  if (request === null && returnable === null) return null
  const isOpen = request === null && returnable !== null && returnable.refusal === null
  return (
    <Card title="Price and return">
      <div className="flex flex-col items-start gap-3">
        <Facts
          none="This lead has no price."
          facts={[
            { label: 'Price paid', value: price === null ? null : formatMoney(price) },
            { label: 'Return until', value: isOpen ? exactTime(returnable.until) : null },
            { label: 'Reason', value: request && labelReturnReason(request.reason) },
            { label: 'Your note', value: request?.note },
            { label: 'Answer', value: request?.decision_note },
          ]}
        />
        {request !== null && <Standing lead={lead} request={request} />}
        {request === null && returnable?.refusal && (
          <p className="text-sm text-muted">{returnable.refusal}</p>
        )}
        {isOpen && (
          <>
            <Button icon={<Undo2 aria-hidden className="size-4" />} onClick={() => setAsking(true)}>
              Request return
            </Button>
            <ReturnDialog
              lead={lead}
              until={returnable.until}
              open={asking}
              onClose={() => setAsking(false)}
            />
          </>
        )}
      </div>
    </Card>
  )
}

function Standing({ lead, request }: { lead: LeadDetail; request: Request }) {
  const queryClient = useQueryClient()
  const withdraw = useMutation({
    mutationFn: () => withdrawReturn(lead.id),
    onSuccess: () => toast.success('Return withdrawn'),
    onError: (error) => toast.error(errorSentence(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['leads'] }),
  })
  return (
    <div className="w-full">
      <Banner
        tone={TONES[request.status]}
        action={
          request.status === 'pending' ? (
            <Button size="sm" busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
              Withdraw
            </Button>
          ) : undefined
        }
      >
        {describeReturn(request, formatMoney(request.price))}
      </Banner>
    </div>
  )
}
