import clsx from 'clsx'
import { X } from 'lucide-react'
import type { Replay } from '#core/contract/webhooks/resend.ts'
import { errorSentence } from '#web/api/errors.ts'
import { useCancelReplay } from '../queries/mend-deliveries.ts'
import { countOf, formatCount } from '#web/format/count-of.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { exactTime } from '#web/ui/show/format-time.ts'
import { IconButton } from '#web/ui/action/IconButton.tsx'
import { toast } from '#web/ui/overlay/toast.ts'

type Part = 'delivered' | 'failed' | 'retrying' | 'waiting' | 'cancelled'

const PARTS: readonly { part: Part; word: string; colour: string }[] = [
  { part: 'delivered', word: 'delivered', colour: 'bg-success' },
  { part: 'failed', word: 'failed', colour: 'bg-failure' },
  { part: 'retrying', word: 'to be retried', colour: 'bg-waiting' },
  { part: 'cancelled', word: 'cancelled', colour: 'bg-line-strong' },
  { part: 'waiting', word: 'waiting', colour: 'bg-transparent' },
]

export interface ReplayProgressProps {
  replay: Replay
  isWebhookActive: boolean
  onDismiss: () => void
}

/** Shows the progress of a "Resend failed since…", with a button that stops the rest. */
export function ReplayProgress({ replay, isWebhookActive, onDismiss }: ReplayProgressProps) {
  const cancel = useCancelReplay()
  const stop = () =>
    cancel.mutate(replay.id, {
      onSuccess: ({ count }) => toast.success(`Stopped: ${formatCount(count)} not sent.`),
      onError: (error) => toast.error(errorSentence(error)),
    })
  return (
    <section
      aria-label="Resend progress"
      className="flex flex-col gap-2 border-b border-line bg-sunken px-5 py-3 text-sm"
    >
      <div className="flex items-center justify-between gap-3">
        <p className="min-w-0">
          <span className="font-medium">{headline(replay)}</span>
          <span className="ml-2 text-xs text-muted tabular">Failed since {exactTime(replay.since)}</span>
        </p>
        {replay.waiting + replay.retrying > 0 && (
          <Button size="sm" className="ml-auto" busy={cancel.isPending} onClick={stop}>
            Stop
          </Button>
        )}
        <IconButton size="sm" label="Hide resend progress" icon={<X aria-hidden />} onClick={onDismiss} />
      </div>
      <div
        role="progressbar"
        aria-label="Resent deliveries"
        aria-valuemin={0}
        aria-valuemax={replay.total}
        aria-valuenow={replay.total - replay.waiting}
        className="flex h-1.5 gap-px overflow-hidden rounded-full bg-line"
      >
        {PARTS.filter(({ part }) => replay[part] > 0).map(({ part, colour }) => (
          <div
            key={part}
            className={clsx('basis-0 transition-[flex-grow]', colour)}
            style={{ flexGrow: replay[part] }}
          />
        ))}
      </div>
      <p role="status" className="flex flex-wrap gap-x-4 text-xs text-muted tabular">
        {PARTS.filter(({ part }) => replay[part] > 0).map(({ part, word, colour }) => (
          <span key={part} className="flex items-center gap-1.5">
            <span
              aria-hidden
              className={clsx('size-2 rounded-full', part === 'waiting' ? 'bg-line' : colour)}
            />
            {formatCount(replay[part])} {word}
          </span>
        ))}
        {replay.held > 0 && (
          <span>
            {formatCount(replay.held)} {replay.held === 1 ? 'waits' : 'wait'}{' '}
            {isWebhookActive ? 'for the endpoint' : 'until the webhook is on'}
          </span>
        )}
      </p>
    </section>
  )
}

function headline({ total, waiting, delivered, cancelled_at }: Replay) {
  const all = countOf(total, 'delivery')
  if (waiting > 0) return `Resending ${all}`
  if (delivered === total) return total === 1 ? 'The delivery has arrived' : `All ${all} have arrived`
  return cancelled_at === null ? `Resent ${all}` : `Stopped resending ${all}`
}
