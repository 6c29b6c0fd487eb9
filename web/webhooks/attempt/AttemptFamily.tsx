import clsx from 'clsx'
import { RotateCw } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import type { DeliveryLogDetail, RelatedAttempt } from '#core/contract/webhooks/delivery.ts'
import { labelDeliveryStatus } from '#web/components/webhook-log-cells.ts'
import { exactTime } from '#web/ui/show/format-time.ts'
import { TONE_SOFT } from '#web/ui/show/tone.ts'

export interface AttemptFamilyProps {
  attempt: DeliveryLogDetail
  onShow: (logId: string) => void
}

/** Shows all attempts of the delivery, with links to the delivery it resends and to its own resends. */
export function AttemptFamily({ attempt, onShow }: AttemptFamilyProps) {
  const { attempts, resent_from, resent_as } = attempt
  if (attempts.length < 2 && resent_from === null && resent_as.length === 0) return null
  return (
    <div className="flex flex-col gap-2">
      {attempts.length > 1 && (
        <ol aria-label="Attempts of this delivery" className="flex flex-wrap gap-2">
          {attempts.map((one) => (
            <li key={one.id}>
              <AttemptChip one={one} isShown={one.id === attempt.id} onShow={onShow} />
            </li>
          ))}
        </ol>
      )}
      {(resent_from !== null || resent_as.length > 0) && (
        <div className="flex items-start gap-2 text-sm text-muted">
          <RotateCw aria-hidden className="mt-1.5 size-3.5 shrink-0" />
          <p className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1">
            {resent_from !== null && (
              <span>
                Resent from{' '}
                <FamilyLink one={resent_from} onShow={onShow}>
                  attempt {resent_from.attempt_number}, {exactTime(resent_from.created_at)}
                </FamilyLink>
              </span>
            )}
            {resent_as.map((one) => (
              <span key={one.id}>
                Resent as{' '}
                <FamilyLink one={one} onShow={onShow}>
                  a new delivery, {exactTime(one.created_at)}
                </FamilyLink>{' '}
                ({labelDeliveryStatus(one).label})
              </span>
            ))}
          </p>
        </div>
      )}
    </div>
  )
}

interface AttemptChipProps {
  one: RelatedAttempt
  isShown: boolean
  onShow: (logId: string) => void
}

function AttemptChip({ one, isShown, onShow }: AttemptChipProps) {
  const { label, tone } = labelDeliveryStatus(one)
  const chip = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isShown) chip.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [isShown])
  return (
    <button
      ref={chip}
      type="button"
      aria-current={isShown ? 'true' : undefined}
      title={exactTime(one.created_at)}
      onClick={() => onShow(one.id)}
      className={clsx(
        'flex h-8 items-center gap-2 rounded-lg border px-2.5 text-xs whitespace-nowrap tabular tight:h-auto tight:min-h-8 tight:flex-wrap tight:whitespace-normal transition-colors hover:bg-hover',
        isShown ? 'border-accent bg-accent-soft' : 'border-line',
      )}
    >
      <span className="text-muted">Attempt {one.attempt_number}</span>
      <span className={clsx('rounded-sm px-1.5 py-0.5 font-medium', TONE_SOFT[tone])}>
        {label}
        {one.response_status !== null && ` ${one.response_status}`}
      </span>
    </button>
  )
}

interface FamilyLinkProps {
  one: RelatedAttempt
  onShow: (logId: string) => void
  children: ReactNode
}

function FamilyLink({ one, onShow, children }: FamilyLinkProps) {
  return (
    <button
      type="button"
      className="rounded-sm py-0.5 text-left text-accent tabular hover:underline"
      onClick={() => onShow(one.id)}
    >
      {children}
    </button>
  )
}
