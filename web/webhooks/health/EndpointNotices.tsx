import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'
import { listTroubled } from '#core/domain/webhooks/judge-endpoint.ts'
import { endpointHealthQuery } from '../queries/endpoint-health.ts'
import { countOf } from '#web/format/count-of.ts'
import { EndpointBanner } from '#web/components/EndpointTrouble.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { useIntegrationsView } from '../use-integrations-view.ts'
import { useTestAction } from '../queries/use-test-action.ts'
import { SwitchOnDialog } from './SwitchOnDialog.tsx'

const SHOWN = 3

/** Says which endpoints keep failing or were switched off, until they work again. */
export function EndpointNotices() {
  const { data: health = [] } = useQuery(endpointHealthQuery)
  const [target, setTarget] = useState<EndpointHealth | null>(null)
  const [open, setOpen] = useState(false)
  const { configuring } = useIntegrationsView()
  const noticed = listTroubled(health)
  return (
    <>
      {noticed.length > 0 && (
        <div className="mb-6 flex flex-col gap-3">
          {noticed.slice(0, SHOWN).map((one) => (
            <EndpointNotice
              key={one.webhook_config_id}
              health={one}
              onSwitchOn={() => {
                setTarget(one)
                setOpen(true)
              }}
            />
          ))}
          {noticed.length > SHOWN && (
            <p className="text-sm text-muted">
              {describeMore(noticed.length - SHOWN)}{' '}
              {configuring
                ? 'Each stands below with its reason.'
                : '“Configure Webhooks” lists each with its reason.'}
            </p>
          )}
        </div>
      )}
      <SwitchOnDialog open={open} health={target} onClose={() => setOpen(false)} />
    </>
  )
}

function EndpointNotice({ health, onSwitchOn }: { health: EndpointHealth; onSwitchOn: () => void }) {
  const { go } = useIntegrationsView()
  const test = useTestAction()
  const isOff = health.standing === 'switched_off'
  return (
    <EndpointBanner health={health}>
      {isOff && (
        <Button size="sm" onClick={onSwitchOn}>
          Test and switch on
        </Button>
      )}
      {!isOff && (
        <Button size="sm" busy={test.isRunning} onClick={() => void test.run(health.webhook_config_id)}>
          Test Endpoint
        </Button>
      )}
      <Button
        size="sm"
        onClick={() => go({ view: 'configure', logs: health.webhook_config_id, attempt: null })}
      >
        View logs
      </Button>
    </EndpointBanner>
  )
}

function describeMore(more: number) {
  return `${countOf(more, 'more webhook')} ${more === 1 ? 'needs' : 'need'} attention.`
}
