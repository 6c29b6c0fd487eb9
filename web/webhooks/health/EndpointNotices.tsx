import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'
import { listTroubled } from '#core/domain/webhooks/endpoint-status.ts'
import { endpointHealthQuery } from '../queries/endpoint-health.ts'
import { countOf } from '#web/format/count-of.ts'
import { SendingPaused } from '#web/components/SendingPaused.tsx'
import { EndpointBanner } from '#web/components/EndpointTrouble.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { useIntegrationsView } from '../use-integrations-view.ts'
import { useTestAction } from '../queries/use-test-action.ts'
import { isOff } from './endpoint-health-words.ts'
import { OfferedLeads } from './OfferedLeads.tsx'
import { SwitchOnDialog } from './SwitchOnDialog.tsx'

const SHOWN = 3

/**
 * Lists endpoints that keep failing or were switched off, until they work again, and endpoints with offered
 * deliveries. A webhook that its owner has switched off is shown only in its row and log.
 */
export function EndpointNotices() {
  const { data: health = [] } = useQuery(endpointHealthQuery)
  const [target, setTarget] = useState<EndpointHealth | null>(null)
  const [open, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const { configuring } = useIntegrationsView()
  const troubled = listTroubled(health)
  const offering = health.filter((one) => one.offered > 0 && !isOff(one))
  const notices = [
    ...troubled.map((one) => ({ kind: 'trouble' as const, one })),
    ...offering.map((one) => ({ kind: 'offer' as const, one })),
  ]
  const switchOn = (one: EndpointHealth) => () => {
    setTarget(one)
    setOpen(true)
  }
  return (
    <>
      <div ref={place} tabIndex={-1} className="flex flex-col gap-3 outline-none not-empty:mb-6">
        <SendingPaused health={health} />
        {notices
          .slice(0, SHOWN)
          .map(({ kind, one }) =>
            kind === 'trouble' ? (
              <EndpointNotice
                key={`${kind} ${one.webhook_config_id}`}
                health={one}
                onSwitchOn={switchOn(one)}
              />
            ) : (
              <OfferedLeads
                key={`${kind} ${one.webhook_config_id}`}
                health={one}
                onSwitchOn={switchOn(one)}
                onSettled={() => place.current?.focus()}
              />
            ),
          )}
        {notices.length > SHOWN && (
          <p className="text-sm text-muted">
            {describeMore(notices.length - SHOWN)}{' '}
            {configuring
              ? 'Each is listed below with its reason.'
              : '“Configure Webhooks” lists each with its reason.'}
          </p>
        )}
      </div>
      <SwitchOnDialog open={open} health={target} onClose={() => setOpen(false)} />
    </>
  )
}

function EndpointNotice({ health, onSwitchOn }: { health: EndpointHealth; onSwitchOn: () => void }) {
  const { go } = useIntegrationsView()
  const test = useTestAction()
  const isSwitchedOff = health.standing === 'switched_off'
  return (
    <EndpointBanner health={health}>
      {isSwitchedOff && (
        <Button size="sm" onClick={onSwitchOn}>
          Test and switch on
        </Button>
      )}
      {!isSwitchedOff && (
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
