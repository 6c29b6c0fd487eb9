import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import { describeReturn, labelReturnReason } from '#core/domain/market/describe-return.ts'
import { errorSentence } from '#web/api/errors.ts'
import { viewedClient } from '#web/api/viewed-client.ts'
import { lazyPart } from '#web/app/lazy-part.ts'
import { formatMoney } from '#web/format/money.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { askOwnLink, withdrawReturn } from './return-queries.ts'

const EvidenceFiles = lazyPart(
  'EvidenceFiles',
  async () => (await import('#web/components/evidence/EvidenceFiles.tsx')).EvidenceFiles,
)

const TONES = { pending: 'waiting', approved: 'success', denied: 'neutral', withdrawn: 'neutral' } as const

/** Says how the client's request to return the lead stands; nothing without a request. */
export function ReturnStanding({ lead }: { lead: LeadDetail }) {
  const queryClient = useQueryClient()
  const withdraw = useMutation({
    mutationFn: () => withdrawReturn(lead.id),
    onSuccess: () => toast.success('Return withdrawn'),
    onError: (error) => toast.error(errorSentence(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['leads'] }),
  })
  const { return: request } = lead
  // The audit log records each file that an administrator opens.
  const isViewed = viewedClient() !== null
  if (request === null) return null
  return (
    <>
      <Banner
        tone={TONES[request.status]}
        title={describeReturn(request, Number(request.price) > 0 ? formatMoney(request.price) : null)}
        action={
          request.status === 'pending' ? (
            <Button size="sm" busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
              Withdraw
            </Button>
          ) : undefined
        }
      >
        <p>{`Reason: ${labelReturnReason(request.reason)}`}</p>
        {request.note !== null && <p>{`Your note: ${request.note}`}</p>}
        {request.decision_note !== null && <p>{`Answer: ${request.decision_note}`}</p>}
      </Banner>
      {request.evidence.length > 0 && (
        <Suspense>
          <Card title="Evidence of the return" className="-mt-2" flush>
            <EvidenceFiles files={request.evidence} askLink={isViewed ? undefined : askOwnLink} isBare />
            {isViewed && (
              <p className="px-4 pt-1 pb-3 text-xs text-muted">
                While you view as a client, files stay closed. Open them in the administration, under Returns.
              </p>
            )}
          </Card>
        </Suspense>
      )}
    </>
  )
}
