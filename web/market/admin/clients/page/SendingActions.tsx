import { useState } from 'react'
import type { AdminClientDetail } from '#core/contract/market/admin-client.ts'
import type { ClientWebhook } from '#core/contract/market/client-page.ts'
import { useMay } from '#web/components/admin/use-may.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { PauseSending } from '../PauseSending.tsx'
import { ResendForClient } from '../ResendForClient.tsx'

export interface SendingActionsProps {
  client: AdminClientDetail
  webhooks: readonly ClientWebhook[]
}

/** Sends again what failed for the client, and pauses all sending; the page’s banner resumes it. */
export function SendingActions({ client, webhooks }: SendingActionsProps) {
  const [asked, setAsked] = useState<'pause' | 'resend'>()
  const close = () => setAsked(undefined)
  const maySend = useMay('operations')
  if (client.status === 'erased' || !maySend) return null
  return (
    <span className="flex flex-wrap gap-2">
      <Button size="sm" onClick={() => setAsked('resend')}>
        Resend failed…
      </Button>
      {client.sending_pause === null && (
        <Button size="sm" onClick={() => setAsked('pause')}>
          Pause sending
        </Button>
      )}
      {asked === 'pause' && <PauseSending client={client} onClose={close} />}
      {asked === 'resend' && <ResendForClient client={client} webhooks={webhooks} onClose={close} />}
    </span>
  )
}
