import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { endpointHealthQuery } from '../queries/endpoint-health.ts'
import { OfferedLeads } from './OfferedLeads.tsx'
import { SwitchOnDialog } from './SwitchOnDialog.tsx'

/** Offers above the log to send the leads that came while the webhook was off. */
export function OfferedInLog({ configId }: { configId: string }) {
  const { data } = useQuery(endpointHealthQuery)
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const health = data?.find(({ webhook_config_id }) => webhook_config_id === configId)
  if (health === undefined) return null
  return (
    <>
      <div ref={place} tabIndex={-1} className="outline-none">
        {health.offered > 0 && (
          <div className="border-b border-line px-5 py-3 tight:px-3">
            <OfferedLeads
              health={health}
              onSwitchOn={() => setOpen(true)}
              onSettled={() => place.current?.focus()}
            />
          </div>
        )}
      </div>
      <SwitchOnDialog open={isOpen} health={health} onClose={() => setOpen(false)} />
    </>
  )
}
