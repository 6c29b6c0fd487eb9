import { useState } from 'react'
import type { WebhookConfig } from '../../../../core/contract/webhook-config.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useIntegrationsView } from '../use-integrations-view.ts'
import { AttemptDetail } from './AttemptDetail.tsx'
import { DeliveryLogs } from './DeliveryLogs.tsx'

export interface DeliveryLogsDialogProps {
  /** The client's configurations, undefined until they are loaded. */
  configs: readonly WebhookConfig[] | undefined
}

/** Open when the address names a configuration, so that its logs, and each attempt in them, can be linked to. */
export function DeliveryLogsDialog({ configs }: DeliveryLogsDialogProps) {
  const { logsOf, attempt, go } = useIntegrationsView()
  const config = configs?.find(({ id }) => id === logsOf) ?? null
  // Kept while the dialog closes, so that its content does not vanish before it does.
  const [last, setLast] = useState(config)
  if (config !== null && config !== last) setLast(config)
  const shown = config ?? last
  return (
    <Dialog
      open={config !== null}
      onOpenChange={(open) => {
        if (!open) go({ logs: null, attempt: null })
      }}
      title="Delivery Logs"
      description={shown?.webhook_name}
      size="xl"
      flush
    >
      {shown !== null &&
        (attempt === null ? (
          <DeliveryLogs config={shown} onOpenAttempt={(id) => go({ attempt: id })} />
        ) : (
          <AttemptDetail logId={attempt} onBack={() => go({ attempt: null })} />
        ))}
    </Dialog>
  )
}
