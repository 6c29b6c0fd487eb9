import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Incident } from '#core/contract/operations/service-status.ts'
import { Allowed } from '#web/components/admin/Allowed.tsx'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { Badge } from '#web/ui/show/Badge.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { IncidentDialog } from './IncidentDialog.tsx'
import { incidentsQuery } from './incident-queries.ts'
import { RemoveIncidentDialog } from './RemoveIncidentDialog.tsx'

type Opened = { kind: 'write'; incident: Incident | null } | { kind: 'remove'; incident: Incident }

/** Lists the incidents of the public status page. */
export function IncidentsPanel() {
  const incidents = useQuery(incidentsQuery)
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  if (incidents.data === undefined)
    return incidents.isError ? (
      <LoadFailure
        title="The incidents could not be loaded."
        error={incidents.error}
        onRetry={() => void incidents.refetch()}
      />
    ) : (
      <CardSkeleton />
    )
  return (
    <Card
      title="Incidents on the status page"
      flush
      className="max-w-2xl"
      actions={
        <Allowed needs="operations">
          <Button
            size="sm"
            icon={<Plus aria-hidden className="size-4" />}
            onClick={() => setOpened({ kind: 'write', incident: null })}
          >
            Write an incident
          </Button>
        </Allowed>
      }
    >
      {incidents.data.data.length === 0 ? (
        <p className="px-4 py-4 text-sm text-muted">
          There are none. Everybody reads what is written here, at{' '}
          <a className="underline" href="/status">
            /status
          </a>
          .
        </p>
      ) : (
        <ul aria-label="Incidents" className="divide-y divide-line">
          {incidents.data.data.map((incident) => (
            <li key={incident.id} className="flex flex-col gap-2 px-4 py-4 text-sm">
              <IncidentHead incident={incident} />
              <p className="max-w-[80ch] break-words whitespace-pre-wrap">{incident.message}</p>
              <Allowed needs="operations">
                <div className="flex flex-wrap gap-2">
                  <Button size="sm" onClick={() => setOpened({ kind: 'write', incident })}>
                    Change
                  </Button>
                  <Button size="sm" variant="quiet" onClick={() => setOpened({ kind: 'remove', incident })}>
                    Remove
                  </Button>
                </div>
              </Allowed>
            </li>
          ))}
        </ul>
      )}
      {opened?.kind === 'write' && <IncidentDialog incident={opened.incident} onClose={close} />}
      {opened?.kind === 'remove' && <RemoveIncidentDialog incident={opened.incident} onClose={close} />}
    </Card>
  )
}

function IncidentHead({ incident: { title, began_at: began, ended_at: ended } }: { incident: Incident }) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <h3 className="font-medium wrap-anywhere">{title}</h3>
      <span className="text-muted">
        Began <RelativeTime at={began} />
      </span>
      {ended === null ? (
        <Badge tone="waiting">Ongoing</Badge>
      ) : (
        <span className="text-muted">
          ended <RelativeTime at={ended} />
        </span>
      )}
    </div>
  )
}
