import { DeadLetters } from './DeadLetters.tsx'
import { FailedJobs } from './FailedJobs.tsx'
import { QueueStrip } from './QueueStrip.tsx'
import { TroubledEndpoints } from './TroubledEndpoints.tsx'
import { WaitingClients } from './WaitingClients.tsx'

/** Shows what waits, what has failed, and which endpoints are in trouble. */
export function DeliveriesPage() {
  return (
    <div className="flex flex-col gap-6">
      <QueueStrip />
      <FailedJobs />
      <WaitingClients />
      <DeadLetters />
      <TroubledEndpoints />
    </div>
  )
}
