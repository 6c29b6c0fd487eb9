import { WAITING_COUNTED, type EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'
import { OFFERED_DAYS } from '#core/contract/webhooks/delivery.ts'
import { errorSentence } from '#web/api/errors.ts'
import { countOf, formatCount } from '#web/format/count-of.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { useSettleOffered } from '../queries/mend-deliveries.ts'
import { describeOffered, isOff } from './endpoint-health-words.ts'

export interface OfferedLeadsProps {
  health: EndpointHealth
  /** Opens the dialog that switches the webhook on, if it is still off. */
  onSwitchOn: () => void
  /** Called before this notice and its button disappear. */
  onSettled: () => void
}

/**
 * Offers to send or discard what came while a webhook was off, because nothing sends it by itself
 * (docs/product.md §4).
 */
export function OfferedLeads({ health, onSwitchOn, onSettled }: OfferedLeadsProps) {
  const settle = useSettleOffered()
  const count = formatCount(health.offered, health.offered >= WAITING_COUNTED)
  const run = (how: 'send' | 'discard') =>
    settle.mutate(
      { configId: health.webhook_config_id, how },
      {
        onSuccess: ({ count: settled }) => {
          onSettled()
          toast.success(
            how === 'send'
              ? `${countOf(settled, 'delivery')} on the way.`
              : `Discarded ${countOf(settled, 'delivery')}. Each can be resent from the log.`,
          )
        },
        onError: (error) => toast.error(errorSentence(error)),
      },
    )
  const running = settle.isPending ? settle.variables.how : null
  return (
    <Banner tone="info" title={describeOffered(health)}>
      <p>
        {isOff(health)
          ? `Nothing is sent while it is off. Each is held for ${OFFERED_DAYS} days.`
          : `They are not sent automatically. Each is held for ${OFFERED_DAYS} days.`}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        {isOff(health) ? (
          <Button size="sm" onClick={onSwitchOn}>
            Switch on…
          </Button>
        ) : (
          <Button size="sm" busy={running === 'send'} disabled={running !== null} onClick={() => run('send')}>
            {`Send ${count}`}
          </Button>
        )}
        <Button
          size="sm"
          busy={running === 'discard'}
          disabled={running !== null}
          onClick={() => run('discard')}
        >
          {`Discard ${count}`}
        </Button>
      </div>
    </Banner>
  )
}
