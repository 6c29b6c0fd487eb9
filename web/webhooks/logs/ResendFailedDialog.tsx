import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RESEND_LIMIT, type ResendFailedResult } from '#core/contract/webhooks/resend.ts'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { errorSentence } from '#web/api/errors.ts'
import { startOfPeriod } from '../queries/log-filter.ts'
import { failedCountQuery, useResendFailed } from '../queries/mend-deliveries.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { useIdempotencyKeys } from '#web/hooks/use-idempotency-keys.ts'
import { countOf } from '#web/format/count-of.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { Dialog, DialogClose } from '#web/ui/overlay/Dialog.tsx'
import { RadioGroup } from '#web/ui/form/RadioGroup.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { MomentInput } from './MomentInput.tsx'

const CHOICES = [
  { value: '1h', label: 'The last hour' },
  { value: '24h', label: 'The last 24 hours' },
  { value: '7d', label: 'The last 7 days' },
  { value: 'date', label: 'Since a date' },
] as const
type Choice = (typeof CHOICES)[number]['value']

export interface ResendFailedDialogProps {
  config: WebhookConfig
  open: boolean
  onClose: () => void
  onStarted: (replayId: string) => void
}

export function ResendFailedDialog({ config, open, onClose, onStarted }: ResendFailedDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
      title="Resend failed since…"
      description={config.webhook_name}
      size="sm"
    >
      {/* Mounted at each opening, so that the count is current. */}
      {open && <Choosing config={config} onClose={onClose} onStarted={onStarted} />}
    </Dialog>
  )
}

function Choosing({ config, onClose, onStarted }: Omit<ResendFailedDialogProps, 'open'>) {
  const [openedAt] = useState(() => Date.now())
  const [choice, setChoice] = useState<Choice>('24h')
  const [date, setDate] = useState(startOfToday)
  const since = choice === 'date' ? date : (startOfPeriod(choice, openedAt).from ?? '')
  const count = useQuery({ ...failedCountQuery(config.id, since), enabled: since !== '' })
  const resend = useResendFailed()
  const keys = useIdempotencyKeys()
  const found = since === '' ? undefined : count.data

  const start = () =>
    resend.mutate(
      { configId: config.id, since, key: keys.keyOf(since) },
      {
        onSuccess: ({ replay_id }) => {
          keys.settle(since)
          if (replay_id === null) toast.success('Nothing was left to resend.')
          else onStarted(replay_id)
          onClose()
        },
        onError: (error) => toast.error(errorSentence(error)),
      },
    )

  return (
    <div className="flex flex-col gap-4">
      <RadioGroup label="Failed within" value={choice} onValueChange={setChoice} options={CHOICES} />
      {choice === 'date' && (
        <MomentInput label="Failed since" value={date} onChange={setDate} className="h-9! -mt-2" />
      )}
      {!config.is_active && (
        <Banner tone="waiting">The webhook is switched off. Activate it to resend what failed.</Banner>
      )}
      {count.isError ? (
        <LoadFailure
          title="The count could not be loaded."
          error={count.error}
          onRetry={() => void count.refetch()}
        />
      ) : (
        <Count found={found} isCounting={since !== '' && count.isPending} />
      )}
      <div className="-mx-5 -mb-5 flex justify-end gap-2 border-t border-line px-5 py-3">
        <DialogClose>Cancel</DialogClose>
        <Button
          variant="primary"
          busy={resend.isPending}
          disabled={!config.is_active || found === undefined || found.count === 0}
          onClick={start}
        >
          {found === undefined || found.count === 0 ? 'Resend' : `Resend ${countOf(found.count, 'delivery')}`}
        </Button>
      </div>
    </div>
  )
}

function Count({ found, isCounting }: { found: ResendFailedResult | undefined; isCounting: boolean }) {
  return (
    <div aria-live="polite" className="min-h-24 rounded-lg border border-line bg-sunken p-4 text-sm">
      {isCounting && <Skeleton className="h-6 w-40" />}
      {!isCounting && found === undefined && <p className="text-muted">Choose a date to see the count.</p>}
      {found !== undefined && found.count === 0 && (
        <p className="text-muted">Everything that failed in this time was delivered or resent since.</p>
      )}
      {found !== undefined && found.count > 0 && (
        <>
          <p className="text-base font-semibold tabular">{countOf(found.count, 'delivery')}</p>
          <ul className="mt-1 text-muted">
            {found.resent > 0 && (
              <li>
                <b className="font-medium text-ink tabular">{found.resent.toLocaleString('en-US')}</b> failed
                for good and {found.resent === 1 ? 'is' : 'are'} sent again.
              </li>
            )}
            {found.hurried > 0 && (
              <li>
                <b className="font-medium text-ink tabular">{found.hurried.toLocaleString('en-US')}</b>{' '}
                {found.hurried === 1 ? 'waits' : 'wait'} for a retry, which is made now; nothing is sent
                twice.
              </li>
            )}
          </ul>
          <p className="mt-2 text-xs text-muted">
            Each keeps its webhook-id, so your CRM can tell what it has already.
            {found.resent >= RESEND_LIMIT && ' Ten thousand go at a time; repeat it for the rest.'}
          </p>
        </>
      )}
    </div>
  )
}

function startOfToday() {
  return new Date(new Date().setHours(0, 0, 0, 0)).toISOString()
}
