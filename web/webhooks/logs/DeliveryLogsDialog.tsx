import { useState } from 'react'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { Dialog } from '#web/ui/overlay/Dialog.tsx'
import { useIntegrationsView } from '../use-integrations-view.ts'
import { AttemptDetail } from '../attempt/AttemptDetail.tsx'
import { DeliveryLogs, type ReplayChoice } from './DeliveryLogs.tsx'

export interface DeliveryLogsDialogProps {
  /** The client's configurations; undefined until loaded. */
  configs: readonly WebhookConfig[] | undefined
}

/** Open while the address names a configuration, so that its logs and each attempt can be linked to. */
export function DeliveryLogsDialog({ configs }: DeliveryLogsDialogProps) {
  const { logsOf, attempt, go, closeLogs } = useIntegrationsView()
  const config = configs?.find(({ id }) => id === logsOf) ?? null
  // Kept while the dialog closes, so that its content does not vanish early.
  const [last, setLast] = useState(config)
  if (config !== null && config !== last) setLast(config)
  const shown = config ?? last
  const [returnedFrom, setReturnedFrom] = useState<string | null>(null)
  const [replayChoice, setReplayChoice] = useState<ReplayChoice | null>(null)
  const backToLogs = () => {
    setReturnedFrom(attempt)
    go({ attempt: null }, { replace: true })
  }
  return (
    <Dialog
      open={config !== null}
      onOpenChange={(open) => {
        if (open) return
        setReturnedFrom(null)
        setReplayChoice(null)
        closeLogs()
      }}
      title="Delivery Logs"
      description={shown?.webhook_name}
      size="xl"
      startAt="title"
      flush
    >
      {/* The same height for table and attempt, so that the dialog does not jump between them. */}
      <div className="min-h-[70dvh] sm:h-[min(46rem,calc(100dvh-9rem))] sm:min-h-0">
        {shown !== null &&
          (attempt === null ? (
            <DeliveryLogs
              key={shown.id}
              config={shown}
              returnedFrom={returnedFrom}
              replayChoice={replayChoice}
              onChooseReplay={setReplayChoice}
              onOpenAttempt={(id) => go({ attempt: id })}
            />
          ) : (
            <AttemptDetail
              config={shown}
              logId={attempt}
              onBack={backToLogs}
              onShow={(id) => go({ attempt: id }, { replace: true })}
            />
          ))}
      </div>
    </Dialog>
  )
}
