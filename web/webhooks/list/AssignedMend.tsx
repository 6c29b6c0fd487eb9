import { TriangleAlert } from 'lucide-react'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { errorSentence } from '#web/api/errors.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { MISSES_BOUGHT, useMissesBought } from '../misses-bought.ts'
import { useTriggerOnAssigned } from '../queries/webhook-configs.ts'

/** Tells a client that buys leads that this webhook gets none of them, and mends it with one press. */
export function AssignedMend({ config }: { config: WebhookConfig }) {
  const mend = useTriggerOnAssigned()
  if (!useMissesBought(config)) return null
  return (
    <div className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1">
      <p className="flex min-w-0 flex-1 basis-52 gap-1.5 text-xs text-waiting">
        <TriangleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
        <span className="min-w-0 whitespace-normal">{MISSES_BOUGHT}</span>
      </p>
      <Button
        size="sm"
        busy={mend.isPending}
        onClick={() =>
          mend.mutate(config.id, {
            onSuccess: () => toast.success('Webhook updated successfully'),
            onError: (error) => toast.error('Failed to save webhook configuration', errorSentence(error)),
          })
        }
      >
        Send them here<span className="sr-only"> too: {config.webhook_name}</span>
      </Button>
    </div>
  )
}
