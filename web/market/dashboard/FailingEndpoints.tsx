import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import type { EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'
import { listTroubled } from '#core/domain/webhooks/endpoint-status.ts'
import { SendingPaused } from '#web/components/SendingPaused.tsx'
import { EndpointBanner } from '#web/components/EndpointTrouble.tsx'
import { countOf } from '#web/format/count-of.ts'
import { PATHS, webhooksPath } from '#web/paths.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { endpointHealthQuery } from '#web/webhooks/queries/endpoint-health.ts'
import { useTestAction } from '#web/webhooks/queries/use-test-action.ts'

const SHOWN = 2

/** Names the endpoints that keep failing or were switched off, until they work again. */
export function FailingEndpoints() {
  const { data: health = [] } = useQuery(endpointHealthQuery)
  const failing = listTroubled(health)
  if (failing.length === 0) return <SendingPaused health={health} />
  return (
    <div className="flex flex-col gap-3">
      <SendingPaused health={health} />
      {failing.slice(0, SHOWN).map((one) => (
        <FailingEndpoint key={one.webhook_config_id} health={one} />
      ))}
      {failing.length > SHOWN && (
        <p className="text-sm">
          <Link to={webhooksPath()} className="text-accent-strong underline">
            {countOf(failing.length - SHOWN, 'more webhook')}{' '}
            {failing.length - SHOWN === 1 ? 'needs' : 'need'} attention
          </Link>
        </p>
      )}
    </div>
  )
}

function FailingEndpoint({ health }: { health: EndpointHealth }) {
  const test = useTestAction()
  const isOff = health.standing === 'switched_off'
  return (
    <EndpointBanner health={health}>
      {isOff ? (
        <Link to={PATHS.clientIntegrations} className={buttonClass('secondary', 'sm')}>
          Test and switch on
        </Link>
      ) : (
        <Button size="sm" busy={test.isRunning} onClick={() => void test.run(health.webhook_config_id)}>
          Test Endpoint
        </Button>
      )}
      <Link to={webhooksPath(health.webhook_config_id)} className={buttonClass('secondary', 'sm')}>
        View logs
      </Link>
    </EndpointBanner>
  )
}
