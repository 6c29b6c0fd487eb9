import { useState } from 'react'
import type { AdminClientDetail } from '#core/contract/market/admin-client.ts'
import { useMay } from '#web/components/admin/use-may.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { PauseSending } from '../PauseSending.tsx'

/** Says that all sending to this client is paused, and why, for as long as it is. */
export function PausedSending({ client }: { client: AdminClientDetail }) {
  const [isAsked, setIsAsked] = useState(false)
  const maySend = useMay('operations')
  const { sending_pause: pause } = client
  if (pause === null) return null
  return (
    <Banner
      tone="waiting"
      title={
        <>
          Sending is paused since <RelativeTime at={pause.since} />
        </>
      }
      action={
        maySend &&
        client.status !== 'erased' && (
          <Button size="sm" onClick={() => setIsAsked(true)}>
            Resume sending
          </Button>
        )
      }
    >
      The client reads: “{pause.reason}” Deliveries wait, and nothing is lost.
      {isAsked && <PauseSending client={client} onClose={() => setIsAsked(false)} />}
    </Banner>
  )
}
