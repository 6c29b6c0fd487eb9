import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import type { EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'
import { isInTrouble } from '#core/domain/webhooks/endpoint-status.ts'
import { EndpointStanding, EndpointTrouble } from '#web/components/EndpointTrouble.tsx'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { webhooksPath } from '#web/paths.ts'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { EndpointResult } from '#web/webhooks/health/EndpointResult.tsx'
import { endpointHealthQuery } from '#web/webhooks/queries/endpoint-health.ts'
import { HelpLink } from './HelpAnswer.tsx'

/** Number of endpoints shown here; the list of webhooks shows all. */
const SHOWN = 5

/** Shows the health of the reader's own endpoints above the questions, failing ones first. */
export function OwnEndpoints() {
  const { data, isPending, error, refetch } = useQuery(endpointHealthQuery)
  return (
    <section aria-labelledby="your-endpoints" className="rounded-lg border border-line bg-surface">
      <h2 id="your-endpoints" className="border-b border-line px-4 py-3 text-sm font-semibold">
        Your endpoints
      </h2>
      {data === undefined && isPending && <Skeleton className="m-4 h-5" />}
      {data === undefined && error !== null && (
        <div className="p-4">
          <LoadFailure
            title="Your endpoints could not be loaded."
            error={error}
            onRetry={() => void refetch()}
          />
        </div>
      )}
      {data !== undefined && <List all={data} />}
    </section>
  )
}

function List({ all }: { all: readonly EndpointHealth[] }) {
  if (all.length === 0) {
    return (
      <p className="px-4 py-3 text-base">
        You have no webhook yet. <HelpLink to={webhooksPath()}>Add one</HelpLink>, and your leads arrive in
        your CRM.
      </p>
    )
  }
  const sorted = all.toSorted((a, b) => Number(isInTrouble(b)) - Number(isInTrouble(a)))
  return (
    <>
      <ul className="divide-y divide-line">
        {sorted.slice(0, SHOWN).map((health) => (
          <Endpoint key={health.webhook_config_id} health={health} />
        ))}
      </ul>
      {all.length > SHOWN && (
        <p className="border-t border-line px-4 py-3 text-sm">
          <HelpLink to={webhooksPath()}>{`All ${all.length} webhooks`}</HelpLink>
        </p>
      )}
    </>
  )
}

function Endpoint({ health }: { health: EndpointHealth }) {
  return (
    <li className="flex flex-col gap-1 px-4 py-3 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link
          to={webhooksPath(health.webhook_config_id)}
          className="-my-0.5 min-w-6 rounded-sm py-0.5 font-medium text-accent-strong wrap-anywhere hover:underline"
        >
          {health.webhook_name}
        </Link>
        <EndpointStanding standing={health.standing} />
      </div>
      {isInTrouble(health) ? (
        <p className="text-muted">
          <EndpointTrouble health={health} />
        </p>
      ) : (
        <EndpointResult health={health} />
      )}
    </li>
  )
}
